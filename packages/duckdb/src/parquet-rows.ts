import type { DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api';
import { newColumn } from '@swapfold/core/engine';
import type { DictionaryColumn } from '@swapfold/core/host';
import { quote } from '@swapfold/sql';
import { sqlPath } from './bulk/sql-text.ts';
import { readVector } from './vectors.ts';

/**
 * A column of a Parquet file, and what it is read as.
 *
 * - `text`: ids into a dictionary of the rows that are read; `unique`: text that hardly repeats, one string a row. An empty text is none.
 * - `number`: doubles, `NaN` if there is none.
 */
export interface ParquetColumn {
  readonly name: string;
  readonly kind: 'text' | 'unique' | 'number';
}

/** Columns of some rows, in the order in which they were asked for. */
export type ParquetColumns = readonly (Float64Array | DictionaryColumn | readonly (string | null)[])[];

/** The rows of a Parquet file, read by DuckDB. */
export interface ParquetRows {
  /**
   * The rows from number `from` on (counted from 0) and before `to`; `undefined` if one of them has a number that is not finite.
   *
   * - Errors: those of DuckDB, of a file that it cannot read, or with text that is not UTF-8.
   */
  read(columns: readonly ParquetColumn[], from: number, to: number): Promise<ParquetColumns | undefined>;
}

const PIECE = 'swapfold_piece';

/** A Parquet file, to be read on a connection, which stays open. */
export function openParquet(path: string, connection: DuckDBConnection): ParquetRows {
  const file = `read_parquet(${sqlPath(path)}, file_row_number = true)`;
  return {
    async read(columns, from, to) {
      const values = columns.map((column, i) => `${selectedAs(column)} as c${i}`);
      await connection.run(
        `create or replace temp table ${PIECE} as select ${values.join(', ')} from ${file} where file_row_number >= ${from} and file_row_number < ${to}`,
      );
      const numbers = columns.flatMap(({ kind }, i) => (kind === 'number' ? [`not isfinite(c${i})`] : []));
      const [[rows, odd]] = await answerOf(
        connection,
        `select count(*)::integer, (count(*) filter (where ${numbers.join(' or ') || 'false'}))::integer from ${PIECE}`,
      );
      if (odd !== 0 || rows !== to - from) return undefined;
      return readPiece(connection, columns, to - from);
    },
  };
}

function selectedAs({ name, kind }: ParquetColumn): string {
  return kind === 'number' ? `${quote(name)}::double` : `nullif(${quote(name)}, '')`;
}

async function readPiece(
  connection: DuckDBConnection,
  columns: readonly ParquetColumn[],
  rows: number,
): Promise<ParquetColumns> {
  const made: (Float64Array | DictionaryColumn | (string | null)[])[] = [];
  const selected: string[] = [];
  for (const [i, { kind }] of columns.entries()) {
    if (kind === 'text') {
      const dictionary = await numberTexts(connection, i);
      made.push({ dictionary, ids: new Int32Array(rows) });
      selected.push(dictionary.length === 0 ? '-1' : `coalesce(enum_code(c${i}::${typeOf(i)})::integer, -1)`);
    } else {
      made.push(kind === 'unique' ? newColumn('text', rows) : new Float64Array(rows));
      selected.push(`c${i}`);
    }
  }
  const result = await connection.stream(`select ${selected.join(', ')} from ${PIECE}`);
  let at = 0;
  for (let chunk = await next(result); chunk !== undefined; chunk = await next(result)) {
    for (const [i, column] of made.entries())
      readVector(chunk.getColumnVector(i), 'ids' in column ? column.ids : column, at, chunk.rowCount);
    at += chunk.rowCount;
  }
  return made;
}

/** Makes the distinct texts of a column the values of a type, whose codes are their places here. A cast to it keeps the order of rows, which a join does not. */
async function numberTexts(connection: DuckDBConnection, column: number): Promise<string[]> {
  const type = typeOf(column);
  const distinct = `select distinct c${column} as value from ${PIECE} where c${column} is not null order by value`;
  const texts: string[] = [];
  const result = await connection.stream(distinct);
  for (let chunk = await next(result); chunk !== undefined; chunk = await next(result)) {
    const from = texts.length;
    texts.length += chunk.rowCount;
    readVector(chunk.getColumnVector(0), texts, from, chunk.rowCount);
  }
  await connection.run(`drop type if exists ${type}`);
  // There is no such type without a value.
  if (texts.length > 0) await connection.run(`create temp type ${type} as enum (${distinct})`);
  return texts;
}

const typeOf = (column: number): string => `swapfold_texts_${column}`;

async function next(result: { fetchChunk(): Promise<DuckDBDataChunk | null> }): Promise<DuckDBDataChunk | undefined> {
  const chunk = await result.fetchChunk();
  return chunk === null || chunk.rowCount === 0 ? undefined : chunk;
}

async function answerOf(connection: DuckDBConnection, sql: string): Promise<[[number, number]]> {
  return (await connection.runAndReadAll(sql)).getRows() as [[number, number]];
}
