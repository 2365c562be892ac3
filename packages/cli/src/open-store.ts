import { access } from 'node:fs/promises';
import { type ConfigInput, type OpenOptions, type StorageAdapter, Swapfold, SwapfoldError } from '@swapfold/core';
import { readConfigFile } from './config-file.ts';
import { type StoreUrl, showPath } from './options/store-url.ts';

/** The options that every command on a store has. */
export interface StoreOptions {
  readonly db: StoreUrl;
  readonly config?: string | undefined;
  /** The part of the wallets that the store is of. */
  readonly shard?: Shard | undefined;
}

type Shard = NonNullable<OpenOptions['shard']>;

/** Opens a store, or makes it, lends it to `work` and closes it. */
export async function withStore<R>(options: StoreOptions, work: (dex: Swapfold) => Promise<R>): Promise<R> {
  return lend(await openStore(options.db, await readConfigFile(options.config), options.shard), work);
}

/** As `withExistingStore`, for questions only. */
export async function withStoreToAsk<R>(options: StoreOptions, ask: (dex: Swapfold) => Promise<R>): Promise<R> {
  await requireStore(options.db);
  return lend(await openToAsk(options.db, await readConfigFile(options.config)), ask);
}

/** As `withStore`, for a store that has to be there. Errors: `invalid-input` where it is not. */
export async function withExistingStore<R>(options: StoreOptions, work: (dex: Swapfold) => Promise<R>): Promise<R> {
  await requireStore(options.db);
  return withStore(options, work);
}

/**
 * Opens a store to ask it: for reading only, where another process may be writing to it meanwhile (not on DuckDB), unless it has to be
 * folded again first.
 */
export async function openToAsk(url: StoreUrl, config: ConfigInput | undefined): Promise<Swapfold> {
  if (url.engine === 'duckdb') return openStore(url, config);
  try {
    return await openReader(url, config);
  } catch (error) {
    if (!(error instanceof SwapfoldError && error.code === 'read-only')) throw error;
    return openStore(url, config);
  }
}

/** Opens a store for reading only. Errors: `read-only` where it has to be folded again first. */
export async function openReader(url: StoreUrl, config: ConfigInput | undefined): Promise<Swapfold> {
  return Swapfold.open({ storage: await readerOf(url), config });
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

export async function openStore(
  url: StoreUrl,
  config: ConfigInput | undefined,
  shard?: Shard | undefined,
): Promise<Swapfold> {
  return Swapfold.open({ storage: await storageOf(url), config, shard });
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

/** Opens a store to serve it. On ClickHouse that leaves the write to the process that imports. */
export async function openToServe(url: StoreUrl, config: ConfigInput | undefined): Promise<Swapfold> {
  return url.engine === 'clickhouse' ? openToAsk(url, config) : openStore(url, config);
}

/** Reading a store that is not there would make an empty one. Errors: `invalid-input` where there is none. */
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
