import { setTimeout as sleep } from 'node:timers/promises';
import { SwapfoldError } from '@swapfold/core';
import { fileIdentity, requireOpenFiles, type StorageAdapter, storeFile } from '@swapfold/core/engine';
import { checkOptions, type OptionNames, show } from '@swapfold/core/host';
import { createNotices, createSqlAdapter, fragment, type SqlConnection, type SqlDriver } from '@swapfold/sql';
import Database from 'better-sqlite3';
import { backupFile } from './backup.ts';
import { type Checkpoints, createCheckpoints, LOG_BYTES } from './checkpoints.ts';
import { createConnection } from './connection.ts';
import { sqliteDialect } from './dialect.ts';
import { toSwapfoldError } from './failure.ts';
import type { SqliteHandle, SqliteStatement } from './handle.ts';
import { openReader, type ReaderOptions } from './open-reader.ts';
import { createOwnership, type Ownership } from './ownership.ts';
import { createScanner } from './scanner.ts';
import { createThreads } from './threads.ts';
import { takeWriterLock, type WriterLock } from './writer-lock.ts';

/** Options of `sqlite`. */
export interface SqliteOptions {
  /** File of the store; made when it is missing. */
  readonly path: string;
  /** Milliseconds to wait for a lock that another process holds. Default 5000. */
  readonly busy_timeout?: number;
  /** Kibibytes of pages each connection caches; a commit writes as many at once. Default 16,384. */
  readonly cache_kib?: number;
  /**
   * What a power cut may take: with 'normal' the last commits before it, with 'full' none, at the cost of a disk flush each. The store
   * stays whole with either, and a killed process loses nothing. Default 'normal'.
   */
  readonly synchronous?: 'normal' | 'full';
  /** Reads beside the one process that writes, and writes nothing. The store has to be there. Default false. */
  readonly read_only?: boolean;
  /**
   * Megabytes of the file from which on reads of many rows (searches, lists, loading caches) run on threads of their own, so that
   * they do not hold up the thread that calls. 0: always, Infinity: never. Default 64.
   */
  readonly threads_from_mb?: number;
}

const optionNames: OptionNames<SqliteOptions> = {
  path: true,
  busy_timeout: true,
  cache_kib: true,
  synchronous: true,
  read_only: true,
  threads_from_mb: true,
};

/** Snapshots that look rows up at the same time; on this thread SQLite runs one statement at a time. */
const READERS = 4;

/** Snapshots that read many rows at the same time, and so the threads for it. */
const SCANNERS = 4;

/**
 * A store in an SQLite file, through better-sqlite3.
 *
 * - `source`: the path of the file, options, or a better-sqlite3 `Database` of a file, which stays yours to close.
 * - The file is in WAL mode: snapshots read beside a running write. Writes and look-ups run on the thread that calls, in turns with others' work.
 * - One writer a store, over all processes: an empty file `<path>-lock` stands beside it while it is open. A writer that finds at a write
 *   that it is not the only one stores nothing more (`store-taken`).
 * - Errors: `store-locked` where another has it open for writing; `foreign-store` where the file is no SQLite database or one without
 *   Swapfold's tables; `linked-store` where the file has a second name; `too-many-files`, `disk-full`, `read-only`, `store-damaged`,
 *   `store-failed`; `invalid-config` for `:memory:`, which cannot be read beside a write: `memory()` of @swapfold/core is the store for that.
 *
 * @example
 * const dex = await Swapfold.open({ storage: sqlite('swaps.db') });
 */
export function sqlite(source: string | SqliteOptions | SqliteHandle): StorageAdapter {
  const handle = isHandle(source) ? source : undefined;
  const options: SqliteOptions =
    typeof source === 'string' ? { path: source } : isHandle(source) ? { path: source.name } : source;
  checkOptions('sqlite', options, optionNames);
  if (typeof options.path !== 'string')
    throw new SwapfoldError(
      'invalid-config',
      `sqlite: give the path of a file as \`path\`, not ${show(options.path)}.`,
    );
  if (handle?.memory || options.path === ':memory:' || options.path === '') {
    throw new SwapfoldError(
      'invalid-config',
      `sqlite cannot keep a store in ":memory:"; give it the path of a file, or use memory() of @swapfold/core.`,
    );
  }
  return createSqlAdapter(createDriver(options, handle));
}

/** Milliseconds between two looks whether a log can be emptied. */
const RETRY = 10;

