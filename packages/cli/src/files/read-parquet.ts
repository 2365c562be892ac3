import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { openParquet, type ParquetColumn, type ParquetRows } from '@swapfold/duckdb';
import { type FileMetaData, parquetMetadataAsync, parquetSchema } from 'hyparquet';
import type { ReadColumn } from './column-builder.ts';
import type { Field } from './fields.ts';
import { hexOfText } from './hex-text.ts';
import { type OnProgress, readFailure } from './open-bytes.ts';
import { columnForm, isZonelessTime } from './parquet-columns.ts';
import { damageAs, type ParquetFile, parquetFile } from './parquet-file.ts';
import { type RowSource, rowByRow } from './parquet-values.ts';
import { secondsOf } from './parse-time.ts';
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
    const matched = plan.match(found);
    const rows = metadata.row_groups.reduce((sum, { num_rows }) => sum + Number(num_rows), 0);
    const source: RowSource = { ...plan, file, metadata, matched, isZoneless: hasZonelessTime(metadata, matched) };
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
      else if (from > 0 || columns.some(({ form }) => form !== undefined)) yield batch;
      else yield { ...batch, plainFile: { rows, columns: Object.fromEntries(matched.byField) } };
    }
  } finally {
    plain?.close();
    await handle.close();
  }
}

function hasZonelessTime(metadata: FileMetaData, { fields, byField }: RowSource['matched']): boolean {
  const elements = new Map(parquetSchema(metadata).children.map(({ element }) => [element.name, element]));
  return [...byField].some(([field, name]) => fields[field]!.kind === 'time' && isZonelessTime(elements.get(name)!));
}

/** What the columns are read as; `undefined` if one of them has a type that only a look at each value can read. */
function plainColumns({ metadata, matched }: RowSource): readonly ParquetColumn[] | undefined {
  const elements = new Map(parquetSchema(metadata).children.map((child) => [child.element.name, child]));
  const columns: ParquetColumn[] = [];
  for (const [field, name] of matched.byField) {
    const { element, children } = elements.get(name)!;
    const isFlat = children.length === 0 && element.repetition_type !== 'REPEATED';
    const read = isFlat ? columnForm(element, matched.fields[field]!) : undefined;
    if (read === undefined) return undefined;
    columns.push({ name, ...read });
  }
  return columns;
}

/** The rows from number `from` on and before `to`; `undefined` if one of them has to be looked at by itself. */
async function readPlain(
  plain: ParquetRows,
  { matched: { fields, byField, unused }, isZoneless }: RowSource,
  columns: readonly ParquetColumn[],
  from: number,
  to: number,
): Promise<TableBatch | undefined> {
  // What DuckDB refuses is told by the reader that knows the place.
  const read = await plain.read(columns, from, to).catch(() => undefined);
  if (read === undefined) return undefined;
  const names = [...byField.keys()];
  const finished = names.map((name, i) => finish(read[i]!, fields[name]!, columns[i]!));
  if (finished.includes(undefined)) return undefined;
  return {
    length: to - from,
    columns: Object.fromEntries(names.map((name, i) => [name, finished[i]!])),
    rowNumbers: Float64Array.from({ length: to - from }, (_, i) => from + i + 1),
    rejects: [],
    passed: new Map(),
    unused,
    isZoneless,
  };
}

/** The column as its field has it; `undefined` if a value is missing that may not. */
function finish(column: ReadColumn, field: Field, { kind, form }: ParquetColumn): ReadColumn | undefined {
  if (column instanceof Float64Array) {
    if (field.kind === 'time' && form !== 'instant') takeSeconds(column);
    return field.kind === 'number' || field.kind === 'time' ? column : writtenNumbers(column);
  }
  if ('ids' in column) return field.isHex ? { ...column, dictionary: column.dictionary.map(hexOfText) } : column;
  const texts = column as readonly (string | null)[];
  if (kind === 'unique' && field.mayMiss === false && texts.includes(null)) return undefined;
  return field.isHex ? texts.map((text) => (text === null ? null : hexOfText(text))) : texts;
}

function takeSeconds(times: Float64Array): void {
  for (let row = 0; row < times.length; row++) times[row] = secondsOf(times[row]!);
}

/** Doubles as JavaScript writes them: the same text in every format. */
function writtenNumbers(numbers: Float64Array): (string | null)[] {
  return Array.from(numbers, (number) => (Number.isNaN(number) ? null : String(number)));
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
