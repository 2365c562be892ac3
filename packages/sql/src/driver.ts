import type { BulkLoad, Table } from '@swapfold/core/engine';
import type { SqlConnection } from './connection.ts';
import type { Dialect } from './dialect.ts';
import type { Notices } from './notices.ts';
import type { SessionDriver } from './session.ts';
import type { Statement } from './statement.ts';

/** What an engine's client does for `createSqlAdapter`: connections, and how its errors read. */
export interface SqlDriver extends SessionDriver {
  /** Name of the engine, as in `StorageAdapter.engine`. */
  readonly engine: string;
  readonly dialect: Dialect;
  /** Reading connections to keep; more snapshots wait. */
  readonly readers: number;
  /** As `StorageAdapter.isReadOnly`. */
  readonly isReadOnly: boolean;
  /** Receives what fails without denying any call: what follows a commit, or work that goes on otherwise. */
  readonly notices: Notices;
  /** A connection of its own. The first one is the writer and makes or opens the store. */
  connect(role: 'reader' | 'writer'): Promise<SqlConnection>;
  /** The store has turned out to be Swapfold's, or new: from here on the driver may change settings that stay in the file. */
  accept(): Promise<void>;
  /** After all connections are closed. */
  close(): Promise<void>;
  /** What it does around each transaction that writes, by the writer or aside. */
  readonly transactions?: {
    /** Before it begins. */
    beginning(): Promise<void>;
    /** In it; it is undone if this throws. */
    began(): void;
    /** In it, before its commit; `hasWritten`: whether something was run or appended. It is undone if this throws. */
    committing(hasWritten: boolean): void;
    /** Once it is committed or undone. What it throws is told, and denies no commit. */
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

/** What an engine does of a `BulkLoad`. Its errors are Swapfold's. */
export interface EngineLoad extends BulkLoad {
  /** Puts the filled tables in the place of the store's, inside the transaction of `WritableLoad.write`. */
  readonly publish: readonly Statement[];
  /** Ends it, and drops what was not published. */
  close(): Promise<void>;
}
