import { isUtf8 } from 'node:buffer';
import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { SwapfoldError } from '@swapfold/core';
import { openParquet, type ParquetColumn, type ParquetRows } from '@swapfold/duckdb';
import {
  type AsyncBuffer,
  type FileMetaData,
  parquetMetadataAsync,
  parquetRead,
  parquetSchema,
  type SchemaElement,
} from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { checkPages, type FlatColumn } from './check-pages.ts';
import { matchColumns } from './fields.ts';
import { secondsOf } from './number-builders.ts';
import { type OnProgress, readFailure } from './open-bytes.ts';
import type { TablePlan } from './read-table.ts';
import { type Fault, type TableBatch, TableBuilder } from './table-builder.ts';

/** Rows of a row group from which on its number is damaged. */
const MOST_ROWS = 2n ** 31n;

/**
 * The rows of a Parquet file in batches. DuckDB reads the columns, as far as each has the type of its field; a batch in which a row is at
 * fault is read value by value, and so is a file with other types.
 */
export async function* readParquet(
  plan: TablePlan & { size: number; onProgress: OnProgress },
): AsyncGenerator<TableBatch> {
  const handle = await open(plan.path).catch((error: unknown) => {
    throw readFailure(plan.path, error);
  });
  let plain: ParquetRows | undefined;
  let furthest = 0;
  const onProgress: OnProgress = ({ bytesRead, bytesTotal }) => {
    furthest = Math.max(furthest, bytesRead);
    plan.onProgress({ bytesRead: furthest, bytesTotal });
  };
  try {
    const file = parquetFile(handle, { ...plan, onProgress });
    const { metadata, found } = await damageAs(`${basename(plan.path)} is not a whole Parquet file`, readFooter(file));
    const { byField, unused } = matchColumns(plan.path, { ...plan, found });
    const rows = metadata.row_groups.reduce((sum, { num_rows }) => sum + Number(num_rows), 0);
    const source: RowSource = { ...plan, file, metadata, byField, unused };
    const columns = plainColumns(source);
    if (columns === undefined) {
      yield* rowByRow(source, 0, rows);
      return;
    }
    plain = await openParquet(plan.path);
    for (let from = 0; from < rows; from += plan.batchRows) {
      const to = Math.min(from + plan.batchRows, rows);
      const batch = await readPlain(plain, source, columns, from, to);
      onProgress({ bytesRead: Math.floor((plan.size * to) / rows), bytesTotal: plan.size });
      if (batch === undefined) yield* rowByRow(source, from, to);
      else yield batch;
    }
  } finally {
    plain?.close();
    await handle.close();
  }
}

/** A file, and which of its columns holds each field. */
interface RowSource extends TablePlan {
  readonly file: ParquetFile;
  readonly metadata: FileMetaData;
  readonly byField: ReadonlyMap<string, string>;
  readonly unused: readonly string[];
}

/** What the columns are read as; `undefined` if one of them has a type that only a look at each value can read. */
function plainColumns({ metadata, byField, fields }: RowSource): readonly ParquetColumn[] | undefined {
  const elements = new Map(parquetSchema(metadata).children.map((child) => [child.element.name, child]));
  const columns: ParquetColumn[] = [];
  for (const [field, name] of byField) {
    const { element, children } = elements.get(name)!;
    const { kind } = fields[field]!;
    const isFlat = children.length === 0 && element.repetition_type !== 'REPEATED';
    if (isFlat && isText(element) && (kind === 'text' || kind === 'unique')) columns.push({ name, kind });
    else if (isFlat && isNumber(element) && (kind === 'number' || kind === 'time'))
      columns.push({ name, kind: 'number' });
    else return undefined;
  }
  return columns;
}

function isText({ type, converted_type: converted, logical_type: logical }: SchemaElement): boolean {
  return type === 'BYTE_ARRAY' && (converted === 'UTF8' || logical?.type === 'STRING');
}

