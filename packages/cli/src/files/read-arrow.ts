import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { SwapfoldError } from '@swapfold/core';
import type { Field, RecordBatch, RecordBatchReader } from 'apache-arrow';
import { arrowValues, isZonelessArrow } from './arrow-values.ts';
import type { MatchedColumns } from './fields.ts';
import { type OnProgress, readFailure } from './open-bytes.ts';
import { damageAs } from './parquet-file.ts';
import type { TablePlan } from './read-table.ts';
import { type Fault, type TableBatch, TableBuilder } from './table-builder.ts';

type Arrow = typeof import('apache-arrow');

/**
 * The rows of a file of the Arrow IPC format, or of a stored stream of it, one record batch in memory at a time.
 *
 * - Errors: `invalid-input` without the package apache-arrow, and for a damaged or packed file.
 */
export async function* readArrow(
  plan: TablePlan & { size: number; onProgress: OnProgress },
): AsyncGenerator<TableBatch> {
  const lib = await loadArrow(plan.path);
  const handle = await open(plan.path).catch((error: unknown) => {
    throw readFailure(plan.path, error);
  });
  const what = `${basename(plan.path)} is damaged, or no whole Arrow file`;
  try {
    const reader = await damageAs(what, unpacked(openReader(lib, handle)));
    const { fields } = reader.schema;
    const matched = plan.match(fields.map(({ name }) => name));
    const builder = new TableBuilder(matched, matched.byField.keys(), plan.batchRows);
    const isZoneless = hasZonelessTime(fields, matched);
    const batches = reader[Symbol.asyncIterator]();
    for (let at = 1; ; at++) {
      const next = await damageAs(what, unpacked(batches.next()));
      if (next.done) break;
      for (const batch of rowsOf(lib, next.value, builder, matched)) yield { ...batch, isZoneless };
      const read = reader.isFile() ? at / reader.numRecordBatches : 0;
      plan.onProgress({ bytesRead: Math.floor(plan.size * read), bytesTotal: plan.size });
    }
    plan.onProgress({ bytesRead: plan.size, bytesTotal: plan.size });
    if (!builder.isEmpty) yield { ...builder.take(), isZoneless };
  } finally {
    await handle.close();
  }
}

/** Only who reads Arrow needs the library. */
async function loadArrow(path: string): Promise<Arrow> {
  try {
    return await import('apache-arrow');
  } catch (cause) {
    const message = `${basename(path)} is an Arrow file: reading it needs the package apache-arrow (npm install apache-arrow).`;
    throw new SwapfoldError('invalid-input', message, { cause });
  }
}

async function openReader(lib: Arrow, handle: Awaited<ReturnType<typeof open>>): Promise<RecordBatchReader> {
  const reader = await lib.RecordBatchReader.from(handle);
  await reader.open({ autoDestroy: false });
  if (reader.schema === undefined) throw new Error('it has no schema');
  return reader;
}

/** The library names no remedy. */
async function unpacked<T>(read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (error) {
    if (!/codec not found/.test((error as Error).message)) throw error;
    throw new Error('its batches are packed; write it without compression, or as Parquet', { cause: error });
  }
}

function hasZonelessTime(columns: readonly Field[], { fields, byField }: MatchedColumns): boolean {
  const types = new Map(columns.map(({ name, type }) => [name, type]));
  return [...byField].some(([field, name]) => fields[field]!.kind === 'time' && isZonelessArrow(types.get(name)!));
}

function* rowsOf(
  lib: Arrow,
  batch: RecordBatch,
  builder: TableBuilder,
  { byField }: MatchedColumns,
): Generator<TableBatch> {
  const columns = builder.names.map((name, i) =>
    arrowValues(lib, batch.getChild(byField.get(name)!)!, builder.isText(i)),
  );
  for (let row = 0; row < batch.numRows; row++) {
    builder.beginRow();
    builder.endRow(setRow(columns, row, builder));
    if (builder.isFull) yield builder.take();
  }
}

/** Sets the row at hand from place `from` of the columns. */
function setRow(
  columns: readonly ((row: number) => unknown)[],
  from: number,
  builder: TableBuilder,
): Fault | undefined {
  const row = builder.length;
  for (let k = 0; k < columns.length; k++) {
    const value = columns[k]!(from);
    const column = builder.builders[k]!;
    const reason = value === undefined || value === null ? column.setMissing(row) : column.setValue(row, value);
    if (reason !== undefined) return [builder.names[k]!, reason];
  }
  return undefined;
}
