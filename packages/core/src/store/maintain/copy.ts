import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { invalidInput, SwapfoldError } from '../../errors.ts';
import { carriedTablesOf, readHorizon } from '../../ingest/carried.ts';
import { everything } from '../../ingest/changes.ts';
import { type Batch, columnsOf, type Table } from '../../records/columns.ts';
import {
  fixedTables,
  metaTable,
  referencePricesTable,
  swapsTable,
  tokenRegistryTable,
  transfersTable,
  walletRegistryTable,
} from '../../records/tables.ts';
import { type CallOptions, throwIfAborted, untilAborted } from '../../storage/abortable.ts';
import { ascending, type Reader, type StorageAdapter, type Writer } from '../../storage/adapter.ts';
import { readPlaces, writeMeta } from '../../storage/meta.ts';
import type { CopyOptions } from '../../swapfold-options.ts';
import { mismatchError, mismatchesOf } from '../open/folding.ts';
import { configText } from '../open/remembered-config.ts';
import type { StoreSession } from '../open/session.ts';

/** As `Swapfold.copyFrom`. */
export async function copyStore(
  session: StoreSession,
  source: StoreSession,
  { signal, onRows }: CopyOptions,
): Promise<{ readonly swaps: number; readonly rows: number }> {
  const mismatches = mismatchesOf(source.folding, session.folding);
  if (mismatches.length > 0)
    throw mismatchError(mismatches, 'Open the store to copy and the new one with the same configuration and metrics.');
  const { shapes } = session;
  return source.storage.snapshot((reader) =>
    session.write({ signal, changes: { ...everything(), isReplacing: true } }, async (writer) => {
      if ((await writer.max(swapsTable, 'seq')) !== null) throw invalidInput('A store is copied into an empty one.');
      if ((await writer.count(transfersTable)) > 0)
        throw invalidInput('A store is copied into an empty one; this one has transfers.');
      if ((await writer.count(tokenRegistryTable)) + (await writer.count(walletRegistryTable)) > 0)
        throw invalidInput('A store is copied into an empty one; this one has a registry.');
      if ((await writer.count(referencePricesTable)) + (await readPlaces(writer)).length > 0)
        throw invalidInput('A store is copied into an empty one; this one has reference prices, or follows a source.');
      const carried = carriedTablesOf(await readHorizon(reader));
      const tables = [...fixedTables, ...carried, ...Object.values(shapes).map(({ table }) => table)];
      const rows = await copyTables(untilAborted(reader, signal), writer, tables, onRows);
      await writeMeta(writer, { config: configText(session.config) });
      return { rows, swaps: await writer.count(swapsTable) };
    }),
  );
}

/** Copies the rows of whole tables, in the order of their keys, in place of those there were. Shape: the number of rows. */
export async function copyTables(
  from: Reader,
  to: Writer,
  tables: readonly Table[],
  onRows?: (rows: number) => void,
): Promise<number> {
  let rows = 0;
  for (const table of tables) {
    await to.recreate(table);
    for await (const batch of from.stream({ table, columns: columnsOf(table), order: ascending(...table.key) })) {
      await to.append(table, batch as Batch);
      rows += batch.length;
      onRows?.(rows);
    }
  }
  return rows;
}

/** What `backup` has written. */
export interface BackupResult {
  /** Absolute path of the copy. */
  readonly path: string;
  readonly bytes: number;
}

/**
 * Writes a copy of an open store as it is at one commit. The file has its name only when it is whole and flushed to the disk.
 *
 * - Errors: `invalid-input` if something stands at the path or its folder is missing; `unsupported-by-engine` if the engine's stores are
 *   not files; `disk-full`, `read-only`, `store-damaged`, `store-failed`; `aborted`. A copy that failed leaves no file.
 */
export async function backupStore(
  storage: StorageAdapter,
  path: string,
  signal?: AbortSignal | undefined,
): Promise<BackupResult> {
  if (typeof path !== 'string' || path === '') throw invalidInput('Give the path of the file that the copy is to be.');
  if (storage.backup === undefined)
    throw new SwapfoldError(
      'unsupported-by-engine',
      `A ${storage.engine} store is no file that Swapfold could copy. Copy it to another store (copyFrom, "swapfold copy"), or use the tools of the engine.`,
    );
  const target = resolve(path);
  refuseTaken(target);
  const part = `${target}.partial`;
  try {
    throwIfAborted(signal);
    await rm(part, { force: true });
    await storage.backup(part, signal);
    throwIfAborted(signal);
    const bytes = await flush(part);
    refuseTaken(target);
    await rename(part, target);
    await flushFolder(dirname(target));
    return { path: target, bytes };
  } catch (error) {
    throwIfAborted(signal);
    throw error;
  } finally {
    for (const rest of ['', '.wal', '-wal', '-shm', '-journal']) await rm(`${part}${rest}`, { force: true });
  }
}

/**
 * As `Swapfold.backup`, of a store that this process does not have open, whatever its configuration is. Closes the storage.
 *
 * @example
 * await backup(sqlite({ path: 'dex.db', read_only: true }), 'dex-backup.db');
 */
export async function backup(
  storage: StorageAdapter,
  path: string,
  { signal }: CallOptions = {},
): Promise<BackupResult> {
  try {
    if ((await storage.open({ tables: [metaTable] })) === 'created') throw invalidInput('There is no store to copy.');
    return await backupStore(storage, path, signal);
  } finally {
    await storage.close();
  }
}

function refuseTaken(target: string): void {
  if (!existsSync(dirname(target))) throw invalidInput(`There is no folder "${dirname(target)}"; make it first.`);
  // A log beside it belongs to a store that has had this name: the engine would apply it to the copy.
  for (const rest of ['', '-wal', '.wal'])
    if (existsSync(`${target}${rest}`))
      throw invalidInput(`"${target}${rest}" exists already. Give the copy another name, or remove that file.`);
}

/** Shape: the file's bytes. */
async function flush(path: string): Promise<number> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}

async function flushFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