function isNumber({ type, converted_type: converted, logical_type: logical }: SchemaElement): boolean {
  if (type === 'DOUBLE' || type === 'FLOAT') return logical === undefined;
  if (type !== 'INT32' && type !== 'INT64') return false;
  return converted === undefined ? logical === undefined : /^INT_(8|16|32|64)$/.test(converted);
}

/** The rows from number `from` on and before `to`; `undefined` if one of them has to be looked at by itself. */
async function readPlain(
  plain: ParquetRows,
  { fields, byField, unused }: RowSource,
  columns: readonly ParquetColumn[],
  from: number,
  to: number,
): Promise<TableBatch | undefined> {
  // What DuckDB refuses is told by the reader that knows the place.
  const read = await plain.read(columns, from, to).catch(() => undefined);
  if (read === undefined) return undefined;
  const names = [...byField.keys()];
  for (const [i, name] of names.entries()) {
    const column = read[i]!;
    const { kind, mayMiss = true } = fields[name]!;
    if (kind === 'unique' && !mayMiss && (column as readonly (string | null)[]).includes(null)) return undefined;
    if (kind === 'time') takeSeconds(column as Float64Array);
  }
  return {
    length: to - from,
    columns: Object.fromEntries(names.map((name, i) => [name, read[i]!])),
    rowNumbers: Float64Array.from({ length: to - from }, (_, i) => from + i + 1),
    rejects: [],
    unused,
  };
}

function takeSeconds(times: Float64Array): void {
  for (let row = 0; row < times.length; row++) times[row] = secondsOf(times[row]!);
}

/** The rows from number `from` on and before `to`, value by value, one row group in memory at a time. */
async function* rowByRow(source: RowSource, from: number, to: number): AsyncGenerator<TableBatch> {
  const { path, metadata, byField, file } = source;
  const builder = new TableBuilder(source.fields, byField.keys(), source.batchRows);
  builder.unused = source.unused;
  builder.rowNumber = from;
  const columns = builder.names.map((name) => byField.get(name)!);
  let rowStart = 0;
  for (const [group, { num_rows }] of metadata.row_groups.entries()) {
    const rows = Number(num_rows);
    if (rowStart < to && rowStart + rows > from) {
      const where = `${basename(path)}: row group ${group + 1} of ${metadata.row_groups.length} (rows ${rowStart + 1} to ${rowStart + rows})`;
      const values = await damageAs(
        `${where} is damaged`,
        readRowGroup(file, { metadata, columns, group, rowStart, rows }),
      );
      yield* rowsOf(values, { rows, from: Math.max(0, from - rowStart), to: Math.min(rows, to - rowStart) }, builder);
    }
    rowStart += rows;
  }
  if (!builder.isEmpty) yield builder.take();
}

/** What the end of the file says of it. Errors where that cannot be. */
async function readFooter(file: AsyncBuffer): Promise<{ metadata: FileMetaData; found: string[] }> {
  const metadata = await parquetMetadataAsync(file);
  const found = parquetSchema(metadata).children.map((child) => child.element.name);
  for (const name of found) if (typeof name !== 'string') throw new Error('a column has no name');
  for (const { num_rows } of metadata.row_groups)
    if (typeof num_rows !== 'bigint' || num_rows < 0n || num_rows > MOST_ROWS)
      throw new Error(`a row group has ${num_rows ?? 'no number of'} rows`);
  return { metadata, found };
}

type Values = ArrayLike<unknown>;

/** Looks at the pages of the named columns of a row group before they are read. */
async function checkChunks(file: ParquetFile, o: GroupPlan, flat: ReadonlyMap<string, FlatColumn>): Promise<void> {
  for (const { meta_data: meta } of o.metadata.row_groups[o.group]!.columns) {
    const name = meta?.path_in_schema[0];
    if (meta === undefined || name === undefined || !o.columns.includes(name)) continue;
    const start = Number(meta.dictionary_page_offset || meta.data_page_offset);
    const bytes = await file.read(start, start + Number(meta.total_compressed_size));
    try {
      checkPages({ bytes, meta, rows: o.rows, flat: flat.get(name) });
    } catch (cause) {
      throw new Error(`column "${name}": ${reasonOf(cause)}`, { cause });
    }
  }
}

