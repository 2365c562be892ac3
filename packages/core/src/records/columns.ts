import { finish, type Work } from '../work.ts';

/**
 * Physical column types and how a batch holds them in memory.
 *
 * - `id`: dictionary id or small code, `Int32Array`; `NO_ID` (-1) if there is none.
 * - `long`: whole number up to 2^53, `Float64Array`; `NaN` is null.
 * - `double`: `Float64Array`; `NaN` is null. Infinities never enter a batch.
 * - `text`: array of strings or `null`.
 */
export type ColumnType = 'id' | 'long' | 'double' | 'text';

/** The array that holds the values of a column, by the type of the column. */
export interface ColumnArrays {
  id: Int32Array;
  long: Float64Array;
  double: Float64Array;
  text: (string | null)[];
}

/** The values of one column. */
export type ColumnData = Int32Array | Float64Array | (string | null)[];

/** The id of nothing: stored as -1, so that id columns need no nulls. */
export const NO_ID = -1;

/** A table as the engines see it. `key` is unique and orders the table; `indexes` are the column lists that reads go by. */
export interface Table<C extends Record<string, ColumnType> = Record<string, ColumnType>> {
  readonly name: string;
  readonly columns: C;
  readonly key: readonly string[];
  readonly indexes: readonly (readonly string[])[];
  /** A column that ascends with the key, as the wallet with the pair: rows that lie by the key lie by it. */
  readonly alongKey?: string;
  /** Columns that an index holds beside its own, by its first one: reads of an entity that need no others find them all together. */
  readonly included?: Readonly<Record<string, readonly string[]>>;
  /** Groups of columns of numbers that many rows have the same of, all together: those of a window in which most have not traded. */
  readonly alike?: readonly (readonly string[])[];
  /** True where the rows can be derived from other tables: a migration may drop and refold them. */
  readonly derived: boolean;
  /** True where `verify` compares every row with one that it derives anew, so that a checksum would find nothing more. */
  readonly rederived?: boolean;
  /** Columns that the key decides, as an address its id: whatever takes the place of a row has the same values there. */
  readonly fixed?: readonly string[];
  /** Columns that stores of earlier versions lack. Opening such a store for writing adds them, empty; checksums skip their nulls, so that those of earlier rows still hold. */
  readonly added?: readonly string[];
  /** True of a table that stores of earlier versions lack. Opening such a store for writing creates it, empty. */
  readonly isAdded?: true;
}

/** The name of a column of a table. */
export type ColumnName<T extends Table> = keyof T['columns'] & string;

/** Columns of equal length. Rows are never objects on the paths that scan. */
export interface Batch<T extends Table = Table, C extends ColumnName<T> = ColumnName<T>> {
  readonly length: number;
  readonly columns: { readonly [K in C]: ColumnArrays[T['columns'][K]] };
}

/** Declares a table: its columns, its key and its indexes. */
export function defineTable<const C extends Record<string, ColumnType>>(table: Table<C>): Table<C> {
  return table;
}

/** A column of a type with room for so many values. */
export function newColumn<K extends ColumnType>(type: K, length: number): ColumnArrays[K] {
  const made: ColumnData =
    type === 'id'
      ? new Int32Array(length)
      : type === 'text'
        ? new Array<string | null>(length).fill(null)
        : new Float64Array(length);
  return made as ColumnArrays[K];
}

/** As `newColumn`; its numbers are unknown. */
export function unknownColumn(type: ColumnType, length: number): ColumnData {
  const column: ColumnData = newColumn(type, length);
  return column instanceof Float64Array ? column.fill(Number.NaN) : column;
}

/** A batch of a table with room for so many rows. */
export function newBatch<T extends Table>(table: T, length: number): Batch<T> {
  const columns: Record<string, ColumnData> = {};
  for (const [name, type] of Object.entries(table.columns)) columns[name] = newColumn(type, length);
  return { length, columns } as Batch<T>;
}

/** The batch with all columns of the table: those that it lacks are empty. */
export function withColumns<T extends Table>(table: T, { length, columns }: Batch): Batch<T> {
  const whole: Record<string, ColumnData> = {};
  for (const [name, type] of Object.entries(table.columns)) {
    const column = columns[name] ?? newColumn(type, length);
    if (columns[name] === undefined && !Array.isArray(column)) column.fill(type === 'id' ? NO_ID : Number.NaN);
    whole[name] = column;
  }
  return { length, columns: whole } as Batch<T>;
}

/** The rows of `batch` at `rows`, in that order. */
export function takeRows<T extends Table, C extends ColumnName<T>>(
  batch: Batch<T, C>,
  rows: ArrayLike<number>,
): Batch<T, C> {
  const columns: Record<string, ColumnData> = {};
  for (const [name, source] of Object.entries(batch.columns) as [string, ColumnData][])
    columns[name] = takeValues(source, rows);
  return { length: rows.length, columns } as unknown as Batch<T, C>;
}

/** The rows of `batch` that hold, in their order. */
export function filterRows<T extends Table, C extends ColumnName<T>>(
  batch: Batch<T, C>,
  holds: (row: number) => boolean,
): Batch<T, C> {
  return takeRows(batch, allRows(batch.length).filter(holds));
}

