import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { Swapfold, type SwapInput } from '@swapfold/core';
import { formatTime } from '@swapfold/core/host';
import Database from 'better-sqlite3';
import { engines, withFolder } from './support/engines.ts';
import { dumpTables, moveOnce } from './support/forget.ts';
import { horizonConfig as config, DAY, longMarket } from './support/horizon.ts';

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const SOL = 'So11111111111111111111111111111111111111112';
const T = 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm';
const ANN = '7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5';
const BOB = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM';
/** 2025-01-01T00:00:00Z. */
const START = 1_735_689_600;
const day = (number: number): number => START + number * DAY;

/** Who gives how much of what for how much of what, on which day, a minute past midnight. */
const told: readonly (readonly [day: number, wallet: string, given: number, of: string, got: number, of: string])[] = [
  [0, ANN, 100, USDC, 10, T],
  [1, ANN, 100, USDC, 5, T],
  [2, BOB, 30, USDC, 1, T],
  [3, BOB, 1, T, 45, USDC],
  [4, BOB, 50, USDC, 2, T],
  [45, ANN, 12, T, 240, USDC],
  [46, BOB, 100, USDC, 1, SOL],
];
const swaps: readonly SwapInput[] = told.map(([number, wallet, given, token_in, got, token_out], i) => ({
  tx_hash: `tx${i}`,
  swap_index: 0,
  block_time: day(number) + 60,
  block_slot: 1000 + i,
  wallet,
  token_in,
  token_out,
  token_amount_in: given,
  token_amount_out: got,
  token_symbol_out: i === 0 ? 'TEE' : null,
}));

async function pruned(until: number): Promise<Swapfold> {
  const dex = await Swapfold.open({ storage: engines.memory!(''), config });
  await dex.ingest(swaps.slice(0, 5));
  await dex.ingest(swaps.slice(5, 6));
  // What is cached counts rows that are forgotten.
  assert.equal((await dex.swaps.list({ wallet: ANN, limit: 1 })).count, 3);
  assert.deepEqual(await dex.prune({ before: day(until) }), { horizon: day(until), swaps: 5 });
  assert.equal((await dex.swaps.list({ wallet: ANN, limit: 1 })).count, 1);
  await dex.ingest(swaps.slice(6));
  await dex.refresh();
  return dex;
}

test('a sell within the horizon takes the lots that were bought behind it', async () => {
  const dex = await pruned(10);
  const options = { include_holding: true, include_metadata: true, include_metrics: ['30d'] } as const;
  const ann = await dex.positions.get({ wallet: ANN, token: T, options });
  // By hand: 15 T cost 200; 12 of them 100 + 2 x 20 = 140, sold for 240. 3 are left, which cost 60 and are worth 3 x 20.
  assert.equal(ann.metadata?.first_trade_at, formatTime(day(0) + 60));
  assert.equal(ann.metadata?.opened_at, formatTime(day(0) + 60));
  assert.equal(ann.metadata?.state, 'open');
  const { holding } = ann;
  assert.deepEqual(
    [holding?.bought_usd, holding?.buy_count, holding?.sold_usd, holding?.sell_count, holding?.realized_pnl],
    [200, 2, 240, 1, 100],
  );
  assert.deepEqual([holding?.balance, holding?.cost_basis, holding?.value, holding?.unrealized_pnl], [3, 60, 60, 0]);
  assert.equal(ann.metrics?.['30d']?.pnl, 100);
  const wallet = await dex.wallets.get({ wallet: ANN, options: { include_metrics: ['30d'] } });
  // 45 days of 10 T, 44 of 2.
  assert.deepEqual(wallet.metrics?.['30d']?.avg_holding_duration, ((45 * 10 + 44 * 2) / 12) * DAY);
  // Bob has sold 1 of his T for 45, which cost 30, and bought 2 for 50, all of it behind the horizon.
  const bob = await dex.positions.get({ wallet: BOB, token: T, options });
  assert.equal(bob.metadata?.last_trade_at, formatTime(day(4) + 60));
  assert.deepEqual([bob.holding?.realized_pnl, bob.holding?.cost_basis, bob.holding?.bought_usd], [15, 50, 80]);
  const { points } = await dex.wallets.history({ wallet: BOB, from: formatTime(day(20)), interval: 10 * DAY });
  assert.deepEqual(points[0], {
    timestamp: day(20),
    equity: 15,
    realized_pnl: 15,
    unrealized_pnl: 0,
    drawdown: 0,
    pnl: 0,
    volume: 0,
    trade_count: 0,
    roi: null,
    winrate: null,
    position_count: 0,
    pnl_native: 0,
    roi_native: null,
    volume_native: 0,
  });
  const [latest] = await dex.at(formatTime(day(12))).prices.latest({ tokens: [T] });
  assert.deepEqual([latest?.usd_price, latest?.block_time, latest?.block_slot], [25, day(4) + 60, 1004]);
  assert.deepEqual((await dex.verify()).differences, []);
  await dex.close();
});

