import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { memory, Swapfold } from '@swapfold/core';
import type { StorageAdapter, Table } from '@swapfold/core/engine';
import { sqlite } from '@swapfold/sqlite';
import Database from 'better-sqlite3';
import { counted } from './support/counted.ts';
import { engines, withFolder } from './support/engines.ts';
import { smallMarket } from './support/market.ts';
import { cases } from './support/whole.ts';

const { swaps, config, market } = smallMarket({
  seed: 5,
  swaps: cases(2400, 500),
  wallets: cases(60, 20),
  tokens: cases(14, 10),
  days: 40,
});
/** Swaps between two refreshes. */
const STEP = cases(240, 250);
const registry = [...market.tokens()];
const wallets = [...new Set(swaps.map((swap) => swap.wallet))].slice(0, 5);
const tokens = registry.slice(0, 5).map(({ address }) => address);

/** A question to the stored profiles: the name of the operation and its request. */
type Question = readonly [operation: string, request: object];

/** What of a wallet its profile alone has. */
const stored = {
  include_metadata: true,
  include_identity: true,
  include_labels: true,
  include_metrics: ['30d', '7d', '1d'],
};

const questions: readonly Question[] = [
  ['wallets.search', {}],
  ['wallets.search', { limit: 7, sort: { field: 'metrics.30d.volume', direction: 'asc' }, explain: true }],
  [
    'wallets.search',
    {
      filter: { 'metrics.7d.pnl': { $gt: 0 }, 'metadata.idle': { $lt: 864_000 }, labels: { $nin: ['degen'] } },
      sort: [{ field: 'metrics.1d.trade_count' }, { field: 'metrics.7d.pnl', direction: 'asc' }],
      dynamic_labels: { busy: { 'metrics.7d.trade_count': { $gte: 3 } } },
      options: { include_metrics: ['7d'], include_labels: true },
    },
  ],
  ['wallets.search', { filter: { wallet_address: { $in: wallets } }, options: { include_metadata: true } }],
  ['wallets.search', { query: { text: wallets[0]!.slice(0, 2), autocomplete: true } }],
  ['tokens.search', { explain: true }],
  ['tokens.search', { query: { text: 'a', autocomplete: true, fuzzy: true }, sort: { field: 'metrics.7d.volume' } }],
  ['tokens.search', { filter: { $or: [{ 'metadata.age': { $lt: 4e6 } }, { 'market.price': { $gt: 1 } }] } }],
  ['tokens.search', { sort: { field: 'metadata.symbol', direction: 'asc' }, limit: 100 }],
  // Without their record, which is made of positions: the engine has these.
  ...wallets.map((wallet): Question => ['wallets.get', { wallet, options: stored }]),
  ...tokens.map((token): Question => ['tokens.get', { token, options: { include_market: true } }]),
  ['wallets.get', { wallet: '11111111111111111111111111111112', options: stored }],
];

/** An answer, or the error that it is, without the times at which profiles were stored. */
async function answer(dex: Swapfold, [operation, request]: Question): Promise<string> {
  const given = await dex.call(operation, request).catch((error: unknown) => ({ error: String(error) }));
  return JSON.stringify(given).replace(/"synced_at":"[^"]*"/g, '"synced_at":""');
}

/** All pages of every question, one text each. */
async function answers(dex: Swapfold): Promise<string[]> {
  const all: string[] = [];
  for (const [operation, request] of questions) {
    let page = await answer(dex, [operation, request]);
    for (let pages = 0; pages < 4; pages++) {
      all.push(page);
      const { cursor } = JSON.parse(page) as { cursor?: string };
      if (cursor === undefined) break;
      page = await answer(dex, [operation, { ...request, cursor }]);
    }
  }
  return all;
}

/** Asks until the answers come without the engine. */
async function untilKept(dex: Swapfold, snapshots: () => number): Promise<void> {
  for (let turn = 0; turn < 2000; turn++) {
    const before = snapshots();
    await answer(dex, ['wallets.search', { limit: 1 }]);
    await answer(dex, ['tokens.search', { limit: 1 }]);
    if (snapshots() === before) return;
    await nextTurn();
  }
  assert.fail('the profiles are still asked of the engine');
}