/** The rows of `batch` with these keys, in their order; `of` has the key of each row. */
export function inOrderOf<T extends Table, C extends ColumnName<T>>(
  keys: ArrayLike<number>,
  batch: Batch<T, C>,
  of: ArrayLike<number>,
): Batch<T, C> {
  const rowOf = new Map(Array.from(of, (key, row) => [key, row]));
  const rows = Array.from(keys, (key) => rowOf.get(key)!);
  return takeRows(batch, rows);
}

/** The values at `rows`. One loop a kind of array: a loop that meets all three is several times slower. */
export function takeValues(source: ColumnData, rows: ArrayLike<number>): ColumnData {
  if (source instanceof Float64Array) return takeNumbers(source, rows);
  if (source instanceof Int32Array) return takeIds(source, rows);
  const target = new Array<string | null>(rows.length);
  for (let i = 0; i < rows.length; i++) target[i] = source[rows[i]!]!;
  return target;
}

function takeIds(source: Int32Array, rows: ArrayLike<number>): Int32Array {
  const target = new Int32Array(rows.length);
  for (let i = 0; i < rows.length; i++) target[i] = source[rows[i]!]!;
  return target;
}

function takeNumbers(source: Float64Array, rows: ArrayLike<number>): Float64Array {
  const target = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) target[i] = source[rows[i]!]!;
  return target;
}

/** The batches end to end, as one. `names` are the columns that an empty list answers with. */
export function concatBatches<T extends Table, C extends ColumnName<T>>(
  table: T,
  names: readonly C[],
  batches: readonly Batch<T, C>[],
): Batch<T, C> {
  return finish(concatenating(table, names, batches));
}

/** Values that are copied before others may have their turn: a millisecond, or two where the memory is new. */
const COPIED = 2 ** 18;

/** `concatBatches`, of many rows. */
export function* concatenating<T extends Table, C extends ColumnName<T>>(
  table: T,
  names: readonly C[],
  batches: readonly Batch<T, C>[],
): Work<Batch<T, C>> {
  if (batches.length === 1) return batches[0]!;
  let copied = 0;
  const length = batches.reduce((sum, batch) => sum + batch.length, 0);
  const columns: Record<string, ColumnData> = {};
  for (const name of names) {
    const type = table.columns[name]!;
    if (type === 'text') {
      columns[name] = batches.flatMap((batch) => batch.columns[name] as (string | null)[]);
      continue;
    }
    const target = newColumn(type, length);
    let at = 0;
    for (const batch of batches) {
      target.set(batch.columns[name] as Float64Array, at);
      at += batch.length;
      copied += batch.length;
      if (copied < COPIED) continue;
      copied = 0;
      yield;
    }
    columns[name] = target;
  }
  return { length, columns } as unknown as Batch<T, C>;
}

/** Names of all columns of a table. */
export function columnsOf<T extends Table>(table: T): ColumnName<T>[] {
  return Object.keys(table.columns) as ColumnName<T>[];
}

/** Names of the columns of a table but for some. */
export function columnsBut<T extends Table, const N extends ColumnName<T>>(
  table: T,
  ...names: readonly N[]
): Exclude<ColumnName<T>, N>[] {
  return columnsOf(table).filter(
    (name): name is Exclude<ColumnName<T>, N> => !(names as readonly string[]).includes(name),
  );
}

/** A view of rows of a batch: writes of numbers go through to the whole. */
export function sliceRows<T extends Table, C extends ColumnName<T>>(
  batch: Batch<T, C>,
  from: number,
  to: number,
): Batch<T, C> {
  if (from === 0 && to === batch.length) return batch;
  const columns = (Object.entries(batch.columns) as [string, ColumnData][]).map(([name, column]) => [
    name,
    Array.isArray(column) ? column.slice(from, to) : column.subarray(from, to),
  ]);
  return { length: to - from, columns: Object.fromEntries(columns) } as Batch<T, C>;
}

/** A batch of numbers with room for so many rows, which begins with the rows of another batch. */
export function enlarged<T extends Table>(table: T, batch: Batch<T>, length: number): Batch<T> {
  const larger = newBatch(table, length);
  copyRows(batch, larger, 0);
  return larger;
}

/** Copies the rows of a batch of numbers into another of its table, the first to row `at`. */
export function copyRows<T extends Table>(from: Batch<T>, to: Batch<T>, at: number): void {
  const targets = to.columns as Readonly<Record<string, ColumnData>>;
  for (const [name, column] of Object.entries(from.columns))
    (targets[name] as Float64Array).set(column as Float64Array, at);
}

/** The rows 0, 1, 2 ... of a batch. */
export function allRows(length: number): Uint32Array {
  const rows = new Uint32Array(length);
  for (let row = 0; row < length; row++) rows[row] = row;
  return rows;
}

/** Whether no value is less than the one before it. */
export function isAscending(values: ArrayLike<number>, length = values.length): boolean {
  for (let i = 1; i < length; i++) if (values[i]! < values[i - 1]!) return false;
  return true;
}

/** Index of the first of `values[0..length)` (ascending) that is greater than `value`. */
export function firstAfter(values: Float64Array, length: number, value: number): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
