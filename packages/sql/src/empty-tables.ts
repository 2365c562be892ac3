import {
  type Batch,
  type ColumnName,
  concatBatches,
  type Predicate,
  type Reader,
  type Table,
} from '@swapfold/core/engine';
import type { Session } from './session.ts';
import { fragment, quote } from './statement.ts';

/**
 * Which tables have no row, as writes find it, one at a time: a table that gets a row has some from there on, also if it is taken back.
 * Many stores have no transfers, no registry, no reference prices, and an engine takes a millisecond or two to find nothing.
 */
export class EmptyTables {
  readonly #isEmpty = new Map<string, boolean>();

  /** It has rows, or may have some. */
  noteRows(table: Table): void {
    this.#isEmpty.set(table.name, false);
  }

  /** It is to be looked at again. */
  forget(table: Table): void {
    this.#isEmpty.delete(table.name);
  }

  /** Any may have rows. */
  clear(): void {
    this.#isEmpty.clear();
  }

  async isEmpty(session: Session, { name }: Table): Promise<boolean> {
    const known = this.#isEmpty.get(name);
    if (known !== undefined) return known;
    const [found] = await session.all(fragment(`select 1 from ${quote(name)} limit 1`), ['long']);
    const isEmpty = found!.length === 0;
    // A transaction beside this one may have added rows meanwhile.
    if (!this.#isEmpty.has(name)) this.#isEmpty.set(name, isEmpty);
    return isEmpty;
  }
}

/** The reader of a write, without statements for tables that have no row. Not for others: a snapshot begins with its first statement. */
export function skipEmpty(reader: Reader, isEmpty: (table: Table) => Promise<boolean>): Reader {
  const none = <T extends Table, C extends ColumnName<T>>(query: {
    readonly table: T;
    readonly columns: readonly C[];
  }): Batch<T, C> => concatBatches<T, C>(query.table, query.columns, []);
  return {
    ...reader,
    read: async (scan) => ((await isEmpty(scan.table)) ? none(scan) : reader.read(scan)),
    latest: async (query) => ((await isEmpty(query.table)) ? none(query) : reader.latest(query)),
    count: async (table, where?: Predicate) => ((await isEmpty(table)) ? 0 : reader.count(table, where)),
    max: async (table, column, where) => ((await isEmpty(table)) ? null : reader.max(table, column, where)),
    async *stream(scan) {
      if (!(await isEmpty(scan.table))) yield* reader.stream(scan);
    },
  };
}
