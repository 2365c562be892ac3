import { type StorageAdapter, Swapfold } from '@swapfold/core';
import { duckdb } from '@swapfold/duckdb';
import { sqlite } from '@swapfold/sqlite';
import type { Engine } from './files.ts';

export async function openStore(engine: Engine, path: string): Promise<Swapfold> {
  const storage: StorageAdapter = engine === 'sqlite' ? sqlite(path) : duckdb(path);
  return Swapfold.open({ storage });
}