/** The columns that are no lists or records. */
function flatColumns(metadata: FileMetaData): Map<string, FlatColumn> {
  const flat = parquetSchema(metadata).children.filter(
    ({ children, element }) => children.length === 0 && element.repetition_type !== 'REPEATED',
  );
  return new Map(
    flat.map(({ element: { name, repetition_type } }) => [name, { isOptional: repetition_type !== 'REQUIRED' }]),
  );
}

/** What to read of a row group, and where it is. */
interface GroupPlan {
  readonly metadata: FileMetaData;
  readonly columns: string[];
  readonly group: number;
  readonly rowStart: number;
  readonly rows: number;
}

/** The named columns of the rows, each in the pieces that it is stored in. */
async function readRowGroup(file: ParquetFile, o: GroupPlan): Promise<Values[][]> {
  const pieces = new Map<string, Values[]>(o.columns.map((name) => [name, []]));
  const flat = flatColumns(o.metadata);
  if (o.rows > 0) {
    await checkChunks(file, o, flat);
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
    // A missing value of these is null.
    if (flat.has(name) && values.some((piece) => Array.isArray(piece) && piece.includes(undefined)))
      throw new Error(`column "${name}" has a value that its dictionary does not have`);
  }
  return o.columns.map((name) => pieces.get(name)!);
}

/** The rows of a group from place `from` on and before `to`. */
function* rowsOf(
  columns: readonly Values[][],
  { rows, from, to }: { readonly rows: number; readonly from: number; readonly to: number },
  builder: TableBuilder,
): Generator<TableBatch> {
  const flat = columns.map((pieces) => (pieces.length === 1 ? pieces[0]! : joined(pieces, rows)));
  for (let i = from; i < to; i++) {
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
    if (value === notUtf8) return [builder.names[k]!, 'is not UTF-8'];
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

/** Stands for a text that cannot be read, and so for a row that is rejected. */
const notUtf8 = Symbol('not UTF-8');

function stringFromBytes(bytes: Uint8Array | undefined): string | symbol | undefined {
  if (bytes === undefined) return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return text.includes('\ufffd') && !isUtf8(bytes) ? notUtf8 : text;
}

/** A file as hyparquet reads it; `read` is not told as progress. Both refuse places that the file does not have. */
interface ParquetFile extends AsyncBuffer {
  slice(start: number, end?: number): Promise<ArrayBuffer>;
  read(start: number, end: number): Promise<ArrayBuffer>;
}

function parquetFile(handle: FileHandle, o: { path: string; size: number; onProgress: OnProgress }): ParquetFile {
  let bytesRead = 0;
  async function read(start: number, end: number): Promise<ArrayBuffer> {
    if (!(start >= 0 && start <= end && end <= o.size))
      throw new Error(`it has bytes ${start} to ${end} of a file of ${o.size}`);
    const bytes = new Uint8Array(end - start);
    for (let at = 0; at < bytes.length; ) {
      const read = await handle.read(bytes, at, bytes.length - at, start + at);
      if (read.bytesRead === 0) throw new Error('the file ends too early');
      at += read.bytesRead;
    }
    return bytes.buffer;
  }
  return {
    byteLength: o.size,
    read,
    async slice(start, end = o.size) {
      const bytes = await read(start, end);
      bytesRead = Math.min(o.size, bytesRead + bytes.byteLength);
      o.onProgress({ bytesRead, bytesTotal: o.size });
      return bytes;
    },
  };
}

/** Whatever the Parquet reader throws, it is the file's fault. */
async function damageAs<T>(what: string, promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    throw new SwapfoldError('invalid-input', `${what}: ${reasonOf(error)}.`, { cause: error });
  }
}

/** JavaScript's own errors speak of the reader's variables. */
function reasonOf(error: unknown): string {
  if (error instanceof TypeError || error instanceof RangeError) return 'lengths or types in it do not fit together';
  return (error as Error).message;
}
