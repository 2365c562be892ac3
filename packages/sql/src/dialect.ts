import type { ColumnType, Table, TextMatch } from '@swapfold/core/engine';
import type { Session } from './session.ts';
import type { GrownTable } from './sorted-tables.ts';
import type { Bound, Fragment, Statement } from './statement.ts';
import type { ViewDialect } from './views/view.ts';

/** How an engine writes what engines write differently. Column arguments are quoted SQL. */
export interface Dialect extends ReadDialect {
  /** Type of a column, with its constraints. */
  columnType(table: Table, column: string, type: ColumnType): string;
  /** What follows the columns and the key in `create table`. */
  tableKey(table: Table): { readonly clause: string; readonly suffix: string };
  /** Whether each row that is not `rederived` has a checksum beside it, which `Reader.findDamage` compares: for engines that do not check what they read from disk. */
  readonly hasRowChecksums: boolean;
  /** Statements by which the engine checks what it has stored: each gives a text for everything it finds, or fails. */
  integrityChecks(tables: readonly string[]): readonly Statement[];
  /** Table and column of every column of the store's tables, in the order of each table. */
  readonly listColumns: Statement;
  /** How views are written; without it there are none. */
  readonly views?: ViewDialect;
}

/** For each way to match a text (`contains`, `startsWith`), the condition that the column matches the one bound text in it. */
export type TextConditions = { readonly [Match in TextMatch]: (column: string) => string };

/** The part of a dialect that reads are written in. */
export interface ReadDialect extends TextConditions {
  /** Where the rows of a table are. */
  rowsOf(table: Table): StoredRows;
  /** Aggregate that gives the greatest value, and null over no row. */
  readonly max: string;
  /** `column in (...)` for a list of at least two values. `isKey`: whether rows are stored in the order of the column. */
  isInList(column: string, list: Bound & { readonly kind: 'list' }, isKey: boolean): Fragment;
  /** One key of an order, nulls last. */
  orderKey(column: string, direction: 'asc' | 'desc', isNullable: boolean): string;
  /** The `most` rows with the greatest `by` for each key of a bound list, by key and `by` if they are several. */
  latest(query: LatestParts): Fragment;
  /**
   * A table's `indexes` are indexes of the engine. It looks rows up one by one, so that a count and the keys of a page are sooner had in
   * one pass (`Reader.leading`), and `append` knows `AppendTarget.inPlaceOf`; else rows that are replaced are removed first.
   */
  readonly indexes?: {
    /** The names of the indexes that a table has. */
    list(table: Table): Statement;
  };
  /**
   * Reads by a table's `indexes` go to the sorted copies of it. A page that no copy has is read sooner once it is known how far its rows
   * reach in the first column of its order.
   */
  readonly sorting?: {
    /** Before a commit, in its transaction: notes how the tables that it changed lie. */
    note(session: Session, grown: readonly GrownTable[]): Promise<void>;
    /** Whether a table is to be sorted, as of what was noted last. */
    isDue(): boolean;
    /** After a write, in a transaction of its own: sorts some of what came out of order in the tables that it may touch. */
    sort(session: Session, mayTouch: (table: string) => boolean): Promise<void>;
  };
  /**
   * The engine chooses among indexes by itself: it reads in the order of one, and no further than a page goes, only where a statement
   * orders by all its columns, also by those that the rows have one value of.
   */
  readonly projections?: {
    /** A column in a condition that holds for nearly every row, so that the engine does not look for it in its indexes. */
    unindexed(column: string, type: ColumnType): string;
  };
}

/** Rows as SQL has them. */
export interface StoredRows {
  /** What they are selected from. */
  readonly from: string;
  /** The condition that tells them from others there. Stands in the statement itself: a subquery costs a third more. */
  readonly where?: string;
  /** The clause of a condition that is looked at before all others, in which a long list of keys stands; `where` where an engine has none. */
  readonly first?: string;
}

/** The parts of a `latest`, compiled. */
export interface LatestParts {
  readonly table: string;
  /** Quoted names of the columns to read. */
  readonly columns: readonly string[];
  readonly key: string;
  readonly by: string;
  /** Quoted key columns of the table that decide between rows of equal `by`. */
  readonly ties: readonly string[];
  /** Quoted key columns of the table. */
  readonly tableKey: readonly string[];
  readonly keyType: ColumnType;
  readonly keys: Fragment;
  /** Rows of each key. */
  readonly most: number;
  /** Conditions on a row. */
  readonly where: Fragment;
}
