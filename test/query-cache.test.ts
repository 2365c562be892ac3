import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Api, memory, Swapfold, type SwapInput } from '@swapfold/core';
import { sqlite } from '@swapfold/sqlite';
import Database from 'better-sqlite3';
import { engines, withFolder } from './support/engines.ts';
import { smallMarket } from './support/market.ts';
import { shuffled } from './support/shuffle.ts';
import { cases } from './support/whole.ts';

const { swaps, config, market } = smallMarket({
  seed: 11,
  swaps: cases(3000, 660),
  wallets: cases(40, 20),
  tokens: cases(12, 8),
  days: 70,
});
const registry = [...market.tokens()];

/** A question as a function of where it is asked. */
type Ask = (questions: Api) => Promise<unknown>;

const tokens = [...new Set(swaps.flatMap((swap) => [swap.token_in, swap.token_out]))];
const wallets = [...new Set(swaps.map((swap) => swap.wallet))].slice(0, cases(8, 4));

const allAsks: readonly Ask[] = [
  (dex) => dex.prices.latest({ tokens: [...tokens, 'So11111111111111111111111111111111111111113'] }),
  (dex) => dex.prices.stats({ tokens }),
  ...tokens
    .slice(0, cases(6, 4))
    .flatMap((token): Ask[] => [
      (dex) => dex.prices.latest({ tokens: [token] }),
      (dex) => dex.prices.stats({ tokens: [token] }),
      (dex) => dex.prices.candles({ token, interval: 3600, count: 50 }),
      (dex) => dex.prices.candles({ token, interval: 3600, count: 20, fill: true }),
      (dex) => dex.prices.candles({ token, interval: 60, count: 300 }),
      (dex) => dex.prices.candles({ token, interval: 86_400, from: '2024-10-01T00:00:00Z' }),
      (dex) =>
        dex.prices.candles({ token, interval: 86_400, from: '2024-12-01T00:00:00Z', to: '2024-12-20T12:00:00Z' }),
      (dex) => dex.prices.candles({ token, interval: 3600, count: 10, to: '2024-12-20T12:30:00Z' }),
      (dex) => dex.swaps.list({ token, limit: 3 }),
      (dex) => dex.trades.list({ token, limit: 3 }),
    ]),
  ...wallets.flatMap((wallet): Ask[] => [
    (dex) => dex.swaps.list({ wallet, limit: 3 }),
    (dex) => dex.trades.list({ wallet, limit: 3 }),
    (dex) => dex.portfolios.get({ wallet }),
  ]),
];

/** The newest block time that the store has, as its questions go by. */
async function clockOf(dex: Swapfold): Promise<number> {
  return (await dex.swaps.list({ limit: 1 })).data[0]?.block_time ?? 0;
}

/** Asks everything where answers may be kept, and where they may not: as of a given time. */
async function compareAnswers(dex: Swapfold, when: string, asks: readonly Ask[] = allAsks): Promise<void> {
  const anew = dex.at(await clockOf(dex));
  for (const [i, ask] of asks.entries()) assert.deepEqual(await ask(dex), await ask(anew), `question ${i} ${when}`);
}

const explained: readonly (readonly [kind: string, named: object])[] = [
  ...tokens.slice(-2).map((token) => ['tokens', { token }] as const),
  ...wallets.slice(0, 3).map((wallet) => ['wallets', { wallet }] as const),
  ...swaps.slice(0, 3).map(({ wallet, token_out: token }) => ['positions', { wallet, token }] as const),
];

/** Explains metrics of the stored profiles, and as of their instants, where nothing is kept. Without a profile there is nothing to explain. */
async function compareExplanations(dex: Swapfold, when: string): Promise<number> {
  let compared = 0;
  for (const [kind, named] of explained)
    for (const metric of ['pnl', 'avg_holding_duration', 'avg_buy_mcap']) {
      if (metric === 'avg_buy_mcap' && kind === 'positions') continue;
      const ask = (options = {}): Promise<unknown> =>
        dex.call(`${kind}.explain` as string, { ...named, metric, window: '7d', limit: 1 }, options).catch(codeOf);
      const first = await ask();
      if (first === 'not-found') continue;
      const asOf = (first as { as_of: string }).as_of;
      assert.deepEqual(first, await ask({ asOf }), `${kind} ${metric} ${when}`);
      assert.deepEqual(first, await ask(), `${kind} ${metric} again ${when}`);
      compared++;
    }
  return compared;
}

const codeOf = (error: unknown): string => (error as { code: string }).code;

/** Batches that go on in chain order, then some that come late, repeat, or move the native price of days gone by. */
function batchesOf(rows: readonly SwapInput[]): SwapInput[][] {
  const late = rows.filter((_, i) => i % 11 === 3);
  const inOrder = rows.filter((_, i) => i % 11 !== 3);
  const parts = (all: readonly SwapInput[], size: number): SwapInput[][] =>
    Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));
  const ordered = parts(inOrder, cases(400, 150));
  return parts(shuffled(late, 5), cases(60, 20)).flatMap((part, i) => [
    ordered[i] ?? [],
    [...part, ...inOrder.slice(0, 20)],
  ]);
}

