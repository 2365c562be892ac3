import { type StorageAdapter, Swapfold } from '@swapfold/core';
import { duckdb } from '@swapfold/duckdb';
import { sqlite } from '@swapfold/sqlite';
import { clickhouseStore } from './clickhouse.ts';
import type { Engine } from './files.ts';

const stores: Readonly<Record<Engine, (path: string) => StorageAdapter>> = {
  sqlite,
  duckdb,
  clickhouse: clickhouseStore,
};

export async function openStore(engine: Engine, path: string): Promise<Swapfold> {
  return Swapfold.open({ storage: stores[engine](path) });
}
