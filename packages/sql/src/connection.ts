import type { Batch, ColumnData, ColumnType } from '@swapfold/core/engine';
import type { Statement } from './statement.ts';

/** One connection. The adapter calls it one at a time. */
export interface SqlConnection {
  /** Begins a transaction. Every statement of the adapter is in one. */
  begin(kind: 'read' | 'write'): Promise<void>;
  commit(): Promise<void>;
  /** Undoes the transaction. Also called after a commit that failed. */
  rollback(): Promise<void>;
  run(statement: Statement): Promise<void>;
  /** All rows, as columns of the types. */
  all(statement: Statement, types: readonly ColumnType[]): Promise<ColumnData[]>;
  /** The rows in pieces of bounded size. */
  open(statement: Statement, types: readonly ColumnType[]): Promise<SqlCursor>;
  append(target: AppendTarget, batch: Batch): Promise<void>;
  close(): Promise<void>;
}

/** The rows of a statement that is still running. */
export interface SqlCursor {
  /** The next rows, as columns; `null` after the last. */
  next(): Promise<ColumnData[] | null>;
  /** Ends the statement, also before its last row. */
  close(): Promise<void>;
}

/** Where rows go: the columns in the order that the store has them in. */
export interface AppendTarget {
  readonly name: string;
  readonly columns: readonly (readonly [name: string, type: ColumnType])[];
  /** Rows take the place of those that have the same value of `key`; the values of the `fixed` columns are the same then. */
  readonly inPlaceOf?: { readonly key: string; readonly fixed: readonly string[] } | undefined;
}