test('swaps that no refresh has seen before the horizon passed them are in the next one', async () => {
  const dex = await Swapfold.open({ storage: engines.memory!(''), config });
  await dex.ingest(swaps.slice(0, 2));
  await dex.refresh();
  await dex.ingest(swaps.slice(2, 6));
  await dex.prune({ before: day(10) });
  for (const scope of ['traded', 'all'] as const) {
    await dex.refresh({ scope });
    const bob = await dex.positions.get({ wallet: BOB, token: T, options: { include_holding: true } });
    // As above: he bought for 30 and 50, and sold what cost 30 for 45. No refresh had seen any of it.
    assert.deepEqual([bob.holding?.bought_usd, bob.holding?.realized_pnl, bob.holding?.balance], [80, 15, 2]);
    const { metadata } = await dex.wallets.get({ wallet: BOB, options: { include_metadata: true } });
    assert.equal(metadata?.last_trade_at, formatTime(day(4) + 60));
  }
  assert.deepEqual((await dex.verify()).differences, []);
  await dex.close();
});

test('the mark of a token comes from behind the horizon although a later print there has no voice', async () => {
  const row = (tx_hash: string, number: number, wallet: string, given: readonly [number, string, number, string]) => ({
    ...{ tx_hash, swap_index: 0, block_time: day(number) + 60, block_slot: 1000 + number, wallet },
    ...{ token_amount_in: given[0], token_in: given[1], token_amount_out: given[2], token_out: given[3] },
  });
  const dex = await Swapfold.open({ storage: engines.memory!(''), config });
  await dex.ingest([
    row('a', 0, ANN, [100, USDC, 10, T]),
    row('b', 1, BOB, [50, USDC, 5, T]),
    row('c', 2, ANN, [20, USDC, 2, T]),
    // One transaction moves T both ways: three votes at 10 find 12 no suspect, but it is no mark.
    row('d', 3, BOB, [12, USDC, 1, T]),
    { ...row('d', 3, BOB, [1, T, 12, USDC]), swap_index: 1 },
    row('e', 46, BOB, [100, USDC, 1, SOL]),
  ]);
  await dex.prune({ before: day(10) });
  await dex.refresh();
  // 12 T at 10.
  const ann = await dex.positions.get({ wallet: ANN, token: T, options: { include_holding: true } });
  assert.equal(ann.holding?.value, 120);
  const { tokens } = await dex.at(formatTime(day(12))).portfolios.get({ wallet: ANN });
  assert.equal(tokens.find(({ token }) => token === T)?.value, 120);
  await dex.close();
});

