import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { type StorageAdapter, Swapfold, swapField, swapFieldNames } from '@swapfold/core';
import { duckdb } from '@swapfold/duckdb';
import { sqlite } from '@swapfold/sqlite';
import Database from 'better-sqlite3';
import type { Table } from '../packages/core/src/records/columns.ts';
import { swapsTable, walletRegistryTable } from '../packages/core/src/records/tables.ts';
import { answersOf } from './fixtures/old-stores/answers.ts';
import { withFolder } from './support/engines.ts';
import { frozenRequest } from './support/frozen.ts';

/** A file of a schema version. Most tests are of the oldest. */
const unpacked = (name: string, version = 3): Buffer =>
  gunzipSync(readFileSync(join(resolve(import.meta.dirname, `fixtures/old-stores/${version}`), `${name}.gz`)));

interface Answers {
  readonly swaps: object[];
  readonly trades: object[];
  readonly tokens: { synced_at: unknown }[];
  readonly wallets: { synced_at: unknown; metrics: Record<string, Record<string, unknown>> }[];
}

const recorded = withoutFoldTime(JSON.parse(unpacked('answers.json').toString()) as Answers);
/** The fields that swaps have had since, of which the version knew nothing. */
const added = Object.fromEntries(
  swapFieldNames.flatMap((name) => (swapField(name).isAdded === true ? [[name, null]] : [])),
);
const written = {
  ...recorded,
  swaps: recorded.swaps.map((swap) => ({ ...swap, ...added })),
  trades: recorded.trades.map((trade) => ({ ...trade, pools: [] })),
};
const { config } = frozenRequest();

/** The metrics that wallets have had since. */
const since = ['winrate_low', 'winrate_high', 'pnl_without_best', 'best_token_share', 'days_active'];

/** What a store answers, of what the version that recorded it knew. */
async function knownAnswersOf(dex: Swapfold): Promise<unknown> {
  const answers = withoutFoldTime((await answersOf(dex)) as Answers);
  for (const { metrics } of answers.wallets)
    for (const held of Object.values(metrics))
      for (const name of since) {
        assert.ok(name in held);
        delete held[name];
      }
  return answers;
}

/** The profiles are folded by the wall clock of today. */
function withoutFoldTime(answers: Answers): Answers {
  for (const profile of [...answers.tokens, ...answers.wallets]) profile.synced_at = null;
  return answers;
}

/** Opens a store and folds the profiles with the metrics of today. */
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
  test(`${name} of an earlier version is refused until its profiles are folded with the metrics added since, and left as it was`, () =>
    withFolder(async (folder) => {
      const path = join(folder, name);
      writeFileSync(path, unpacked(name));
      for (const readOnly of [true, false])
        await assert.rejects(Swapfold.open({ storage: open(path, readOnly), config }), {
          code: 'store-mismatch',
          message: /"metrics": added "winrate_low", .* or with onMismatch: 'refold' to fold the profiles again\.$/,
        });
      assert.deepEqual(readFileSync(path), unpacked(name));
    }));

for (const [name, open] of Object.entries(stores))
  test(`${name} of an earlier version answers as that version did, and verifies clean`, () =>
    withFolder(async (folder) => {
      const path = join(folder, name);
      writeFileSync(path, unpacked(name));
      const dex = await openRefolding(open(path, false));
      assert.deepEqual(await knownAnswersOf(dex), written);
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
      const { swap_type: _, ...newest } = data[0]!;
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
        message: /table "swaps", "trades", "wallet_registry" lacks columns.* Open it for writing once\.$/,
      });
      assert.deepEqual(readFileSync(path), unpacked(name), 'a read-only open changes nothing');
      const migrated = await openRefolding(open(path, false));
      assert.deepEqual(await knownAnswersOf(migrated), written);
      const verified = await migrated.verify();
      assert.deepEqual([verified.different, verified.differences], [0, []]);
      assert.ok(verified.cells > 0);
      await migrated.close();
      const reader = await openRefolding(open(path, true));
      assert.deepEqual(await knownAnswersOf(reader), written);
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
      assert.deepEqual(await knownAnswersOf(migrated), written);
      await migrated.close();
    }));

for (const [name, open] of Object.entries(stores))
  test(`${name} of schema version 6 is opened as it is, with the indexes of today, and answers as that version did`, () =>
    withFolder(async (folder) => {
      const path = join(folder, name);
      writeFileSync(path, unpacked(name, 6));
      const dex = await Swapfold.open({ storage: open(path, false), config });
      assert.deepEqual(await answersOf(dex), JSON.parse(unpacked('answers.json', 6).toString()));
      assert.equal((await dex.verify()).different, 0);
      const all = (await dex.positions.search({ limit: 100 })).data;
      const { wallet_address } = all[0]!;
      const own = (await dex.positions.search({ filter: { wallet_address }, limit: 100 })).data;
      assert.deepEqual(
        own.filter(({ position_address }) => all.some((other) => other.position_address === position_address)),
        all.filter((position) => position.wallet_address === wallet_address),
      );
      await dex.close();
      if (name !== 'sqlite.db') return;
      const indexes = new Database(path)
        .prepare("select name from sqlite_master where tbl_name = 'position_profiles'")
        .pluck()
        .all();
      assert.ok(indexes.includes('position_profiles_by_token') && !indexes.includes('position_profiles_by_wallet'));
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
