import type { DictionaryColumn, SwapColumns } from '@swapfold/core';
import type { ReadColumn } from '../files/column-builder.ts';

/** A batch of a file's rows on its way to swaps. */
export interface Shaping {
  readonly length: number;
  /** The columns as they were read, by the name they were read under. */
  readonly columns: Readonly<Record<string, ReadColumn>>;
  /** Rejects a row. The first fault of a row counts. */
  readonly fault: (row: number, field: string, reason: string) => void;
}

/** Makes the columns of one or more fields. */
export type Step = (shaping: Shaping) => Readonly<Record<string, ReadColumn>>;

/** The numbers of a column; all missing if the file does not have it. */
export function numbersOf({ columns, length }: Shaping, name: string | undefined): Float64Array {
  const column = name === undefined ? undefined : columns[name];
  return column instanceof Float64Array ? column : new Float64Array(length).fill(Number.NaN);
}

/** Reads the texts of a column; none if the file does not have it. */
export function textsOf({ columns }: Shaping, name: string | undefined): (row: number) => string | null {
  const column = (name === undefined ? undefined : columns[name]) as
    | DictionaryColumn
    | readonly (string | null)[]
    | undefined;
  if (column === undefined) return () => null;
  if ('ids' in column) return (row) => column.dictionary[column.ids[row]!] ?? null;
  return (row) => column[row] ?? null;
}

/** The rows of a column, in the order given. */
export function rowsOfColumn(column: ReadColumn, rows: Uint32Array): ReadColumn {
  if (column instanceof Float64Array) return Float64Array.from(rows, (row) => column[row]!);
  if ('ids' in column) return { dictionary: column.dictionary, ids: Int32Array.from(rows, (row) => column.ids[row]!) };
  return Array.from(rows, (row) => column[row]!) as ReadColumn;
}

/** The first rows of a batch. */
export function firstRows(batch: SwapColumns, count: number): SwapColumns {
  return rowsOfSwaps(
    batch,
    Uint32Array.from({ length: count }, (_, row) => row),
  );
}

/** Some rows of a batch, in the order given. */
export function rowsOfSwaps(batch: SwapColumns, rows: Uint32Array): SwapColumns {
  const columns = Object.entries(batch.columns).map(([name, column]) => [
    name,
    rowsOfColumn(column as ReadColumn, rows),
  ]);
  return { length: rows.length, columns: Object.fromEntries(columns) };
}
