import { isUtf8 } from 'node:buffer';
import { basename } from 'node:path';
import { SwapfoldError, show } from '@swapfold/core';
import { matchColumns } from './fields.ts';
import type { TablePlan } from './read-table.ts';
import { type Fault, type TableBatch, TableBuilder } from './table-builder.ts';

const LONGEST_LINE = 1 << 24;
/** Records that are searched for the needed and mapped columns: later records may hold further optional ones. */
const PROBED = 1000;

/** The rows of an NDJSON file: one object a line; empty lines are no rows; `null` and an absent key are missing values. */
export async function* readNdjson(chunks: AsyncIterable<Buffer>, plan: TablePlan): AsyncGenerator<TableBatch> {
  const names = Object.keys(plan.fields);
  const builder = new TableBuilder(plan.fields, names, plan.batchRows);
  builder.absent = names.map(() => new Uint8Array(plan.batchRows));
  const theirs = new Map(Object.entries(plan.map).map(([their, our]) => [our, their]));
  const taken = new Set(theirs.values());
  const keys = names.map((name) => theirs.get(name) ?? (taken.has(name) ? undefined : name));
  let probe: Set<string> | undefined = new Set();
  for await (const line of linesOf(chunks, plan.path)) {
    builder.beginRow();
    const record = parseLine(line);
    if (probe !== undefined && typeof record === 'object') for (const key of Object.keys(record)) probe.add(key);
    builder.endRow(typeof record === 'string' ? ['', record] : setRow(record, keys, builder));
    // Nothing is handed out before the columns are known to be there.
    if (probe !== undefined && (builder.rowNumber === PROBED || builder.isFull)) {
      builder.unused = matchColumns(plan.path, { ...plan, found: [...probe] }).unused;
      probe = undefined;
    }
    if (builder.isFull) yield builder.take();
  }
  if (builder.rowNumber === 0)
    throw new SwapfoldError('invalid-input', `${basename(plan.path)} is empty: it has no line with an object.`);
  if (probe !== undefined && probe.size > 0)
    builder.unused = matchColumns(plan.path, { ...plan, found: [...probe] }).unused;
  if (!builder.isEmpty) yield builder.take();
}

/** The object on a line, or what is wrong with it. */
function parseLine(line: Buffer): Readonly<Record<string, unknown>> | string {
  const text = line.toString('utf8');
  if (text.includes('\ufffd') && !isUtf8(line)) return 'is not UTF-8';
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
    return `must be a JSON object, not ${show(value)}`;
  } catch (error) {
    return `is not JSON: ${(error as Error).message}`;
  }
}

/** Sets the row at hand from the record. */
function setRow(
  record: Readonly<Record<string, unknown>>,
  keys: readonly (string | undefined)[],
  builder: TableBuilder,
): Fault | undefined {
  const row = builder.length;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    const value = key !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
    const column = builder.builders[i]!;
    builder.absent![i]![row] = value === undefined ? 1 : 0;
    const isMissing = value === undefined || value === null || value === '';
    const reason = isMissing ? column.setMissing(row) : column.setValue(row, value);
    if (reason !== undefined) return [builder.names[i]!, reason];
  }
  return undefined;
}

/** The lines that hold more than white space, without their ends. */
async function* linesOf(chunks: AsyncIterable<Buffer>, path: string): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  let isFirst = true;
  for await (const chunk of chunks) {
    let bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    if (isFirst && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) bytes = bytes.subarray(3);
    if (isFirst) refuseArray(bytes, path);
    isFirst = false;
    let at = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, at)) {
      const line = bytes.subarray(at, end);
      if (!isBlank(line)) yield line;
      at = end + 1;
    }
    rest = bytes.subarray(at);
    if (rest.length > LONGEST_LINE)
      throw new SwapfoldError(
        'invalid-input',
        `${basename(path)} has a line of over ${LONGEST_LINE} bytes: it is no NDJSON file.`,
      );
  }
  if (!isBlank(rest)) yield rest;
}

function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte === 32 || byte === 9 || byte === 13);
}

function refuseArray(bytes: Buffer, path: string): void {
  if (bytes.subarray(0, 64).toString('latin1').trimStart().startsWith('[')) {
    throw new SwapfoldError(
      'invalid-input',
      `${basename(path)} holds one JSON array: write one object a line instead (jq -c '.[]').`,
    );
  }
}