test('what reaches behind the horizon is refused with its code, null, or not listed', async () => {
  const dex = await pruned(10);
  const behind = { code: 'behind-horizon' };
  const { horizon, schema_version, first_swap_at, swaps: left } = await dex.info();
  assert.deepEqual([horizon, schema_version, first_swap_at, left], [day(10), 12, day(45) + 60, 2]);
  const early = dex.at(formatTime(day(10) - 1));
  await assert.rejects(early.prices.latest({ tokens: [T] }), behind);
  await assert.rejects(early.portfolios.get({ wallet: ANN }), behind);
  await assert.rejects(dex.at(formatTime(day(39))).wallets.get({ wallet: ANN }), behind);
  await assert.rejects(dex.at(formatTime(day(16))).tokens.get({ token: T }), behind);
  // To the second: the window of a token at the instant begins with the horizon, or a second before it.
  assert.equal((await dex.at(formatTime(day(17) - 1)).tokens.get({ token: T })).token_address, T);
  await assert.rejects(dex.at(formatTime(day(17) - 2)).tokens.get({ token: T }), behind);
  await assert.rejects(dex.at(formatTime(day(39))).positions.get({ wallet: ANN, token: T }), behind);
  await assert.rejects(dex.at(formatTime(day(39))).prices.stats({ tokens: [T] }), behind);
  await assert.rejects(dex.refresh({ asOf: formatTime(day(39)) }), behind);
  const range = { from: formatTime(day(10)), interval: DAY };
  await assert.rejects(dex.wallets.history({ wallet: ANN, ...range }), behind);
  await assert.rejects(dex.tokens.history({ token: T, ...range }), behind);
  await assert.rejects(dex.prices.history({ tokens: [T], ...range }), behind);
  const one = { metric: 'pnl', window: '30d' } as const;
  await assert.rejects(dex.at(formatTime(day(39))).wallets.explain({ wallet: ANN, ...one }), behind);
  // Without `from`, points begin where the interval before the first is known.
  const { points } = await dex.tokens.history({ token: T, interval: 10 * DAY });
  assert.ok(points[0]!.timestamp >= day(20) - 1 && points[0]!.timestamp < day(30) - 1);
  const [stats] = await dex.prices.stats({ tokens: [T] });
  // 46 days after the first swap, the 30 days before the last 30 are forgotten in part; those of a week are not.
  assert.equal(stats?.usd_volume_30d, 240);
  assert.equal(stats?.usd_volume_change_30d, null);
  assert.equal((await dex.swaps.list({ token: T })).count, 1);
  const { tokens } = await dex.portfolios.get({ wallet: BOB });
  assert.equal(tokens.find(({ token }) => token === T)?.symbol, 'TEE');
  assert.equal((await dex.trades.list({ token: T })).count, 1);
  assert.equal((await dex.prices.candles({ token: T, interval: DAY })).length, 1);
  // A store that keeps sixty days knows both months, to the second: 10 USD on the horizon, 100 on day 46.
  await dex.ingest([
    { ...swaps[6]!, tx_hash: 'first', block_time: day(10), token_amount_in: 10, token_amount_out: 0.1 },
  ]);
  const changeAt = async (time: number) =>
    (await dex.at(formatTime(time)).prices.stats({ tokens: [SOL] }))[0]?.usd_volume_change_30d;
  assert.deepEqual([await changeAt(day(70) - 2), await changeAt(day(70) - 1)], [null, 900]);
  await dex.close();
});

test('late swaps, reference prices and rollbacks behind the horizon are refused with that word, the others taken', async () => {
  const dex = await pruned(10);
  const late = [day(10) - 1, day(10)].map((block_time, i) => ({ ...swaps[0]!, tx_hash: `late${i}`, block_time }));
  const { added, rejected, rejects } = await dex.ingest(late);
  assert.deepEqual([added, rejected, rejects[0]?.row, rejects[0]?.field], [1, 1, 0, 'block_time']);
  assert.match(rejects[0]!.reason, /^behind-horizon: .* before 2025-01-11T00:00:00Z/);
  const priced = await dex.prices.upsert(
    [day(10) - 1, day(10)].map((time) => ({ token: USDC, time, usd_price: 1.01 })),
  );
  assert.deepEqual([priced.stored, priced.rejected, priced.rejects[0]?.field], [1, 1, 'time']);
  assert.match(priced.rejects[0]!.reason, /^behind-horizon/);
  for (const from_block_slot of [0, 1004, 1005])
    await assert.rejects(dex.rollback({ from_block_slot }), { code: 'behind-horizon' });
  // What was forgotten is of the slots up to 1004, whatever slots later swaps say that they have.
  await dex.ingest([{ ...swaps[5]!, tx_hash: 'odd', block_time: day(44), block_slot: 500 }]);
  await assert.rejects(dex.rollback({ from_block_slot: 1004 }), { code: 'behind-horizon' });
  assert.equal((await dex.info()).swaps, 4);
  assert.deepEqual(await dex.rollback({ from_block_slot: 1006 }), { swaps: 1, transactions: 1 });
  assert.deepEqual((await dex.verify()).differences, []);
  await dex.close();
});

