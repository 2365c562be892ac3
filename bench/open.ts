import { type StorageAdapter, Swapfold } from '@swapfold/core';
import { duckdb } from '@swapfold/duckdb';
import { type SqliteOptions, sqlite } from '@swapfold/sqlite';
import { clickhouseStore } from './clickhouse.ts';
import type { Engine } from './files.ts';

/** How SQLite is opened, where not as it is by default. */
export type SqliteSettings = Omit<SqliteOptions, 'path'>;

const stores: Readonly<Record<Engine, (path: string, settings: SqliteSettings) => StorageAdapter>> = {
  sqlite: (path, settings) => sqlite({ path, ...settings }),
  duckdb: (path) => duckdb(path),
  clickhouse: (path) => clickhouseStore(path),
};

export async function openStore(engine: Engine, path: string, settings: SqliteSettings = {}): Promise<Swapfold> {
  return Swapfold.open({ storage: storageOf(engine, path, settings) });
}

export function storageOf(engine: Engine, path: string, settings: SqliteSettings = {}): StorageAdapter {
  return stores[engine](path, settings);
}
