import type { SwapfoldError } from '@swapfold/core';
import type { Batch, ColumnData, ColumnType, Table } from '@swapfold/core/engine';
import type { Dialect } from './dialect.ts';
import type { EngineLoad } from './load.ts';
import type { Statement } from './statement.ts';

/** What an engine's client does for `createSqlAdapter`: connections, and how its errors read. */
export interface SqlDriver {
  /** Name of the engine, as in `StorageAdapter.engine`. */
  readonly engine: string;
  readonly dialect: Dialect;
  /** Reading connections to keep; more snapshots wait. */
  readonly readers: number;
  /** As `StorageAdapter.isReadOnly`. */
  readonly isReadOnly: boolean;
  /** What fails or ends an open cursor of the same connection: such statements wait until its rows are in memory. */
  readonly cursorsYieldTo: 'nothing' | 'writes' | 'all';
  /** A connection of its own. The first one is the writer and makes or opens the store. */
  connect(role: 'reader' | 'writer'): Promise<SqlConnection>;
  /** The store has turned out to be Swapfold's, or new: from here on the driver may change settings that stay in the file. */
  accept(): Promise<void>;
  /** After all connections are closed. */
  close(): Promise<void>;
  /** The engine's error as Swapfold's, with it as cause. */
  failure(error: unknown): SwapfoldError;
  /** What it does around each transaction that writes, by the writer or aside. */
  readonly transactions?: {
    /** Before it begins. */
    beginning(): Promise<void>;
    /** In it; it is undone if this throws. */
    began(): void;
    /** In it, before its commit; `hasWritten`: whether something was run or appended. It is undone if this throws. */
    committing(hasWritten: boolean): void;
    /** Once it is committed or undone. */
    ended(isCommitted: boolean): void;
  };
  /** Snapshots that read many rows have connections of their own: so many at once. */
  readonly scanning?: { readonly most: number; connect(): Promise<SqlConnection> };
  /** A transaction of such a connection can write to other tables while the writer writes to its own. */
  readonly aside?: { connect(): Promise<SqlConnection> };
  /** Other processes can read, or write, beside this one. */
  readonly sharing?: {
    /** As `StorageAdapter.externalVersion`. */
    externalVersion(): number;
    /** Reads the number of commits, as `Reader.version` tells it: one row of one whole number. */
    readonly version: Statement;
  };
  /** As `StorageAdapter.backup`. */
  readonly backup?: (path: string, signal?: AbortSignal) => Promise<void>;
  /** As `StorageAdapter.load`, of a store with these tables. */
  readonly load?: (tables: readonly Table[]) => Promise<EngineLoad>;
}

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