test('a prune takes whole days, keeps 31 of them, and says what is wrong', async () => {
  const dex = await Swapfold.open({ storage: engines.memory!(''), config });
  assert.deepEqual(await dex.prune({ keep: '31d' }), { horizon: null, swaps: 0 });
  await dex.ingest(swaps);
  for (const call of [
    {},
    { keep: '31d', before: day(1) },
    { keep: '30d' },
    { keep: '31' },
    { keep: '45h' },
    { before: day(16) },
    { before: 'yesterday' },
  ])
    await assert.rejects(dex.prune(call), (error: Error & { code?: string }) =>
      ['invalid-input', 'invalid-range'].includes(error.code!),
    );
  assert.deepEqual(await dex.prune({ before: day(15) + 86_399 }), { horizon: day(15), swaps: 5 });
  assert.deepEqual(await dex.prune({ keep: '45d' }), { horizon: day(15), swaps: 0 });
  await assert.rejects(Swapfold.open({ storage: engines.memory!(''), config, keep: '30d' }), {
    code: 'invalid-config',
  });
  await dex.close();
});

test('a store that is opened with keep forgets as days pass, and takes nothing of what it forgot', async () => {
  const dex = await Swapfold.open({ storage: engines.memory!(''), config, keep: '31d' });
  await dex.ingest(swaps.slice(0, 5));
  assert.equal((await dex.info()).horizon, null);
  await dex.ingest(swaps.slice(5, 6));
  assert.deepEqual([(await dex.info()).horizon, (await dex.info()).swaps], [day(14), 1]);
  await dex.ingest(swaps);
  assert.deepEqual([(await dex.info()).horizon, (await dex.info()).swaps], [day(15), 2]);
  await dex.close();
});

test('a swap that says to be of another century makes a store forget nothing that the clock keeps', async () => {
  const dex = await Swapfold.open({ storage: engines.memory!(''), config, keep: '31d' });
  const today = Math.floor(Date.now() / 1000);
  const at = (daysAgo: number, i: number): SwapInput => ({ ...swaps[i]!, block_time: today - daysAgo * DAY });
  await dex.ingest([at(20, 0), at(10, 1), { ...swaps[2]!, block_time: 4_102_444_800 }]);
  await dex.ingest([at(5, 3)]);
  assert.deepEqual([(await dex.info()).horizon, (await dex.info()).swaps], [null, 4]);
  assert.deepEqual(await dex.prune({ keep: '31d' }), { horizon: null, swaps: 0 });
  await assert.rejects(dex.prune({ before: new Date((today - 9 * DAY) * 1000) }), { code: 'invalid-input' });
  await dex.close();
});

test('who stores a swap does not wait until years of others are forgotten', () =>
  withFolder(async (folder) => {
    const old = Array.from({ length: 10_000 }, (_, i) => ({
      ...swaps[0]!,
      tx_hash: `old${i}`,
      block_time: START + i,
      block_slot: i,
    }));
    let dex = await Swapfold.open({ storage: engines.sqlite!(folder), config });
    await dex.ingest(old);
    await dex.close();
    dex = await Swapfold.open({ storage: engines.sqlite!(folder), config, keep: '31d' });
    const left: number[] = [];
    for (const [i, number] of [45, 46].entries()) {
      await dex.ingest([{ ...swaps[1]!, tx_hash: `new${i}`, block_time: day(number), block_slot: 20_000 + i }]);
      left.push((await dex.info()).swaps);
    }
    // Two transactions of 4,096 swaps each, and what was left.
    assert.deepEqual(left, [10_001 - 2 * 4096, 2]);
    assert.equal((await dex.verify()).different, 0);
    await dex.close();
  }));

test('one prune leaves what many small ones do, row by row', async () => {
  const market = longMarket(5, 400);
  const target = Math.floor(market.swaps.at(-1)!.block_time / DAY - 31) * DAY;
  const left: string[] = [];
  for (const chunk of [100_000, 60, 7]) {
    const storage = engines.memory!('');
    const dex = await Swapfold.open({ storage, config });
    await dex.ingest(market.swaps);
    await dex.prices.upsert(market.prices);
    let steps = 0;
    for (let horizon = 0; horizon < target; steps++) horizon = await moveOnce(dex, storage, target, chunk);
    assert.equal(steps > 1, chunk < 1000);
    left.push(await dumpTables(storage));
    assert.equal((await dex.info()).horizon, target);
    await dex.close();
  }
  assert.ok(left[0] === left[1] && left[1] === left[2]);
});