/** The cache is the same on every engine; what differs is whether an answer waits for its engine, as those of DuckDB do. */
for (const engine of ['memory', 'duckdb']) {
  const open = engines[engine]!;
  // A question costs DuckDB milliseconds: there some are asked, of every kind.
  const asks = engine === 'duckdb' ? allAsks.filter((_, i) => i % cases(3, 7) === 0) : allAsks;
  test(`${engine}: nothing that is kept outlives an ingest, an upsert, a refresh or a rebuild`, async () => {
    await withFolder(async (folder) => {
      const dex = await Swapfold.open({ storage: open(folder), config });
      await compareAnswers(dex, 'in an empty store', asks);
      let compared = 0;
      for (const [i, batch] of batchesOf(swaps).entries()) {
        await dex.ingest(batch);
        await compareAnswers(dex, `after batch ${i}`, asks);
        if (i % 3 === 1) {
          const symbol = `S${i}`;
          await dex.tokens.upsert(registry.map((row) => ({ ...row, symbol, total_supply: 1000 + i })));
          const held = (await dex.portfolios.get({ wallet: wallets[0]! })).tokens;
          const named = new Set(registry.map(({ address }) => address));
          for (const row of held) if (named.has(row.token)) assert.equal(row.symbol, symbol);
          await compareAnswers(dex, `after upsert ${i}`, asks);
        }
        if (i % 4 === 2) await dex.refresh();
        compared += await compareExplanations(dex, `after batch ${i}`);
      }
      await dex.rebuild();
      await compareAnswers(dex, 'after a rebuild', asks);
      assert.ok(compared > 0);
      await dex.close();
      await assert.rejects(dex.prices.latest({ tokens: tokens.slice(0, 1) }), { code: 'closed' });
    });
  });

  test(`${engine}: questions that are asked while swaps come in leave nothing stale behind`, async () => {
    await withFolder(async (folder) => {
      const dex = await Swapfold.open({ storage: open(folder), config });
      for (const batch of batchesOf(swaps)) {
        const ingesting = dex.ingest(batch);
        await Promise.all([ingesting, ...asks.map((ask) => ask(dex)), dex.refresh(), ...asks.map((ask) => ask(dex))]);
      }
      await compareAnswers(dex, 'after all came in', asks);
      await dex.close();
    });
  });

  test(`${engine}: a write that fails takes back what it told`, async () => {
    await withFolder(async (folder) => {
      const dex = await Swapfold.open({ storage: open(folder), config });
      await dex.ingest(swaps.slice(0, 600));
      await compareAnswers(dex, 'before', asks);
      const batch = swaps.slice(600, 800);
      const failing = async function* (): AsyncIterable<readonly SwapInput[]> {
        yield batch;
        throw new Error('the feed broke off');
      };
      await assert.rejects(dex.ingest(failing()), /the feed broke off/);
      await compareAnswers(dex, 'after a feed that broke off', asks);
      await dex.close();
    });
  });
}

test('sqlite: what another connection writes is noticed', async () => {
  await withFolder(async (folder) => {
    const path = join(folder, 'store.db');
    const dex = await Swapfold.open({ storage: sqlite(path), config });
    await dex.ingest(swaps);
    await dex.tokens.upsert(registry);
    const { token } = (await dex.trades.list({ limit: 100 })).data.find((row) => row.market_cap !== null)!;
    const supply = (await dex.trades.list({ token, limit: 1 })).data[0]!.market_cap;
    const other = new Database(path);
    other.exec('update token_registry set total_supply = 7, circulating_supply = null');
    other.close();
    // The store is looked at once a turn of the event loop.
    await nextTurn();
    const trade = (await dex.trades.list({ token, limit: 1 })).data[0]!;
    assert.notEqual(trade.market_cap, supply);
    assert.equal(trade.market_cap, trade.token_price! * 7);
    await dex.close();
  });
});

test('questions that are asked at once after another process has written all see what it wrote', async () => {
  const storage = memory();
  let version = 0;
  const writer = await Swapfold.open({ storage, config });
  await writer.ingest(swaps.slice(0, 300));
  const dex = await Swapfold.open({ storage: { ...storage, externalVersion: () => version }, config });
  await compareAnswers(dex, 'before');
  await writer.ingest(swaps.slice(300, 600));
  version++;
  await nextTurn();
  const answers = await Promise.all(allAsks.map((ask) => ask(dex)));
  for (const [i, ask] of allAsks.entries()) assert.deepEqual(answers[i], await ask(writer), `question ${i}`);
  await nextTurn();
  for (const [i, ask] of allAsks.entries()) assert.deepEqual(await ask(dex), await ask(writer), `question ${i} again`);
  await dex.close();
});

test('a commit that is reported as failed, though it was made, leaves no answer of the state before', async () => {
  const storage = memory();
  let isLost = false;
  const losing: typeof storage = {
    ...storage,
    async write(change) {
      const answer = await storage.write(change);
      if (isLost) throw new Error('the answer was lost');
      return answer;
    },
  };
  const dex = await Swapfold.open({ storage: losing, config });
  await dex.ingest(swaps.slice(0, 300));
  await compareAnswers(dex, 'before');
  isLost = true;
  await assert.rejects(dex.ingest(swaps.slice(300, 600)), /the answer was lost/);
  isLost = false;
  const other = await Swapfold.open({ storage, config });
  await nextTurn();
  for (const [i, ask] of allAsks.entries()) assert.deepEqual(await ask(dex), await ask(other), `question ${i}`);
  await dex.ingest(swaps.slice(600, 700));
  await compareAnswers(dex, 'after the next commit');
  await dex.close();
});
