import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { Swapfold } from '@swapfold/core';
import type { StorageAdapter } from '@swapfold/core/engine';
import { duckdb } from '@swapfold/duckdb';
import { sqlite } from '@swapfold/sqlite';
import Database from 'better-sqlite3';
import type { Table } from '../packages/core/src/records/columns.ts';
import { swapsTable, walletRegistryTable } from '../packages/core/src/records/tables.ts';
import { answersOf } from './fixtures/old-stores/answers.ts';
import { withFolder } from './support/engines.ts';
import { frozenRequest, openFrozenMarket } from './support/frozen.ts';

/** A file of a schema version. Most tests are of the oldest. */
const unpacked = (name: string, version = 3): Buffer =>
  gunzipSync(readFileSync(join(resolve(import.meta.dirname, `fixtures/old-stores/${version}`), `${name}.gz`)));

interface Answers {
  readonly tokens: { synced_at: unknown }[];
  readonly wallets: { synced_at: unknown }[];
}

const { config } = frozenRequest();

/** What a store answers. Profiles are folded by the wall clock of today. */
async function answersNow(dex: Swapfold): Promise<Answers> {
  const answers = (await answersOf(dex)) as Answers;
  for (const profile of [...answers.tokens, ...answers.wallets]) profile.synced_at = null;
  return answers;
}

/** What a store of today answers that is fed the same market: `golden.test.ts` compares it with an independent computation. */
const expected = await answersNow(await openFrozenMarket());

/** Opens a store and folds it again as this version does. */
function openRefolding(storage: StorageAdapter): Promise<Swapfold> {
  return Swapfold.open({ storage, config, onMismatch: 'refold' });
}

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
  test(`${name} of an earlier version is refused until it is folded again, and left as it was`, () =>
    withFolder(async (folder) => {
      const path = join(folder, name);
      writeFileSync(path, unpacked(name));
      for (const readOnly of [true, false])
        await assert.rejects(Swapfold.open({ storage: open(path, readOnly), config }), {
          code: 'store-mismatch',
          message: /"schema_version": the store has 3, .* or with onMismatch: 'refold' to fold everything again\.$/,
        });
      assert.deepEqual(readFileSync(path), unpacked(name));
    }));

for (const [name, open] of Object.entries(stores))
  for (const version of [3, 6, 7, 8])
    test(`${name} of schema version ${version} answers as a new store of its swaps, and verifies clean`, () =>
      withFolder(async (folder) => {
        const path = join(folder, name);
        writeFileSync(path, unpacked(name, version));
        const dex = await openRefolding(open(path, false));
        assert.deepEqual(await answersNow(dex), expected);
        assert.equal((await dex.verify()).different, 0);
        const sol = { token: config.quote_tokens!.find(({ kind }) => kind === 'native')!.address, usd_price: 100 };
        const { last_swap_at } = await dex.info();
        assert.equal((await dex.prices.upsert([{ ...sol, time: last_swap_at! }])).stored, 1);
        assert.equal((await dex.verify()).different, 0);
        // Folded from an index that the version did not have.
        const { wallet_address } = (await dex.wallets.search({ limit: 1 })).data[0]!;
        const options = { include_metrics: ['30d'] } as const;
        const { data } = await dex.positions.search({ filter: { wallet_address }, options });
        assert.ok(data.length > 0);
        for (const { metrics } of data) {
          const { trade_count, buy_count, sell_count } = metrics!['30d'] as unknown as Record<string, number>;
          assert.equal(buy_count! + sell_count!, trade_count);
        }
        await dex.close();
      }));

for (const [name, open] of Object.entries(stores))
  test(`${name} of an earlier version stores pools once it is opened for writing`, () =>
    withFolder(async (folder) => {
      const path = join(folder, name);
      writeFileSync(path, unpacked(name));
      const dex = await openRefolding(open(path, false));
      const { data } = await dex.swaps.list({ limit: 1 });
      const { swap_type: _, valued_by: __, ...newest } = data[0]!;
      const later = { ...newest, block_time: newest.block_time + 1, tx_hash: 'later', usd_amount_in: null };
      await dex.ingest([1, 2].map((n) => ({ ...later, swap_index: n, pool: `p${n}` })));
      const [trade, ...others] = (await dex.trades.list({ limit: 2 })).data;
      assert.deepEqual([trade!.pools, others[0]!.pools], [['p1', 'p2'], []]);
      assert.deepEqual((await dex.verify()).differences, []);
      await dex.close();
    }));

for (const [name, open] of Object.entries(stores))
  test(`${name} of an earlier version gets the columns that were declared since when it is opened for writing`, () =>
    withFolder(async (folder) => {
      declareColumns();
      const path = join(folder, name);
      writeFileSync(path, unpacked(name));
      await assert.rejects(openRefolding(open(path, true)), {
        code: 'read-only',
        message:
          /table "transactions", "swaps", "trades", "wallet_registry" lacks columns.* Open it for writing once\.$/,
      });
      assert.deepEqual(readFileSync(path), unpacked(name), 'a read-only open changes nothing');
      const migrated = await openRefolding(open(path, false));
      assert.deepEqual(await answersNow(migrated), expected);
      const verified = await migrated.verify();
      assert.deepEqual([verified.different, verified.differences], [0, []]);
      assert.ok(verified.cells > 0);
      await migrated.close();
      const reader = await openRefolding(open(path, true));
      assert.deepEqual(await answersNow(reader), expected);
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
      await assert.rejects(openRefolding(failing), /the disk is full/);
      await storage.close();
      const left = open(path, true);
      await left.open({ tables: [swapsTable, walletRegistryTable] });
      const columns = await left.tables();
      assert.ok(!columns.get('swaps')!.includes('extra_id'));
      await left.close();
      const migrated = await openRefolding(open(path, false));
      assert.deepEqual(await answersNow(migrated), expected);
      await migrated.close();
    }));

for (const onMismatch of ['refuse', 'refold'] as const)
  test(`a store that an earlier version made for one part of the wallets is refused, and left as it was (${onMismatch})`, () =>
    withFolder(async (folder) => {
      const path = join(folder, 'store.db');
      await (await Swapfold.open({ storage: sqlite(path), config })).close();
      const database = new Database(path);
      database.exec("update meta set value = json_set(value, '$.shard', '2/8') where name = 'folded_with'");
      const meta = () => database.prepare('select * from meta order by name').all();
      const before = meta();
      await assert.rejects(Swapfold.open({ storage: sqlite(path), config, onMismatch }), {
        code: 'foreign-store',
        message:
          'The store holds part "2/8" of the wallets alone, as earlier versions could import them. Import all swaps into a new store.',
      });
      assert.deepEqual(meta(), before);
      database.close();
    }));
