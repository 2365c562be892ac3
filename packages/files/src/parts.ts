import { rm } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { SwapColumns } from '@swapfold/core';
import type { ParquetColumn } from '@swapfold/duckdb';
import type { FileInfo, FileReject, PlainFile, SwapPart } from './batches.ts';
import { connect, rowsOf, scratchFile, sqlName, sqlText } from './duck.ts';
import { isNumber } from './fields.ts';
import { rowId } from './row-ids.ts';
import type { RowKind } from './row-kinds.ts';
import { fieldsOf, GIVEN, type Given, LEFT_OUT, MADE, reasonOf, typedSelect, ZONELESS } from './typed.ts';

/** A converted file: its rows in the order of the input, with what is wrong with some. */
export interface Converted {
  readonly path: string;
  readonly rows: number;
  /** Rows that are left out, by their places, and why. */
  readonly leftOut: readonly { readonly at: number; readonly why: string; readonly given: string | null }[];
  /** The place of the first row whose time has no zone, if one has such. */
  readonly firstZoneless: number | null;
  /** Rows that are taken, with an index that was made of what they hold. */
  readonly unindexed: number;
  /** Whether a text may have been a number of JSON. */
  readonly isDoubtful: boolean;
}

/** Converts the rows of `input` to a file with a column for each field. Errors: those of DuckDB. */
export async function convert(
  connection: DuckDBConnection,
  input: string,
  given: Given,
  isJson: boolean,
): Promise<Converted> {
  const fields = fieldsOf(given, 'The SELECT');
  const path = scratchFile('parquet');
  try {
    await connection.run(
      `copy (${typedSelect(given, fields, input)}) to ${sqlText(path)} (format parquet, compression lz4_raw)`,
    );
    const texts = fields.filter((name) => !isNumber(given.fields[name]!.kind));
    const doubts = isJson ? texts.map((name) => jsonLike(sqlName(name))) : [];
    const [[rows, left, firstZoneless, doubtful, unindexed]] = (await rowsOf(
      connection,
      `select count(*)::integer, count(${LEFT_OUT})::integer, (min(file_row_number) filter (where ${ZONELESS}))::integer, count(*) filter (where ${doubts.join(' or ') || 'false'})::integer, count(*) filter (where ${MADE} and ${LEFT_OUT} is null)::integer from read_parquet(${sqlText(path)}, file_row_number = true)`,
    )) as [[number, number, number | null, number, number]];
    const found =
      left === 0
        ? []
        : await rowsOf(
            connection,
            `select file_row_number::integer, ${LEFT_OUT}, ${GIVEN} from read_parquet(${sqlText(path)}, file_row_number = true) where ${LEFT_OUT} is not null order by 1`,
          );
    const leftOut = (found as [number, string, string | null][]).map(([at, why, text]) => ({ at, why, given: text }));
    return { path, rows, leftOut, firstZoneless, unindexed, isDoubtful: doubtful > 0 };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

/** Whether a text may have been a number, a boolean, an object or a list of JSON. */
function jsonLike(column: string): string {
  return `try_cast(${column} as double) is not null or ${column} in ('true', 'false') or starts_with(${column}, '{') or starts_with(${column}, '[')`;
}

/** What is known of the rows of a converted file from elsewhere. */
export interface PartRows {
  /** What its rows are of. */
  readonly file: string;
  /** The number of the row before the first one, or the number of each row. */
  readonly numbers: number | readonly number[];
  /** Rows that are not in the converted file. */
  readonly rejects?: readonly FileReject[];
}

/** A converted file as a part of a file of swaps. */
export function partOf(
  converted: Converted,
  given: Given,
  { file, numbers, rejects = [] }: PartRows,
  o: { readonly info: FileInfo; readonly batchRows: number },
): SwapPart & { readonly drop: () => Promise<void> } {
  const { path, rows, leftOut, firstZoneless, unindexed } = converted;
  const fields = fieldsOf(given, 'The SELECT');
  const numberAt = (at: number): number => (typeof numbers === 'number' ? numbers + at + 1 : numbers[at]!);
  const passed = new Map<string, number>();
  const faults: FileReject[] = [...rejects];
  for (const { at, why, given: text } of leftOut) {
    if (why.startsWith('passed ')) passed.set(why.slice(7), (passed.get(why.slice(7)) ?? 0) + 1);
    else {
      const field = why.slice(6);
      const reason = reasonOf(given.fields[field]!.kind, text, given.types.get(field) ?? 'VARCHAR');
      faults.push({ row: numberAt(at), field, reason });
    }
  }
  const hasFile = !given.rowIds && rows > leftOut.length;
  const plain = {
    parquet: path,
    rows,
    columns: Object.fromEntries(fields.map((name) => [name, name])),
    leftOut: leftOut.length > 0 ? LEFT_OUT : undefined,
    file,
    numbers: typeof numbers === 'number' ? numbers + 1 : Float64Array.from(numbers),
  };
  return {
    ...o.info,
    isZoneless: firstZoneless !== null,
    unindexed,
    passed,
    rejects: faults.sort((a, b) => a.row - b.row),
    rows: rows + rejects.length,
    file: hasFile ? plain : undefined,
    converted: rows > leftOut.length ? plain : undefined,
    batches: () => convertedBatches({ plain, gone: leftOut.map(({ at }) => at), ...o, given }),
    drop: () => rm(path, { force: true }),
  };
}

/** The rows of a converted file as columns, without those whose places are `gone`. `numbered`: a column that holds the numbers of its rows. */
export async function* convertedBatches(o: {
  readonly plain: PlainFile;
  readonly gone: readonly number[];
  readonly batchRows: number;
  readonly given: Pick<Given, 'fields' | 'kind' | 'rowIds'>;
  readonly numbered?: string | undefined;
}): AsyncGenerator<SwapColumns> {
  const { openParquet } = await import('@swapfold/duckdb');
  const connection = await connect();
  const gone = new Set(o.gone);
  const { parquet, rows, file: name, numbers = 1 } = o.plain;
  const fields = Object.keys(o.plain.columns);
  try {
    const file = openParquet(parquet, connection);
    const columns = fields.map((name): ParquetColumn => {
      const isText = !isNumber(o.given.fields[name]!.kind);
      return { name, kind: name === 'tx_hash' ? 'unique' : isText ? 'text' : 'number' };
    });
    if (o.numbered !== undefined) columns.push({ name: o.numbered, kind: 'number' });
    for (let from = 0; from < rows; from += o.batchRows) {
      const to = Math.min(from + o.batchRows, rows);
      const read = (await file.read(columns, from, to))!;
      const all = {
        length: to - from,
        columns: Object.fromEntries(fields.map((name, i) => [name, read[i]!])),
      } as unknown as SwapColumns;
      const written = read[fields.length] as Float64Array | undefined;
      const kept = Uint32Array.from({ length: to - from }, (_, row) => row).filter((row) => !gone.has(from + row));
      if (kept.length === 0) continue;
      const batch = kept.length === all.length ? all : rowsOfSwaps(all, kept);
      const isRun = typeof numbers === 'number' && batch === all && written === undefined;
      const numberAt = (at: number): number =>
        written?.[at - from] ?? (typeof numbers === 'number' ? numbers + at : numbers[at]!);
      yield {
        ...(o.given.rowIds ? withRowIds(batch, o.given.kind) : batch),
        file: name,
        numbers: isRun ? numbers + from : Float64Array.from(kept, (row) => numberAt(from + row)),
      };
    }
  } finally {
    connection.closeSync();
  }
}

/** Some rows of a batch, in the order given. */
export function rowsOfSwaps(batch: SwapColumns, rows: Uint32Array): SwapColumns {
  const columns = Object.entries(batch.columns).map(([name, column]) => {
    if (column instanceof Float64Array || column instanceof Int32Array)
      return [
        name,
        column.constructor === Int32Array
          ? Int32Array.from(rows, (row) => column[row]!)
          : Float64Array.from(rows, (row) => column[row]!),
      ];
    if ('ids' in column)
      return [name, { dictionary: column.dictionary, ids: Int32Array.from(rows, (row) => column.ids[row]!) }];
    return [name, Array.from(rows, (row) => column[row]!)];
  });
  const { file, numbers } = batch;
  const numberAt = (row: number): number => (typeof numbers === 'number' ? numbers + row : numbers![row]!);
  const place = numbers === undefined ? {} : { file, numbers: Float64Array.from(rows, numberAt) };
  return { length: rows.length, columns: Object.fromEntries(columns), ...place };
}

function withRowIds({ length, columns }: SwapColumns, kind: RowKind): SwapColumns {
  const given = columns.tx_hash as readonly (string | null)[] | undefined;
  const hashes: string[] = [];
  const index = columns[kind.index as 'swap_index'];
  const indexes = new Float64Array(length);
  for (let row = 0; row < length; row++) {
    const found = given?.[row];
    hashes.push(found ?? rowId(columns, row, kind));
    indexes[row] = found == null ? kind.madeIndex : (index?.[row] ?? Number.NaN);
  }
  return { length, columns: { ...columns, tx_hash: hashes, [kind.index]: indexes } };
}
