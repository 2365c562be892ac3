import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { duckdb } from '@swapfold/duckdb';
import { sqlite } from '@swapfold/sqlite';
import { memory } from '../packages/core/src/memory/memory.ts';
import type { Batch, Table } from '../packages/core/src/records/columns.ts';
import type { EntityKind } from '../packages/core/src/records/profile-fields.ts';
import type { SearchPage } from '../packages/core/src/search/page.ts';
import type { SearchContext, SearchRequest } from '../packages/core/src/search/plan.ts';
import { rowsInMemory, storedRows } from '../packages/core/src/search/rows.ts';
import type { StorageAdapter } from '../packages/core/src/storage/adapter.ts';
import { isIn } from '../packages/core/src/storage/predicate.ts';
import { cachedRows, replaceRows, searchProfiles, tableOf } from '../packages/core/test/search-fixtures.ts';

/** Where a search can be answered: an engine, or the rows that the process has cached. */
export interface Place {
  readonly name: string;
  search(request: SearchRequest, context: SearchContext): Promise<SearchPage>;
  /** Puts a row in the place of the one of the same id. */
  replace(row: Batch): Promise<void>;
  /** Puts all rows back. */
  restore(): Promise<void>;
}

/** One store an engine, each with the same rows of one table; `close` removes their files. */
export interface Stores {
  readonly stores: readonly StorageAdapter[];
  readonly places: readonly Place[];
  close(): Promise<void>;
}

export async function openStores(kind: EntityKind, rows: Batch): Promise<Stores> {
  const table = tableOf[kind];
  const directory = await mkdtemp(join(tmpdir(), 'swapfold-search-'));
  const stores = [memory(), sqlite(join(directory, 'search.db')), duckdb({ path: ':memory:', threads: 1 })];
  for (const store of stores) {
    await store.open({ tables: [table] });
    await store.write((writer) => writer.append(table, rows));
  }
  return {
    stores,
    places: [...stores.map((store) => placeOf(store, table, rows)), cachedPlace(kind, rows)],
    async close() {
      for (const store of stores) await store.close();
      await rm(directory, { recursive: true });
    },
  };
}

function placeOf(store: StorageAdapter, table: Table, rows: Batch): Place {
  return {
    name: store.engine,
    search: (request, context) =>
      store.snapshot((reader) => searchProfiles(storedRows(reader, table), request, context)),
    replace: (row) =>
      store.write(async (writer) => {
        await writer.remove(table, isIn('id', row.columns.id as Int32Array));
        await writer.append(table, row);
      }),
    restore: () =>
      store.write(async (writer) => {
        await writer.recreate(table);
        await writer.append(table, rows);
      }),
  };
}

function cachedPlace(kind: EntityKind, rows: Batch): Place {
  let cached = cachedRows(kind, rows);
  return {
    name: 'cached',
    search: (request, context) => searchProfiles(rowsInMemory(cached, context.yielder), request, context),
    async replace(row) {
      cached = replaceRows(cached, row);
    },
    async restore() {
      cached = cachedRows(kind, rows);
    },
  };
}