function createDriver(options: SqliteOptions, given: SqliteHandle | undefined): SqlDriver {
  const { path, busy_timeout = 5000, cache_kib = 16_384, synchronous = 'normal', read_only = false } = options;
  const { threads_from_mb = 64 } = options;
  let lock: WriterLock | undefined;
  let writer: SqliteHandle | undefined;
  let dataVersion: SqliteStatement | undefined;
  let ownership: Ownership | undefined;
  let checkpoints: Checkpoints | undefined;
  let hasAccepted = false;
  let resolved: string | undefined;
  /** Which file the first connection opened. */
  let identity: string | undefined;
  const notices = createNotices();
  const threads = createThreads(path, notices.tell);

  function file(): string {
    resolved ??= storeFile(path);
    return resolved;
  }

  function reading(): ReaderOptions {
    return { path: file(), identity, timeout: busy_timeout, cacheKib: cache_kib };
  }

  function writing(handle: SqliteHandle, owned: boolean): SqlConnection {
    writer = handle;
    identity = fileIdentity(file());
    if (read_only) return createConnection(handle, owned);
    ownership = createOwnership(handle, path, file());
    checkpoints = createCheckpoints({ path: file(), timeout: busy_timeout, threads, handle, tell: notices.tell });
    return createConnection(handle, owned, async () => {
      await checkpoints?.close();
      if (!owned) giveBack(handle);
      await emptyLog(handle);
    });
  }

  /**
   * Brings what the log holds into the file, so that the file alone is the store; that of a store which was taken is another's. Readers are
   * waited for outside of SQLite: one of this thread could not end while SQLite waits.
   */
  async function emptyLog(handle: SqliteHandle): Promise<void> {
    const until = performance.now() + busy_timeout;
    const isHeld = (): boolean => handle.open && hasAccepted && ownership?.isHeld() === true;
    try {
      while (isHeld() && !isEmptied(handle) && performance.now() < until) await sleep(RETRY);
    } catch {
      // A disk without room: what is in the log stays there, for who opens the store next.
    }
  }

  return {
    engine: 'sqlite',
    dialect: sqliteDialect,
    readers: READERS,
    cursorsYieldTo: 'writes',
    isReadOnly: read_only,
    notices,

    async connect(role): Promise<SqlConnection> {
      if (role === 'writer') requireOpenFiles(path);
      if (role === 'writer' && !read_only) lock ??= takeWriterLock(file());
      if (role === 'reader') return createConnection(openReader(reading()), true);
      if (given) return writing(given, false);
      const handle = new Database(file(), { readonly: read_only, timeout: busy_timeout });
      handle.pragma(`cache_size = -${Math.floor(cache_kib)}`);
      return writing(handle, true);
    },

    async accept(): Promise<void> {
      writer?.pragma('journal_mode = wal');
      writer?.pragma(`synchronous = ${synchronous}`);
      writer?.pragma('wal_autocheckpoint = 0');
      writer?.pragma(`journal_size_limit = ${LOG_BYTES}`);
      ownership?.claim();
      hasAccepted = true;
    },

    transactions: {
      beginning: async () => checkpoints?.settled(),
      began: () => ownership?.check(),
      committing: (hasWritten) => ownership?.committing(hasWritten),
      ended(isCommitted) {
        if (!isCommitted) return;
        ownership?.committed();
        checkpoints?.committed();
      },
    },

    scanning: {
      most: SCANNERS,
      connect: async () => createScanner(reading(), threads_from_mb * 1e6, threads),
    },

    sharing: {
      /** SQLite counts the commits of other connections than the one that asks: the writer, which makes all of ours. */
      externalVersion(): number {
        dataVersion ??= writer?.prepare('pragma data_version').raw(true);
        const row = dataVersion?.get() as readonly number[] | undefined;
        return row?.[0] ?? 0;
      },
      version: fragment('select user_version from pragma_user_version'),
    },

    backup: (target, signal) => backupFile(reading(), target, signal),

    async close(): Promise<void> {
      writer = dataVersion = undefined;
      lock?.release();
      lock = undefined;
    },

    failure: (error) => toSwapfoldError(error, path),
  };
}

/** Sets what moves the log of a connection that was given as SQLite has it by itself. It is its owner's to close, at any time. */
function giveBack(handle: SqliteHandle): void {
  if (!handle.open) return;
  handle.pragma('wal_autocheckpoint = 1000');
  handle.pragma('journal_size_limit = -1');
}

/** Empties the log, unless somebody still reads from it; whether it is empty. */
function isEmptied(handle: SqliteHandle): boolean {
  const [{ timeout }] = handle.pragma('busy_timeout') as [{ timeout: number }];
  handle.pragma('busy_timeout = 0');
  try {
    const [{ busy }] = handle.pragma('wal_checkpoint(truncate)') as [{ busy: number }];
    return busy === 0;
  } finally {
    handle.pragma(`busy_timeout = ${timeout}`);
  }
}

function isHandle(source: string | SqliteOptions | SqliteHandle): source is SqliteHandle {
  return typeof source === 'object' && 'prepare' in source;
}
