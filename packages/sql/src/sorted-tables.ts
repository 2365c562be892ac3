import { columnsOf, everything, type Order, type Predicate, type Table } from '@swapfold/core/engine';

/** A table of the store that an engine without indexes keeps sorted, so that the rows of a key lie together. */
export interface SortedTable {
  readonly name: string;
  /** What it is sorted by. */
  readonly order: readonly string[];
  /** What it has: for a copy, the columns of its order and the columns that the index includes. */
  readonly columns: readonly string[];
}

/** Which tables a transaction may sort. */
export interface SortingOf {
  /** Whether it writes aside: then it sorts also what it appended in bulk, because nobody waits for it. */
  readonly isAside: boolean;
  readonly mayTouch: (table: string) => boolean;
}

/** A sorted table with the rows that a transaction has added at its end. */
export interface GrownTable extends SortedTable {
  readonly rows: number;
}

/** The table itself, where its key is among its indexes, and its sorted copies. */
export function sortedTablesOf(table: Table): readonly SortedTable[] {
  const isSorted = table.indexes.some((columns) => columns.join() === table.key.join());
  const copies = copiesOf(table);
  return isSorted ? [{ name: table.name, order: table.key, columns: columnsOf(table) }, ...copies] : copies;
}

/**
 * For each index of several columns that the key does not begin with: its columns, the rest of the key and what the index includes, as a
 * table of their own.
 */
export function copiesOf(table: Table): readonly SortedTable[] {
  return table.indexes
    .filter((columns) => columns.length > 1 && columns.join() !== table.key.slice(0, columns.length).join())
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
