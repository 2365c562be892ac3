import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { openParquet, type ParquetColumn, type ParquetRows } from '@swapfold/duckdb';
import { type FileMetaData, parquetMetadataAsync, parquetSchema, type SchemaElement } from 'hyparquet';
import { matchColumns } from './fields.ts';
import { secondsOf } from './number-builders.ts';
import { type OnProgress, readFailure } from './open-bytes.ts';
import { damageAs, type ParquetFile, parquetFile } from './parquet-file.ts';
import { type RowSource, rowByRow } from './parquet-values.ts';
import type { TablePlan } from './read-table.ts';
import type { TableBatch } from './table-builder.ts';

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

/** What the end of the file says of it. Errors where that cannot be. */
async function readFooter(file: ParquetFile): Promise<{ metadata: FileMetaData; found: string[] }> {
  const metadata = await parquetMetadataAsync(file);
  const found = parquetSchema(metadata).children.map((child) => child.element.name);
  for (const name of found) if (typeof name !== 'string') throw new Error('a column has no name');
  for (const { num_rows } of metadata.row_groups)
    if (typeof num_rows !== 'bigint' || num_rows < 0n || num_rows > MOST_ROWS)
      throw new Error(`a row group has ${num_rows ?? 'no number of'} rows`);
  return { metadata, found };
}
