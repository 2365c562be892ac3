import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../testing/src/market/random.ts';
import type { Bag } from '../src/bag/bag.ts';
import { noPrints } from '../src/bag/entity.ts';
import { WindowsFold } from '../src/bag/fold.ts';
import { bucketSeconds, windowSpecs } from '../src/bag/windows.ts';
import { defaultWash } from '../src/config.ts';
import { BUY, OPEN } from '../src/ledger/trade.ts';
import { firstSeqAt } from '../src/records/chain-order.ts';
import { TradeLog, type TradeRows } from '../src/refresh/trade-log.ts';

const SEEDS = [1, 2, 3, 4, 5, 6];
const START = 1_700_000_000;
const facts = { supplyOf: () => 1e9, createdAtOf: () => START };

/** Times of a bot: many in a bucket, in bursts, some of them in one second. */
function burst(random: Random, from: number, seconds: number, count: number): number[] {
  return Array.from({ length: count }, () => {
    const start = random.below(150) * Math.floor(seconds / 150);
    return from + Math.min(start + random.below(700), seconds);
  }).sort((a, b) => a - b);
}

function tradesAt(random: Random, times: readonly number[]): TradeRows {
  const doubles = (value: (row: number) => number): Float64Array => Float64Array.from(times, (_, row) => value(row));
  const ids = (value: (row: number) => number): Int32Array => Int32Array.from(times, (_, row) => value(row));
  const isBuy = times.map(() => random.chance(0.5));
  const cost = times.map(() => random.unit() * 100);
  const proceeds = times.map(() => random.unit() * 110);
  const sold = (value: (row: number) => number) => doubles((row) => (isBuy[row] ? Number.NaN : value(row)));
  return {
    length: times.length,
    columns: {
      seq: doubles((row) => firstSeqAt(times[row]!) + row * 4),
      wallet: ids(() => 7),
      token: ids(() => random.below(30)),
      swap_type: ids(() => 0),
      direction: ids((row) => (isBuy[row] ? BUY : 1 - BUY)),
      token_amount: doubles(() => 1 + random.unit()),
      usd_amount: doubles(() => random.unit() * 1000),
      position_state: ids(() => (random.chance(0.2) ? OPEN : OPEN + 1)),
      cost: sold((row) => cost[row]!),
      proceeds: sold((row) => proceeds[row]!),
      // One in five is a small sell, which no run counts and every fall does.
      holding: sold(() => (random.chance(0.2) ? Number.NaN : random.below(1000))),
      open_before: doubles(() => random.unit() * 10),
      open_cost: doubles(() => random.unit() * 10),
      native_amount: doubles(() => random.unit() * 8),
      cost_native: sold((row) => cost[row]! / 7),
      proceeds_native: sold((row) => proceeds[row]! / 7),
      fee_native: doubles(() => random.unit() / 100),
      fee_usd: doubles(() => random.unit()),
    },
  };
}

function add(log: TradeLog, rows: TradeRows): void {
  log.add(rows, 0, rows.length, rows.columns.token, facts);
}

function logOf(rows: TradeRows): TradeLog {
  const shared = new TradeLog();
  shared.begin(undefined);
  add(shared, rows);
  return shared.copy();
}

function bagsOf(log: TradeLog, kind: 'tokens' | 'wallets', asOf: number): Bag[] {
  const fold = new WindowsFold(windowSpecs[kind], bucketSeconds[kind], defaultWash);
  for (const _ of fold.steps(log.trades, noPrints, asOf));
  return fold.bags;
}

test('runs and falls go on from bucket to bucket', (t) => {
  t.diagnostic(`seeds ${SEEDS}`);
  for (const seed of SEEDS) {
    const random = new Random(seed, 7);
    const now = START + 5 * 86_400;
    for (const kind of ['wallets', 'tokens'] as const) {
      const log = logOf(tradesAt(random, [...burst(random, START, 5 * 86_400 - 1, 3000), now]));
      for (const [w, bag] of bagsOf(log, kind, now).entries()) {
        const what = `seed ${seed}, ${kind} ${windowSpecs[kind][w]!.name}`;
        const expected = oneByOne(log, now - windowSpecs[kind][w]!.seconds);
        assert.equal(bag.longestWins, expected.wins, `${what}: wins`);
        assert.equal(bag.longestLosses, expected.losses, `${what}: losses`);
        assert.ok(Math.abs(bag.largestFall - expected.fall) <= 1e-9 * expected.fall, `${what}: fall`);
      }
    }
  }
});

/** The longest runs, and the largest fall of the running profit from its peak, oldest first. */
function oneByOne({ trades }: TradeLog, start: number): { wins: number; losses: number; fall: number } {
  const found = { wins: 0, losses: 0, fall: 0 };
  let [wins, losses, running, peak] = [0, 0, 0, 0];
  for (let row = 0; row < trades.length; row++) {
    const pnl = trades.pnl[row]!;
    if (trades.time[row]! <= start || Number.isNaN(pnl)) continue;
    if (!Number.isNaN(trades.holding[row]!)) {
      wins = pnl > 0 ? wins + 1 : 0;
      losses = pnl < 0 ? losses + 1 : 0;
    }
    running += pnl;
    peak = Math.max(peak, running);
    found.wins = Math.max(found.wins, wins);
    found.losses = Math.max(found.losses, losses);
    found.fall = Math.max(found.fall, peak - running);
  }
  return found;
}
