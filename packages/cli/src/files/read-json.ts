import { basename } from 'node:path';
import { SwapfoldError } from '@swapfold/core';
import type { MatchedColumns } from './fields.ts';
import { beginsDocument, documentItems } from './json-document.ts';
import { type JsonItem, lineItems } from './json-lines.ts';
import type { TablePlan } from './read-table.ts';
import { columnReader, columnsOf, type JsonRecord } from './record-paths.ts';
import { type Fault, type TableBatch, TableBuilder } from './table-builder.ts';

/** Records that are searched for the needed and mapped columns: later records may hold further optional ones. */
const PROBED = 1000;

/**
 * The rows of a JSON file: an object a line, or documents with records at the plan's paths. `null` and an absent key are missing values.
 *
 * - `isLines`: the file's name says that it has a value a line.
 */
export async function* readJson(
  chunks: AsyncIterable<Buffer>,
  plan: TablePlan,
  isLines: boolean,
): AsyncGenerator<TableBatch> {
  const most = Math.min(PROBED, plan.batchRows);
  let table: JsonTable | undefined;
  let waiting: JsonItem[] = [];
  let isEmpty = true;
  for await (const items of itemsOf(chunks, plan, isLines)) {
    if (items.length > 0) isEmpty = false;
    if (table === undefined) {
      for (const item of items) waiting.push(item);
      // Nothing is handed out before the columns are known to be there.
      if (waiting.length < most && !(plan.isEager && waiting.length > 0)) continue;
      table = jsonTable(plan, waiting.slice(0, PROBED));
      yield* add(table, waiting);
      waiting = [];
    } else yield* add(table, items);
    if (plan.isEager && !table.builder.isEmpty) yield table.builder.take();
  }
  if (isEmpty)
    throw new SwapfoldError('invalid-input', `${basename(plan.path)} is empty: it has no line with an object.`);
  table ??= waiting.some((item) => typeof item !== 'string') ? jsonTable(plan, waiting) : unmatched(plan);
  yield* add(table, waiting);
  if (!table.builder.isEmpty) yield table.builder.take();
}

async function* itemsOf(
  chunks: AsyncIterable<Buffer>,
  plan: TablePlan,
  isLines: boolean,
): AsyncGenerator<readonly JsonItem[]> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done) return;
  const all = (async function* () {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => iterator };
  })();
  const head = first.value
    .subarray(0, 1 << 16)
    .toString('latin1')
    .trimStart();
  const isDocument = isLines ? head.startsWith('[') : beginsDocument(first.value);
  yield* isDocument ? documentItems(all, plan) : lineItems(all, plan);
}

interface JsonTable {
  readonly builder: TableBuilder;
  /** What reads each of the builder's columns. */
  readonly readers: readonly ((record: JsonRecord) => unknown)[];
}

function jsonTable(plan: TablePlan, probed: readonly JsonItem[]): JsonTable {
  const found = new Set<string>();
  for (const item of probed) if (typeof item !== 'string') for (const name of columnsOf(item)) found.add(name);
  return tableOf(plan, plan.match([...found]));
}

/** A table of rows that are all at fault. */
function unmatched(plan: TablePlan): JsonTable {
  return tableOf(plan, { fields: {}, byField: new Map(), later: new Map(), unused: [] });
}

function tableOf(plan: TablePlan, matched: MatchedColumns): JsonTable {
  const columns = new Map([...matched.byField, ...matched.later]);
  const names = Object.keys(matched.fields).filter((name) => columns.has(name));
  const builder = new TableBuilder(matched, names, plan.batchRows);
  builder.absent = names.map(() => new Uint8Array(plan.batchRows));
  return { builder, readers: names.map((name) => columnReader(columns.get(name)!)) };
}

function* add({ builder, readers }: JsonTable, items: readonly JsonItem[]): Generator<TableBatch> {
  for (const item of items) {
    builder.beginRow();
    builder.endRow(typeof item === 'string' ? ['', item] : setRow(item, readers, builder));
    if (builder.isFull) yield builder.take();
  }
}

/** Sets the row at hand from the record. */
function setRow(record: JsonRecord, readers: JsonTable['readers'], builder: TableBuilder): Fault | undefined {
  const row = builder.length;
  for (let i = 0; i < readers.length; i++) {
    const value = readers[i]!(record);
    const column = builder.builders[i]!;
    builder.absent![i]![row] = value === undefined ? 1 : 0;
    const isMissing = value === undefined || value === null || value === '';
    const reason = isMissing ? column.setMissing(row) : column.setValue(row, value);
    if (reason !== undefined) return [builder.names[i]!, reason];
  }
  return undefined;
}
