import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { type StorageAdapter, Swapfold, swapField, swapFieldNames } from '@swapfold/core';
import { duckdb } from '@swapfold/duckdb';
import { sqlite } from '@swapfold/sqlite';
import type { Table } from '../packages/core/src/records/columns.ts';
import { swapsTable, walletRegistryTable } from '../packages/core/src/records/tables.ts';
import { answersOf } from './fixtures/old-stores/answers.ts';
import { withFolder } from './support/engines.ts';
import { frozenRequest } from './support/frozen.ts';

const unpacked = (name: string): Buffer =>
  gunzipSync(readFileSync(join(resolve(import.meta.dirname, 'fixtures/old-stores'), `${name}.gz`)));
const recorded = JSON.parse(unpacked('answers.json').toString()) as { swaps: object[] };
/** The fields that swaps have had since, of which the version knew nothing. */
const added = Object.fromEntries(
  swapFieldNames.flatMap((name) => (swapField(name).isAdded === true ? [[name, null]] : [])),
);
const written = { ...recorded, swaps: recorded.swaps.map((swap) => ({ ...swap, ...added })) };
const { config } = frozenRequest();

const stores: Readonly<Record<string, (path: string, readOnly: boolean) => StorageAdapter>> = {
  'sqlite.db': (path, readOnly) => sqlite({ path, read_only: readOnly }),
  'store.duckdb': (path, readOnly) => duckdb({ path, read_only: readOnly }),
};

/** The tables as a version has them that declared one more field each. */
function declareColumns(): void {
  for (const table of [swapsTable, walletRegistryTable] as unknown as { -readonly [K in keyof Table]: Table[K] }[]) {
    table.columns = { ...table.columns, extra_id: 'id', extra_number: 'double', extra_text: 'text' };
    table.added = [...(table.added ?? []), 'extra_id', 'extra_number', 'extra_text'];
  }
}

for (const [name, open] of Object.entries(stores))
  test(`${name} of an earlier version answers as that version did, and verifies clean`, () =>
    withFolder(async (folder) => {
      const path = join(folder, name);
      writeFileSync(path, unpacked(name));
      const dex = await Swapfold.open({ storage: open(path, false), config });
      assert.deepEqual(await answersOf(dex), written);
      assert.equal((await dex.verify()).different, 0);
      await dex.close();
    }));

for (const [name, open] of Object.entries(stores))
  test(`${name} of an earlier version gets the columns that were declared since when it is opened for writing`, () =>
    withFolder(async (folder) => {
      declareColumns();
      const path = join(folder, name);
      writeFileSync(path, unpacked(name));
      await assert.rejects(Swapfold.open({ storage: open(path, true), config }), {
        code: 'read-only',
        message: /table "swaps", "wallet_registry" lacks columns.* Open it for writing once\.$/,
      });
      assert.deepEqual(readFileSync(path), unpacked(name), 'a read-only open changes nothing');
      const migrated = await Swapfold.open({ storage: open(path, false), config });
      assert.deepEqual(await answersOf(migrated), written);
      const verified = await migrated.verify();
      assert.deepEqual([verified.different, verified.differences], [0, []]);
      assert.ok(verified.cells > 0);
      await migrated.close();
      const reader = await Swapfold.open({ storage: open(path, true), config });
      assert.deepEqual(await answersOf(reader), written);
      await reader.close();
    }));

for (const [name, open] of Object.entries(stores))
  test(`${name} of an earlier version is left as it was where adding the columns fails, and gets them the next time`, () =>
    withFolder(async (folder) => {
      declareColumns();
      const path = join(folder, name);
      writeFileSync(path, unpacked(name));
      const storage = open(path, false);
      const failing: StorageAdapter = {
        ...storage,
        write: (body) =>
          storage.write(async (writer) => {
            const added: string[] = [];
            return body({
              ...writer,
              async addColumns(table) {
                await writer.addColumns(table);
                if (added.push(table.name) === 2) throw new Error('the disk is full');
              },
            });
          }),
      };
      await assert.rejects(Swapfold.open({ storage: failing, config }), /the disk is full/);
      await storage.close();
      const left = open(path, true);
      await left.open({ tables: [swapsTable, walletRegistryTable] });
      const columns = await left.tables();
      assert.ok(!columns.get('swaps')!.includes('extra_id'));
      await left.close();
      const migrated = await Swapfold.open({ storage: open(path, false), config });
      assert.deepEqual(await answersOf(migrated), written);
      await migrated.close();
    }));
