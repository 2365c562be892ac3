import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { SwapfoldError } from '@swapfold/core';
import { requireOpenFiles, type StorageAdapter, storeFile } from '@swapfold/core/engine';
import { checkOptions, type OptionNames, show } from '@swapfold/core/host';
import { createNotices, createSqlAdapter, type SqlConnection, type SqlDriver } from '@swapfold/sql';
import { backupFile } from './backup.ts';
import { createLoad } from './bulk/load.ts';
import { dropLoading } from './bulk/tables.ts';
import { createConnection } from './connection.ts';
import { duckdbDialect } from './dialect.ts';
import { toSwapfoldError } from './failure.ts';
import { createSorter, defaultSorting, type Sorting, sortedState } from './keep-sorted.ts';
import { isInMemory, type OwnInstance, openInstance } from './open-instance.ts';
import type { DuckdbInstance, DuckdbOptions } from './options.ts';
import { type Ownership, takeOwnership } from './ownership.ts';
import { dropSpilled } from './spill.ts';

/** Reading connections: one runs one query at a time, and more than four gain nothing. */
const READERS = 4;

const MARK = 'swapfold_writer';

/**
 * A store in a DuckDB file or in memory, through @duckdb/node-api.
 *
 * - `source`: a path, ':memory:', options, or a `DuckDBInstance`, which stays yours to close.
 * - Queries run on DuckDB's threads; `close` writes a checkpoint.
 * - Errors: `store-locked` where the file is open in another process, or a second time in this one: DuckDB gives a file to one process
 *   at a time; `store-taken` at a write, if another got in nevertheless; `linked-store` where the file has a second name; `foreign-store`
 *   if it is no DuckDB database or one without Swapfold's tables; `too-many-files`, `disk-full`, `read-only`, `store-damaged`, `store-failed`.
 *
 * @example
 * const dex = await Swapfold.open({ storage: duckdb('swaps.duckdb') });
 */
export function duckdb(source: string | DuckdbOptions | DuckdbInstance): StorageAdapter {
  return createSqlAdapter(createDriver(source, defaultSorting));
}

const optionNames: OptionNames<DuckdbOptions> = { path: true, threads: true, memory_limit: true, read_only: true };

