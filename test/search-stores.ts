import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { duckdb } from '@swapfold/duckdb';
import { sqlite } from '@swapfold/sqlite';
import { memory } from '../packages/core/src/memory/memory.ts';
import type { Batch, Table } from '../packages/core/src/records/columns.ts';
import type { StorageAdapter } from '../packages/core/src/storage/adapter.ts';

/** One store an engine, each with the same rows of one table; `close` removes their files. */
export interface Stores {
  readonly stores: readonly StorageAdapter[];
  close(): Promise<void>;
}

export async function openStores(table: Table, rows: Batch): Promise<Stores> {
  const directory = await mkdtemp(join(tmpdir(), 'swapfold-search-'));
  const stores = [memory(), sqlite(join(directory, 'search.db')), duckdb({ path: ':memory:', threads: 1 })];
  for (const store of stores) {
    await store.open({ tables: [table] });
    await store.write((writer) => writer.append(table, rows));
  }
  return {
    stores,
    async close() {
      for (const store of stores) await store.close();
      await rm(directory, { recursive: true });
    },
  };
}