for (const engine of ['sqlite', 'duckdb'])
  test(`${engine}: a store that has forgotten is opened, copied and backed up with its horizon`, () =>
    withFolder(async (folder) => {
      const first = await Swapfold.open({ storage: engines[engine]!(folder), config });
      await first.ingest(swaps);
      await first.prune({ before: day(10) });
      await first.refresh();
      await first.close();
      const again = await Swapfold.open({ storage: engines[engine]!(folder), config });
      const expected = JSON.stringify(await again.portfolios.get({ wallet: ANN }));
      const copy = await Swapfold.open({ storage: engines.memory!(''), config });
      await copy.copyFrom(again);
      const path = `${folder}/copy.${engine}`;
      await again.backup(path);
      await again.close();
      const { sqlite } = await import('@swapfold/sqlite');
      const { duckdb } = await import('@swapfold/duckdb');
      const saved = await Swapfold.open({ storage: engine === 'sqlite' ? sqlite(path) : duckdb(path), config });
      for (const dex of [copy, saved]) {
        assert.equal((await dex.info()).horizon, day(10));
        assert.equal(JSON.stringify(await dex.portfolios.get({ wallet: ANN })), expected);
        assert.deepEqual((await dex.verify()).differences, []);
        assert.equal((await dex.ingest([{ ...swaps[0]!, tx_hash: 'late' }])).rejected, 1);
        await dex.close();
      }
      // What it forgot can't be valued by other rules; other labels fold profiles alone.
      const other = { ...config, dust_usd: 3 };
      const opening = { storage: engines[engine]!(folder), config: other, onMismatch: 'refold' } as const;
      await assert.rejects(Swapfold.open(opening), { code: 'behind-horizon' });
      const relabelled = { ...config, labels: { mode: 'replace' } } as const;
      const labelled = { storage: engines[engine]!(folder), config: relabelled, onMismatch: 'refold' } as const;
      const third = await Swapfold.open(labelled);
      assert.deepEqual((await third.verify()).differences, []);
      await third.close();
    }));

/** A swap a minute on a day, or one a day. */
const plain = (number: number, at: number): SwapInput => ({
  ...{ tx_hash: `plain${number}`, swap_index: 0, block_time: at, block_slot: number, wallet: ANN },
  ...{ token_in: USDC, token_out: T, token_amount_in: 10, token_amount_out: 10 },
});

test('a rollback between two steps of a prune leaves as many days as are kept at least', async () => {
  const dex = await Swapfold.open({ storage: engines.memory!(''), config });
  const early = Array.from({ length: 9000 }, (_, i) => plain(i, day(0) + Math.floor((i * 60 * DAY) / 9000)));
  const late = Array.from({ length: 41 }, (_, i) => plain(9000 + i, day(60 + i)));
  await dex.ingest([...early, ...late]);
  let rolledBack: Promise<unknown> | undefined;
  const onSwaps = (): void => {
    rolledBack ??= dex.rollback({ from_block_slot: 9015 });
  };
  const { horizon } = await dex.prune({ keep: '31d', onSwaps });
  await rolledBack;
  assert.equal((await dex.info()).last_swap_at, day(74));
  assert.ok(horizon! <= day(74 - 31), `the store begins on day ${(horizon! - START) / DAY}`);
  await dex.refresh();
  assert.equal((await dex.prices.stats({ tokens: [T] })).length, 1);
  await dex.close();
});

test('a store whose profiles need what was forgotten is verified without them', async () => {
  const dex = await Swapfold.open({ storage: engines.memory!(''), config });
  await dex.ingest([plain(0, day(0)), plain(1, day(60))]);
  await dex.refresh();
  await dex.ingest([plain(2, day(63))]);
  await dex.prune({ keep: '31d' });
  const { differences, compared_profiles } = await dex.verify();
  assert.deepEqual([differences, compared_profiles], [[], false]);
  await dex.refresh();
  assert.equal((await dex.verify()).compared_profiles, true);
  await dex.close();
});

