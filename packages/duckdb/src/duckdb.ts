import { open } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { createSqlAdapter, type SqlDriver, type StorageAdapter, SwapfoldError } from '@swapfold/core';
import { createConnection } from './connection.ts';
import { duckdbDialect } from './dialect.ts';
import { createSorter, defaultSorting, type Sorting } from './keep-sorted.ts';
import { type OwnInstance, openInstance } from './open-instance.ts';

export interface DuckdbOptions {
  /** File of the store, made when it is missing, or ':memory:'. */
  readonly path: string;
  /** Threads that DuckDB runs queries on. Default: one a core. */
  readonly threads?: number;
  /** Memory that DuckDB may use before it spills to disk, as in '4GB'. Default: 80 % of the machine's. */
  readonly memory_limit?: string;
}

/** What Swapfold uses of a `DuckDBInstance`. */
export interface DuckdbInstance {
  connect(): Promise<DuckDBConnection>;
}

/** Reading connections: one runs one query at a time, and more than four gain nothing. */
const READERS = 4;

/**
 * A store in a DuckDB file or in memory, through @duckdb/node-api.
 *
 * - `source`: a path, ':memory:', options, or a `DuckDBInstance`, which stays yours to close.
 * - Queries run on DuckDB's threads; `close` writes a checkpoint.
 * - Errors: `foreign-store` where the file is no DuckDB database or one without Swapfold's tables; `store-failed`, also where another
 *   process has the file open: DuckDB gives a file to one process at a time.
 *
 * @example
 * const store = duckdb('swaps.duckdb');
 * await store.open({ tables: fixedTables }); // 'created'
 */
export function duckdb(source: string | DuckdbOptions | DuckdbInstance): StorageAdapter {
  return createSqlAdapter(createDriver(source, defaultSorting));
}

/** The driver of a store, with its bounds on what may lie unsorted. */
export function createDriver(source: string | DuckdbOptions | DuckdbInstance, sorting: Sorting): SqlDriver {
  const path = typeof source === 'string' ? source : isInstance(source) ? 'the given instance' : source.path;
  let own: OwnInstance | undefined;

  async function ownInstance(given: string | DuckdbOptions): Promise<OwnInstance> {
    if (own) return own;
    await refuseForeign(path);
    own = await openInstance(typeof given === 'string' ? { path: given } : given);
    return own;
  }

  return {
    engine: 'duckdb',
    dialect: duckdbDialect,
    readers: READERS,
    cursorsYieldTo: 'all',

    async connect(role) {
      const connection = await (isInstance(source) ? source : await ownInstance(source)).connect();
      // Late materialisation reads a page a second time by its row ids, which leaves out no row group.
      await connection.run('set session late_materialization_max_rows = 0');
      return createConnection(connection, async () => {
        if (role === 'writer' && own) await connection.run('checkpoint');
      });
    },

    async close() {
      own?.closeSync();
      own = undefined;
    },

    keepSorted: createSorter(sorting),

    failure: (error) => toSwapfoldError(error, path),
  };
}

/** DuckDB would take an SQLite file for a reason to download an extension. */
async function refuseForeign(path: string): Promise<void> {
  const file = await open(path).catch(() => undefined);
  if (!file) return;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(12), 0, 12, 0);
    if (bytesRead > 0 && buffer.toString('latin1', 8, 12) !== 'DUCK') {
      throw new SwapfoldError('foreign-store', `"${path}" is not a DuckDB database.`);
    }
  } finally {
    await file.close();
  }
}

function isInstance(source: string | DuckdbOptions | DuckdbInstance): source is DuckdbInstance {
  return typeof source === 'object' && 'connect' in source;
}

function toSwapfoldError(cause: unknown, path: string): SwapfoldError {
  const message = String((cause as { message?: unknown }).message ?? cause);
  if (message.includes('not a valid DuckDB database file')) {
    return new SwapfoldError('foreign-store', `"${path}" is not a DuckDB database.`, { cause });
  }
  if (message.includes('Could not set lock on file')) {
    const holder = /\(PID \d+\)/.exec(message)?.[0] ?? '';
    return new SwapfoldError(
      'store-failed',
      `"${path}" is open in another process ${holder}; DuckDB gives a file to one process at a time.`,
      { cause },
    );
  }
  return new SwapfoldError('store-failed', `DuckDB failed on "${path}": ${message}`, { cause });
}
