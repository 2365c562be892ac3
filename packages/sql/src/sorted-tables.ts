import { type Batch, columnsOf, everything, type Order, type Predicate, type Table } from '@swapfold/core/engine';

/** A table of the store that an engine without indexes keeps sorted, so that the rows of a key lie together. */
export interface SortedTable {
  readonly name: string;
  /** What it is sorted by. */
  readonly order: readonly string[];
  /** What it has: for a copy, the columns of its order and the columns that the index includes. */
  readonly columns: readonly string[];
}

/** A sorted table that a transaction has emptied, or added rows to at its end. */
export interface GrownTable extends SortedTable {
  /** Whether it was emptied first, so that none of the rows before counts. */
  readonly isAnew: boolean;
  readonly rows: number;
  /** How many of the rows may not lie in order: all that come after rows whose greatest key is not known. */
  readonly unsorted: number;
  /** The greatest key, if it is known; of no row none. */
  readonly last?: readonly number[] | undefined;
}

/** Notes that a table and its copies have no rows, or only rows in order. */
export function noteEmptied(table: Table, grown: Map<string, GrownTable>): void {
  for (const sorted of sortedTablesOf(table))
    grown.set(sorted.name, { ...sorted, isAnew: true, rows: 0, unsorted: 0, last: [] });
}

/** The table with rows at its end, after what the transaction did to it before. */
export function grownBy(
  table: SortedTable,
  { columns, length }: Batch,
  before: GrownTable = { ...table, isAnew: false, rows: 0, unsorted: 0 },
): GrownTable {
  const rows = before.rows + length;
  const keys = table.order.map((column) => columns[column]!);
  if (before.last === undefined || keys.some(Array.isArray))
    return { ...before, rows, unsorted: before.unsorted + length, last: undefined };
  let { unsorted } = before;
  const last = [...before.last];
  for (let row = 0; row < length; row++) {
    if (!comesAfter(keys as NumberColumns, row, last)) unsorted++;
    else for (const [i, key] of (keys as NumberColumns).entries()) last[i] = key[row]!;
  }
  return { ...before, rows, unsorted, last };
}

type NumberColumns = readonly (Int32Array | Float64Array)[];

/** Whether the key of a row comes after another one. A null has no place: it does not. */
function comesAfter(keys: NumberColumns, row: number, last: readonly number[]): boolean {
  if (last.length === 0) return !keys.some((key) => Number.isNaN(key[row]));
  for (const [i, key] of keys.entries()) if (key[row] !== last[i]) return key[row]! > last[i]!;
  return true;
}

/** The table itself, where its key is among its indexes, and its sorted copies. */
export function sortedTablesOf(table: Table): readonly SortedTable[] {
  const isSorted = table.indexes.some((columns) => columns.join() === table.key.join());
  const copies = copiesOf(table);
  return isSorted ? [{ name: table.name, order: table.key, columns: columnsOf(table) }, ...copies] : copies;
}

/**
 * For each index of several columns that the table does not lie by: its columns, the rest of the key and what the index includes, as a table
 * of their own.
 */
export function copiesOf(table: Table): readonly SortedTable[] {
  return table.indexes
    .filter(([first, ...rest]) => rest.length > 0 && first !== table.key[0] && first !== table.alongKey)
    .map((columns) => {
      const order = [...columns, ...table.key.filter((column) => !columns.includes(column))];
      const included = includedIn(table, columns).filter((column) => !order.includes(column));
      return { name: indexName(table, columns), order, columns: [...order, ...included] };
    });
}

/** The columns that an index holds beside its own. */
export function includedIn({ included }: Table, [first]: readonly string[]): readonly string[] {
  return included?.[first!] ?? [];
}

export function indexName(table: Table, columns: readonly string[]): string {
  return `${table.name}_by_${columns.join('_')}`;
}

/** What a read needs of a table. */
export interface Need {
  readonly columns: readonly string[];
  readonly where?: Predicate | undefined;
  readonly order?: readonly Order[] | undefined;
  readonly isRecent?: boolean | undefined;
}

/**
 * The copy that has all the columns and lies by the one that the read goes by: `by`, or the first that its rows are wanted in the order of
 * or must have one of few values of.
 */
export function copyFor(table: Table, need: Need, by?: string): SortedTable | undefined {
  const { columns, where = everything, order = [], isRecent } = need;
  if (isRecent) return undefined;
  const needed = new Set([...columns, ...columnsOfPredicate(where), ...order.map(({ column }) => column)]);
  return copiesOf(table).find(({ order: [first], columns: own }) => {
    const leads = by === undefined ? order[0]?.column === first || isOfFew(where, first!) : by === first;
    return leads && [...needed].every((column) => own.includes(column));
  });
}

/** The most entities whose rows are read from a copy: for more, reading where the newest rows lie is as fast. */
const FEW = 20;

/** Whether the rows that hold have one of few values of the column. */
function isOfFew(where: Predicate, column: string): boolean {
  if (where.kind === 'and') return where.of.some((part) => isOfFew(part, column));
  return (where.kind === 'in' && where.column === column && where.values.length <= FEW) || isFixed(where, column);
}

/** Whether the rows that hold have one value of the column. */
export function isFixed(where: Predicate, column: string): boolean {
  if (where.kind === 'and') return where.of.some((part) => isFixed(part, column));
  return where.kind === 'compare' && where.op === 'eq' && where.column === column;
}

/** The columns that a predicate asks for. */
export function columnsOfPredicate(where: Predicate): readonly string[] {
  if (where.kind === 'and' || where.kind === 'or') return where.of.flatMap(columnsOfPredicate);
  if (where.kind === 'not') return columnsOfPredicate(where.of);
  return [where.column];
}
