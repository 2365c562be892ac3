import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memory, type StorageAdapter } from '@swapfold/core';
import { duckdb } from '@swapfold/duckdb';
import { sqlite } from '@swapfold/sqlite';

/** Every engine a test runs on: a fresh store each, and the folder it lives in. */
export const engines: Readonly<Record<string, (folder: string) => StorageAdapter>> = {
  memory: () => memory(),
  sqlite: (folder) => sqlite(join(folder, 'store.db')),
  duckdb: (folder) => duckdb(join(folder, 'store.duckdb')),
};

/** Runs `use` with a temporary folder that is gone afterwards. */
export async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'swapfold-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
