import { access } from 'node:fs/promises';
import { type ConfigInput, type OpenOptions, Swapfold, SwapfoldError } from '@swapfold/core';
import type { StorageAdapter } from '@swapfold/core/engine';
import { readConfigFile } from './config-file.ts';
import { isOfProfiles, mismatchForCommands, noteDifference } from './mismatch.ts';
import { type StoreUrl, showPath } from './options/store-url.ts';

/** The options that every command on a store has. */
export interface StoreOptions {
  readonly db: StoreUrl;
  readonly config?: string | undefined;
}

/** How a store is opened beside its configuration. */
type Opening = Pick<OpenOptions, 'metrics' | 'keep' | 'signal' | 'onProgress' | 'onSwaps'>;

/** Opens a store to write to it, or makes it, lends it to `work` and closes it. */
export async function withStore<R>(
  options: StoreOptions & Pick<OpenOptions, 'keep'>,
  work: (dex: Swapfold) => Promise<R>,
): Promise<R> {
  return lend(await openStore(options.db, await readConfigFile(options.config), { keep: options.keep }), work);
}

/** As `withStore`, for a store that has to be there. Errors: `invalid-input` if it is not. */
export async function withExistingStore<R>(options: StoreOptions, work: (dex: Swapfold) => Promise<R>): Promise<R> {
  await requireStore(options.db);
  return withStore(options, work);
}

/** As `withExistingStore`, for questions only. */
export async function withStoreToAsk<R>(options: StoreOptions, ask: (dex: Swapfold) => Promise<R>): Promise<R> {
  await requireStore(options.db);
  return lend(await openReader(options.db, await readConfigFile(options.config)), ask);
}

/**
 * Opens a store for reading only: other processes may read it, too, and one may write to it meanwhile (not on DuckDB).
 *
 * - Errors: `store-mismatch` where it was folded with other settings.
 */
export async function openReader(url: StoreUrl, config: ConfigInput | undefined): Promise<Swapfold> {
  return open(url, { storage: await readerOf(url), config });
}

/** Opens a store to write to it, or makes it. Errors: `store-mismatch` where it was folded with other settings. */
export async function openStore(
  url: StoreUrl,
  config: ConfigInput | undefined,
  opening: Opening = {},
): Promise<Swapfold> {
  return open(url, { ...opening, storage: await storageOf(url), config });
}

function open(url: StoreUrl, options: OpenOptions): Promise<Swapfold> {
  return Swapfold.open({ ...options, onDifference: noteDifference }).catch(
    mismatchForCommands(url, options.config !== undefined),
  );
}

/** Whether a store was folded again as it was opened. */
export interface Refolded {
  readonly dex: Swapfold;
  readonly wasRefolded: boolean;
}

/**
 * As `openStore`, and folds again what was folded with other settings.
 *
 * - `what`: only profiles, for label rules and metrics that differ, or all.
 * - `onRefold` is called before it begins.
 * - Errors: `store-mismatch` where swaps would have to be folded again, and only profiles may be.
 */
export async function openToRefold(
  url: StoreUrl,
  config: ConfigInput | undefined,
  options: Opening & { readonly what: 'profiles' | 'all'; readonly onRefold: (differences: SwapfoldError) => void },
): Promise<Refolded> {
  const { what, onRefold, ...opening } = options;
  try {
    return { dex: await openStore(url, config, opening), wasRefolded: false };
  } catch (error) {
    if (!(error instanceof SwapfoldError && error.code === 'store-mismatch')) throw error;
    if (what === 'profiles' && !isOfProfiles(error)) throw error;
    onRefold(error);
    const storage = await storageOf(url);
    return { dex: await Swapfold.open({ ...opening, storage, config, onMismatch: 'refold' }), wasRefolded: true };
  }
}

/** The adapter of a store that is only read. */
export async function readerOf({ engine, path }: StoreUrl): Promise<StorageAdapter> {
  switch (engine) {
    case 'sqlite':
      return (await import('@swapfold/sqlite')).sqlite({ path, read_only: true });
    case 'duckdb':
      return (await import('@swapfold/duckdb')).duckdb({ path, read_only: true });
    case 'clickhouse':
      return (await import('@swapfold/clickhouse')).clickhouse({ server: path, read_only: true });
  }
}

/** The adapter of a store. The engine is loaded when it is needed: each brings a native library. */
export async function storageOf({ engine, path }: StoreUrl): Promise<StorageAdapter> {
  switch (engine) {
    case 'sqlite':
      return (await import('@swapfold/sqlite')).sqlite(path);
    case 'duckdb':
      return (await import('@swapfold/duckdb')).duckdb(path);
    case 'clickhouse':
      return (await import('@swapfold/clickhouse')).clickhouse(path);
  }
}

/** Reading a store that is not there would make an empty one. Errors: `invalid-input` if there is none. */
export async function requireStore(url: StoreUrl): Promise<void> {
  try {
    await (url.engine === 'clickhouse' ? lookOnServer(url) : access(url.path));
  } catch (cause) {
    if (cause instanceof SwapfoldError && cause.code !== 'foreign-store') throw cause;
    const shown = showPath(url);
    throw new SwapfoldError(
      'invalid-input',
      `There is no store at ${shown}; "swapfold import swaps FILE --db ${url.engine}:${shown}" makes one.`,
      { cause },
    );
  }
}

/** Whether there is a store. Errors: the errors of a server that does not answer. */
export async function isStore(url: StoreUrl): Promise<boolean> {
  try {
    await requireStore(url);
    return true;
  } catch (error) {
    if (error instanceof SwapfoldError && error.code === 'invalid-input') return false;
    throw error;
  }
}

async function lookOnServer({ path }: StoreUrl): Promise<void> {
  const storage = (await import('@swapfold/clickhouse')).clickhouse({ server: path, read_only: true });
  try {
    await storage.open({ tables: [] });
  } finally {
    await storage.close();
  }
}

export async function lend<R>(dex: Swapfold, work: (dex: Swapfold) => Promise<R>): Promise<R> {
  try {
    return await work(dex);
  } finally {
    await dex.close();
  }
}
