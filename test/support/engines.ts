import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memory } from '@swapfold/core';
import type { StorageAdapter } from '@swapfold/core/engine';
import { duckdb } from '@swapfold/duckdb';
import { sqlite } from '@swapfold/sqlite';
import { isWhole } from './whole.ts';

/** A store of a test is so small that a second thread of DuckDB costs a fifth more of the processor and takes as long. */
const threads = isWhole ? {} : { threads: 1 };

/** Every engine a test runs on: a fresh store each, and the folder it lives in; `number` tells several stores of a folder apart. */
export const engines: Readonly<Record<string, (folder: string, number?: number) => StorageAdapter>> = {
  memory: () => memory(),
  sqlite: (folder, number = 0) => sqlite(join(folder, `store-${number}.db`)),
  duckdb: (folder, number = 0) => duckdb({ path: join(folder, `store-${number}.duckdb`), ...threads }),
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
