import {
  createSqlAdapter,
  type SqlConnection,
  type SqlDriver,
  type StorageAdapter,
  SwapfoldError,
} from '@swapfold/core';
import Database from 'better-sqlite3';
import { createConnection } from './connection.ts';
import { sqliteDialect } from './dialect.ts';
import type { SqliteHandle, SqliteStatement } from './handle.ts';

export interface SqliteOptions {
  /** File of the store; made when it is missing. */
  readonly path: string;
  /** Milliseconds to wait for a lock that another process holds. Default 5000. */
  readonly busy_timeout?: number;
  /** Kibibytes of pages each connection caches. Default 65,536. */
  readonly cache_kib?: number;
}

/** Snapshots that read at the same time; SQLite itself runs one statement at a time on this thread. */
const READERS = 4;

/**
 * A store in an SQLite file, through better-sqlite3.
 *
 * - `source`: the path of the file, options, or a better-sqlite3 `Database` of a file, which stays yours to close.
 * - The file is in WAL mode: snapshots read beside a running write. Statements run on the thread that calls.
 * - Errors: `store-failed`; `foreign-store` where the file is no SQLite database or one without Swapfold's tables;
 *   `invalid-config` for `:memory:`, which cannot be read beside a write: `memory()` of @swapfold/core is the store for that.
 *
 * @example
 * const store = sqlite('swaps.db');
 * await store.open({ tables: fixedTables }); // 'created'
 */
export function sqlite(source: string | SqliteOptions | SqliteHandle): StorageAdapter {
  const handle = isHandle(source) ? source : undefined;
  const options: SqliteOptions =
    typeof source === 'string' ? { path: source } : isHandle(source) ? { path: source.name } : source;
  if (handle?.memory || options.path === ':memory:' || options.path === '') {
    throw new SwapfoldError(
      'invalid-config',
      `sqlite cannot keep a store in ":memory:"; give it the path of a file, or use memory() of @swapfold/core.`,
    );
  }
  return createSqlAdapter(createDriver(options, handle));
}

function createDriver(options: SqliteOptions, given: SqliteHandle | undefined): SqlDriver {
  const { path, busy_timeout = 5000, cache_kib = 65_536 } = options;
  let writer: SqliteHandle | undefined;
  let dataVersion: SqliteStatement | undefined;

  return {
    engine: 'sqlite',
    dialect: sqliteDialect,
    readers: READERS,
    cursorsYieldTo: 'writes',

    async connect(role): Promise<SqlConnection> {
      if (role === 'writer' && given) {
        writer = given;
        return createConnection(given, false);
      }
      const handle = new Database(path, { readonly: role === 'reader', timeout: busy_timeout });
      handle.pragma(`cache_size = -${Math.floor(cache_kib)}`);
      if (role === 'writer') writer = handle;
      return createConnection(handle, true);
    },

    async accept(): Promise<void> {
      writer?.pragma('journal_mode = wal');
      writer?.pragma('synchronous = normal');
    },

    /** SQLite counts the commits of other connections than the one that asks: the writer, which makes all of ours. */
    foreignVersion(): number {
      dataVersion ??= writer?.prepare('pragma data_version').raw(true);
      const [row] = dataVersion?.iterate() ?? [];
      return (row as readonly number[] | undefined)?.[0] ?? 0;
    },

    async close(): Promise<void> {
      writer = dataVersion = undefined;
    },

    failure: (error) => toSwapfoldError(error, path),
  };
}

function isHandle(source: string | SqliteOptions | SqliteHandle): source is SqliteHandle {
  return typeof source === 'object' && 'prepare' in source;
}

function toSwapfoldError(cause: unknown, path: string): SwapfoldError {
  const { code, message } = cause as { code?: unknown; message?: unknown };
  if (code === 'SQLITE_NOTADB') {
    return new SwapfoldError('foreign-store', `"${path}" is not an SQLite database.`, { cause });
  }
  if (code === 'SQLITE_BUSY' || code === 'SQLITE_BUSY_SNAPSHOT') {
    return new SwapfoldError('store-failed', `"${path}" is locked by another connection or process.`, { cause });
  }
  return new SwapfoldError('store-failed', `SQLite failed on "${path}": ${String(message ?? cause)}`, { cause });
}
