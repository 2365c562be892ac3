import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { SwapfoldError } from '@swapfold/core';
import { type AsyncBuffer, type FileMetaData, parquetMetadataAsync, parquetRead, parquetSchema } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { matchColumns } from './fields.ts';
import type { OnProgress } from './open-bytes.ts';
import type { TablePlan } from './read-table.ts';
import { type Fault, type TableBatch, TableBuilder } from './table-builder.ts';

/** The rows of a Parquet file, column by column, one row group in memory at a time. */
export async function* readParquet(
  plan: TablePlan & { size: number; onProgress: OnProgress },
): AsyncGenerator<TableBatch> {
  const handle = await open(plan.path);
  try {
    const file = fileBuffer(handle, plan);
    const metadata = await damageAs(`${basename(plan.path)} is not a whole Parquet file`, parquetMetadataAsync(file));
    const found = parquetSchema(metadata).children.map((child) => child.element.name);
    const { byField, unused } = matchColumns(plan.path, { ...plan, found });
    const builder = new TableBuilder(plan.fields, byField.keys(), plan.batchRows);
    builder.unused = unused;
    const theirs = builder.names.map((name) => byField.get(name)!);
    let rowStart = 0;
    for (const [group, { num_rows }] of metadata.row_groups.entries()) {
      const rows = Number(num_rows);
      const where = `${basename(plan.path)}: row group ${group + 1} of ${metadata.row_groups.length} (rows ${rowStart + 1} to ${rowStart + rows})`;
      const columns = await damageAs(
        `${where} is damaged`,
        readRowGroup(file, { metadata, columns: theirs, rowStart, rows }),
      );
      yield* rowsOf(columns, rows, builder);
      rowStart += rows;
    }
    if (!builder.isEmpty) yield builder.take();
  } finally {
    await handle.close();
  }
}

type Values = ArrayLike<unknown>;

/** The named columns of the rows, each in the pieces that it is stored in. */
async function readRowGroup(
  file: AsyncBuffer,
  o: { metadata: FileMetaData; columns: string[]; rowStart: number; rows: number },
): Promise<Values[][]> {
  const pieces = new Map<string, Values[]>(o.columns.map((name) => [name, []]));
  if (o.rows > 0) {
    await parquetRead({
      file,
      metadata: o.metadata,
      compressors,
      parsers: { stringFromBytes },
      columns: o.columns,
      rowStart: o.rowStart,
      rowEnd: o.rowStart + o.rows,
      onChunk: ({ columnName, columnData }) => pieces.get(columnName)?.push(columnData),
    });
  }
  for (const [name, values] of pieces) {
    const length = values.reduce((sum, piece) => sum + piece.length, 0);
    if (length !== o.rows) throw new Error(`column "${name}" has ${length} values`);
  }
  return o.columns.map((name) => pieces.get(name)!);
}

function* rowsOf(columns: readonly Values[][], rows: number, builder: TableBuilder): Generator<TableBatch> {
  const flat = columns.map((pieces) => (pieces.length === 1 ? pieces[0]! : joined(pieces, rows)));
  for (let i = 0; i < rows; i++) {
    builder.beginRow();
    builder.endRow(setRow(flat, i, builder));
    if (builder.isFull) yield builder.take();
  }
}

/** Sets the row at hand from place `i` of the columns. */
function setRow(columns: readonly Values[], i: number, builder: TableBuilder): Fault | undefined {
  const row = builder.length;
  for (let k = 0; k < columns.length; k++) {
    const value = columns[k]![i];
    const column = builder.builders[k]!;
    const reason = value === undefined || value === null ? column.setMissing(row) : column.setValue(row, value);
    if (reason !== undefined) return [builder.names[k]!, reason];
  }
  return undefined;
}

function joined(pieces: readonly Values[], rows: number): unknown[] {
  const all = new Array<unknown>(rows);
  let at = 0;
  for (const piece of pieces) for (let i = 0; i < piece.length; i++) all[at++] = piece[i];
  return all;
}

function stringFromBytes(bytes: Uint8Array | undefined): string | undefined {
  return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

function fileBuffer(handle: FileHandle, o: { path: string; size: number; onProgress: OnProgress }): AsyncBuffer {
  let bytesRead = 0;
  return {
    byteLength: o.size,
    async slice(start, end = o.size) {
      const bytes = new Uint8Array(end - start);
      for (let at = 0; at < bytes.length; ) {
        const read = await handle.read(bytes, at, bytes.length - at, start + at);
        if (read.bytesRead === 0) throw new Error('the file ends too early');
        at += read.bytesRead;
      }
      bytesRead = Math.min(o.size, bytesRead + bytes.length);
      o.onProgress({ bytesRead, bytesTotal: o.size });
      return bytes.buffer;
    },
  };
}

/** Whatever the Parquet reader throws, it is the file's fault. */
async function damageAs<T>(what: string, promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    throw new SwapfoldError('invalid-input', `${what}: ${(error as Error).message}.`, { cause: error });
  }
}