/** The driver of a store, with its bounds on what may lie unsorted; `chunk` is how many swaps a load puts into order at once. */
export function createDriver(
  source: string | DuckdbOptions | DuckdbInstance,
  sorting: Sorting,
  chunk?: number,
): SqlDriver {
  if (typeof source !== 'string' && !isInstance(source)) checkOptions('duckdb', source, optionNames);
  const path = typeof source === 'string' ? source : isInstance(source) ? 'the given instance' : source.path;
  if (typeof path !== 'string')
    throw new SwapfoldError('invalid-config', `duckdb: give the path of a file as \`path\`, not ${show(path)}.`);
  const isReadOnly = typeof source === 'object' && 'path' in source && source.read_only === true;
  let own: OwnInstance | undefined;
  let ownership: Ownership | undefined;
  /** Where the path leads; `undefined` for what is no file of ours. */
  let file: string | undefined;
  let isAccepted = false;
  let making: Promise<void> | undefined;

  async function instance(): Promise<DuckdbInstance> {
    if (isInstance(source)) return source;
    if (own) return own;
    requireOpenFiles(path);
    file = isInMemory(path) ? undefined : storeFile(path);
    const options = typeof source === 'string' ? {} : source;
    own = await openInstance({ ...options, path: file ?? path }, () => refuseForeign(path, isReadOnly));
    return own;
  }

  /** A store that is refused is left as it was, and two transactions that each made it would not go together. */
  async function makeState(): Promise<void> {
    const connection = await (await instance()).connect();
    try {
      await connection.run(sortedState);
      ownership?.note();
    } catch (error) {
      making = undefined;
      throw error;
    } finally {
      connection.closeSync();
    }
  }

  async function connect(role: 'reader' | 'writer'): Promise<SqlConnection> {
    const connection = await (await instance()).connect();
    // Late materialisation reads a page a second time by its row ids, which leaves out no row group.
    await connection.run('set session late_materialization_max_rows = 0');
    const isWriter = role === 'writer' && !isReadOnly;
    if (isWriter) await markOpen(connection, path);
    if (isWriter && file !== undefined) {
      ownership = await ownershipOf(connection, path, file);
      dropSpilled(file);
    }
    return createConnection(connection, async () => {
      if (!isWriter) return;
      await connection.run(`detach ${MARK}`);
      // A file that was taken is another's. Without room for a checkpoint, what it would write stays in the log beside the file.
      if (ownership?.isHeld() ?? own) await connection.run('checkpoint').catch(() => undefined);
      ownership?.release();
    });
  }

  return {
    engine: 'duckdb',
    dialect: { ...duckdbDialect, sorting: createSorter(sorting) },
    readers: READERS,
    cursorsYieldTo: 'all',
    isReadOnly,
    notices: createNotices(),

    connect,

    transactions: {
      /** Each has the memory that the file needs by then. */
      async beginning() {
        await own?.growMemory();
        ownership?.check();
        if (isAccepted) making ??= makeState();
        await making;
      },
      began: () => ownership?.began(),
      committing: () => ownership?.check(),
      ended: () => ownership?.ended(),
    },

    aside: { connect: () => connect('reader') },

    backup: async (target, signal) => backupFile(await (await instance()).connect(), target, signal),

    /** Drops what a load left in the file that did not come to its end. */
    async accept() {
      const connection = await (await instance()).connect();
      await dropLoading(createConnection(connection));
      ownership?.note();
      connection.closeSync();
      isAccepted = true;
    },

    async load(tables) {
      const store = await instance();
      ownership?.check();
      return createLoad(() => store.connect(), {
        tables,
        chunk,
        hasWritten: () => ownership?.note(),
        failure: (error) => toSwapfoldError(error, path),
      });
    },

    async close() {
      own?.closeSync();
      own = undefined;
    },

    failure: (error) => toSwapfoldError(error, path),
  };
}

/**
 * Notes in the instance itself, by an empty database in memory, that it has its writer: handles of one process share the instance of a
 * file, and two that write would not know of each other's ids.
 */
async function markOpen(connection: DuckDBConnection, path: string): Promise<void> {
  try {
    await connection.run(`attach ':memory:' as ${MARK}`);
  } catch (cause) {
    connection.closeSync();
    if (!String((cause as Error).message).includes('already exists')) throw cause;
    throw new SwapfoldError(
      'store-locked',
      `"${path}" is open a second time in this process; close the other handle.`,
      {
        cause,
      },
    );
  }
}

/** Without room for the lock file there is no writer, whose mark would keep the next one out. */
async function ownershipOf(connection: DuckDBConnection, path: string, file: string): Promise<Ownership> {
  try {
    return takeOwnership(path, file);
  } catch (error) {
    await connection.run(`detach ${MARK}`);
    connection.closeSync();
    throw error;
  }
}

/** DuckDB would take an SQLite file for a reason to download an extension. */
async function refuseForeign(path: string, isReadOnly: boolean): Promise<void> {
  const file = await open(path).catch(() => undefined);
  if (!file) {
    if (isReadOnly && !existsSync(path)) throw new SwapfoldError('read-only', `There is no file "${path}" to read.`);
    return;
  }
  try {
    if ((await file.stat()).isDirectory())
      throw new SwapfoldError('foreign-store', `"${path}" is a folder, not a file.`);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(12), 0, 12, 0);
    if (bytesRead > 0 && buffer.toString('latin1', 8, 12) !== 'DUCK') {
      throw new SwapfoldError('foreign-store', `"${path}" is not a DuckDB database.`);
    }
  } finally {
    await file.close();
  }
}

function isInstance(source: string | DuckdbOptions | DuckdbInstance): source is DuckdbInstance {
  return typeof source === 'object' && source !== null && 'connect' in source;
}