test('later pages of an explained holding are of the stored profile, which a pruned store could not fold again', async () => {
  const dex = await Swapfold.open({ storage: engines.memory!(''), config });
  const bought = [1, 2, 3].map((i) => ({
    ...swaps[0]!,
    tx_hash: `more${i}`,
    block_time: day(45) + i,
    block_slot: 2000 + i,
  }));
  await dex.ingest([...swaps.slice(0, 5), ...bought]);
  await dex.refresh();
  await dex.ingest([{ ...swaps[6]!, block_time: day(80), block_slot: 3000 }]);
  await dex.prune({ before: day(44) });
  const asked = { wallet: ANN, token: T, metric: 'holding.unrealized_pnl', limit: 2 } as const;
  const first = await dex.positions.explain(asked);
  const { trades, cursor, ...head } = await dex.positions.explain({ ...asked, cursor: first.cursor! });
  assert.deepEqual(
    [...first.trades, ...trades].map((trade) => trade.tx_hash),
    ['more3', 'more2', 'more1'],
  );
  assert.deepEqual([head.value, head.as_of, cursor], [first.value, first.as_of, undefined]);
  // Two buys lie behind the horizon: in the value, and on no page.
  assert.deepEqual([head.count, head.forgotten], [3, { before: formatTime(day(44)), count: 2 }]);
  // Of another instant than that of the first page there is none.
  const other = dex.at(formatTime(day(80))).positions.explain({ ...asked, cursor: first.cursor! });
  await assert.rejects(other, { code: 'invalid-cursor' });
  // After a refresh the profile of the first page is gone, and what it was folded from is forgotten.
  await dex.refresh();
  await assert.rejects(dex.positions.explain({ ...asked, cursor: first.cursor! }), { code: 'behind-horizon' });
  await dex.close();
});

/** Swaps of a token that is exchanged for the native token alone, which has no price, and later `others` times for one that nobody knows. */
function inNative(others: readonly number[]): readonly SwapInput[] {
  const swap = (
    number: number,
    i: number,
    [given, token_in, got, token_out]: readonly [number, string, number, string],
  ) => ({
    ...{ tx_hash: `native${number}-${i}`, swap_index: 0, block_time: day(number) + i, block_slot: 1000 * number + i },
    ...{ wallet: i === 0 ? ANN : BOB, token_in, token_out, token_amount_in: given, token_amount_out: got },
  });
  const other = '4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R';
  return [
    swap(0, 0, [2, SOL, 10, T]),
    swap(1, 0, [5, T, 1.5, SOL]),
    ...others.flatMap((count, n) => Array.from({ length: count }, (_, i) => swap(2 + 43 * n, i + 1, [1, other, 1, T]))),
  ];
}

for (const engine of Object.keys(engines))
  test(`${engine}: what is unrealised in the native token is known of a token whose last swap for it is forgotten`, () =>
    withFolder(async (folder) => {
      const dex = await Swapfold.open({ storage: engines[engine]!(folder), config });
      const unrealized = async (): Promise<number | null | undefined> => {
        await dex.refresh();
        const { holding } = await dex.positions.get({ wallet: ANN, token: T, options: { include_holding: true } });
        return holding?.unrealized_pnl_native;
      };
      await dex.ingest(inNative([500, 499]));
      // By hand: 10 T cost 2, so that 5 cost 1; they are worth 5 x 1.5 / 5. Of the newest thousand swaps, that one is the last.
      assert.equal(await unrealized(), 0.5);
      await dex.prune({ before: day(1) });
      await dex.prune({ before: day(10) });
      assert.equal(await unrealized(), 0.5);
      assert.deepEqual((await dex.verify()).differences, []);
      await dex.ingest(inNative([0, 500]).slice(-1));
      assert.equal(await unrealized(), null);
      await dex.close();
    }));

for (const onMismatch of ['refuse', 'refold'] as const)
  test(`a store that has forgotten with an earlier version is refused, and left as it was (${onMismatch})`, () =>
    withFolder(async (folder) => {
      const open = () => Swapfold.open({ storage: engines.sqlite!(folder), config, onMismatch });
      const first = await open();
      await first.ingest(inNative([1, 1]));
      await first.prune({ before: day(10) });
      await first.close();
      const file = new Database(join(folder, 'store-0.db'));
      file.exec("update meta set value = '9' where name = 'schema_version'");
      // As that version had it: one price, of the last print.
      file.exec(
        `update meta set value = json_set(value, '$.native', json('{"seq":1,"price":200}')) where name = 'horizon'`,
      );
      const dump = () => file.prepare('select * from meta order by name').all();
      const before = dump();
      await assert.rejects(open(), {
        code: 'behind-horizon',
        message:
          "An earlier version made the store: it has schema version 9, this Swapfold writes 12. The store has forgotten the swaps before 2025-01-11T00:00:00Z, so that they can't be folded again. Import all swaps into a new store, or open it with the version that made it.",
      });
      assert.deepEqual(dump(), before);
      file.close();
    }));