/** The cache is the same on every engine; what differs is whether an answer waits for its engine, as those of DuckDB do. */
for (const engine of ['memory', 'duckdb']) {
  const open = engines[engine]!;
  test(`${engine}: answers from memory are those of a store that keeps nothing, after every kind of write`, async () => {
    await withFolder(async (folder) => {
      const { storage, snapshots } = counted(open(folder));
      const dex = await Swapfold.open({ storage, config });
      const plain = await Swapfold.open({ storage: memory(), config, memory: 0 });
      const compare = async (when: string): Promise<void> => {
        await untilKept(dex, snapshots);
        const before = snapshots();
        const found = await answers(dex);
        assert.equal(snapshots(), before, `the engine was asked ${when}`);
        assert.deepEqual(found, await answers(plain), when);
      };
      const both = async (change: (one: Swapfold) => Promise<unknown>): Promise<void> => {
        await change(dex);
        await change(plain);
      };
      await compare('in an empty store');
      const step = cases(400, 250);
      for (let from = 0; from < swaps.length; from += step) {
        await both((one) => one.ingest(swaps.slice(from, from + step)));
        await compare(`after swap ${from}, before its refresh`);
        await both((one) => one.refresh());
        await compare(`after the refresh of ${from}`);
        const rows = registry.slice(0, 6).map((row) => ({ ...row, name: `Coin ${from}`, total_supply: from + 1 }));
        await both((one) => one.tokens.upsert(rows));
        await both((one) => one.wallets.upsert(wallets.map((address) => ({ address, labels: [`l${from % 800}`] }))));
        await compare('after an upsert');
        await both((one) => one.refresh());
        await compare('after the refresh of an upsert');
      }
      const stop = { onProgress: () => assert.fail('stopped') };
      await dex.ingest(swaps.slice(0, 1).map((swap) => ({ ...swap, tx_hash: `${swap.tx_hash}2` })));
      await assert.rejects(dex.refresh(stop), /stopped/);
      await compare('after a refresh that failed');
      await plain.ingest(swaps.slice(0, 1).map((swap) => ({ ...swap, tx_hash: `${swap.tx_hash}2` })));
      await both((one) => one.refresh({ asOf: swaps[Math.floor(swaps.length * 0.6)]!.block_time }));
      await compare('as of an earlier time');
      await both((one) => one.rebuild());
      await compare('after a rebuild');
      await dex.close();
      await plain.close();
      await assert.rejects(dex.wallets.search(), { code: 'closed' });
    });
  });

  test(`${engine}: a search beside a refresh answers with the profiles before it or after it, and after it with those after`, async () => {
    await withFolder(async (folder) => {
      const dex = await Swapfold.open({ storage: open(folder), config });
      const plain = await Swapfold.open({ storage: memory(), config, memory: 0 });
      const sort = { field: 'metrics.30d.volume' } as const;
      const question: Question = ['wallets.search', { sort, limit: 100, filter: { 'metadata.idle': { $gte: 0 } } }];
      for (let from = 0; from < swaps.length; from += STEP) {
        for (const one of [dex, plain]) await one.ingest(swaps.slice(from, from + STEP));
        const before = await answer(plain, question);
        await plain.refresh();
        const after = await answer(plain, question);
        let isDone = false;
        const refreshing = dex.refresh().then(() => {
          isDone = true;
        });
        while (!isDone) {
          const found = await answer(dex, question);
          assert.ok(found === before || found === after, `an answer from between two refreshes, after swap ${from}`);
          await nextTurn();
        }
        await refreshing;
        assert.equal(await answer(dex, question), after);
      }
      await dex.close();
      await plain.close();
    });
  });
}

test('the engine answers the first search before it reads the profiles that are to be cached', async () => {
  const inner = memory();
  const reads: string[] = [];
  const note = (what: string, table: Table): void => {
    if (table.name === 'wallet_profiles') reads.push(what);
  };
  const storage: StorageAdapter = {
    ...inner,
    snapshot: (read) =>
      inner.snapshot((reader) =>
        read({
          ...reader,
          read(scan) {
            note('a page', scan.table);
            return reader.read(scan);
          },
          stream(scan) {
            note('all', scan.table);
            return reader.stream(scan);
          },
        }),
      ),
  };
  const dex = await Swapfold.open({ storage, config });
  await dex.ingest(swaps.slice(0, 100));
  await dex.refresh();
  reads.length = 0;
  await dex.wallets.search();
  for (let turn = 0; turn < 100; turn++) await nextTurn();
  assert.deepEqual([reads[0], reads.at(-1)], ['a page', 'all']);
  await dex.close();
});

test('a store that may keep nothing asks the engine', async () => {
  const { storage, snapshots } = counted(memory());
  const dex = await Swapfold.open({ storage, config, memory: 0 });
  await dex.ingest(swaps.slice(0, 100));
  await dex.refresh();
  for (let i = 0; i < 10; i++) {
    const before = snapshots();
    await dex.wallets.search();
    assert.equal(snapshots(), before + 1);
    await nextTurn();
  }
  await dex.close();
});

test('sqlite: profiles that another connection writes are found', async () => {
  await withFolder(async (folder) => {
    const path = join(folder, 'store.db');
    const { storage, snapshots } = counted(sqlite(path));
    const dex = await Swapfold.open({ storage, config });
    await dex.ingest(swaps.slice(0, 500));
    await dex.refresh();
    await untilKept(dex, snapshots);
    const [first] = (await dex.wallets.search({ limit: 1 })).data;
    const other = new Database(path);
    other
      .prepare('update wallet_profiles set "metadata.name" = ? where wallet_address = ?')
      .run('Vera', first!.wallet_address);
    other.close();
    // The store is looked at once a turn of the event loop.
    await nextTurn();
    assert.equal((await dex.wallets.get({ wallet: first!.wallet_address })).metadata?.name, 'Vera');
    await untilKept(dex, snapshots);
    assert.equal((await dex.wallets.get({ wallet: first!.wallet_address })).metadata?.name, 'Vera');
    await dex.close();
  });
});

test('sqlite: a caller that never pauses is answered from memory after a few searches', async () => {
  await withFolder(async (folder) => {
    const path = join(folder, 'store.db');
    const first = await Swapfold.open({ storage: sqlite(path), config });
    await first.ingest(swaps);
    await first.refresh();
    await first.close();
    const { storage, snapshots } = counted(sqlite(path));
    const dex = await Swapfold.open({ storage, config });
    for (let i = 0; i < 10; i++) await dex.wallets.search({ limit: 1 });
    const before = snapshots();
    await dex.wallets.search({ limit: 1 });
    assert.equal(snapshots(), before);
    await dex.close();
  });
});
