import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../testing/src/market/random.ts';
import type { Bag } from '../src/bag/bag.ts';
import { type EntityPrints, type EntityTrades, newEntityTrades, noPrints } from '../src/bag/entity.ts';
import { windowSpecs } from '../src/bag/windows.ts';
import { builtInMetrics } from '../src/metrics/built-in.ts';
import { metricPath } from '../src/metrics/metric.ts';
import { foldBag } from './fold-bag.ts';

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];
const A = 1_700_000_000;
const DAY = 86_400;
const WEEK = windowSpecs.wallets.find((window) => window.name === '7d')!;

/** Trades of one entity over two weeks whose amounts are such that every sum is exact: whole numbers, costs powers of 2. */
function exactTrades(random: Random, count: number): EntityTrades {
  const trades = newEntityTrades(count);
  trades.length = count;
  trades.counterparties = 6;
  // One in four on the edge of an hour, and one at the very end.
  const times = Array.from({ length: count - 1 }, () =>
    random.chance(0.25) ? A - 3600 * random.below(14 * 24) : A - random.below(14 * DAY),
  );
  times.push(A);
  times.sort((a, b) => a - b);
  for (let i = 0; i < count; i++) {
    const isLast = i === count - 1;
    const isBuy = !isLast && random.chance(0.5);
    const isKnown = isLast || random.chance(0.9);
    const isRealised = isLast || (!isBuy && isKnown && random.chance(0.8));
    const cost = 2 ** random.below(6);
    const proceeds = random.below(100) + 0.5;
    trades.time[i] = times[i]!;
    trades.isBuy[i] = isBuy ? 1 : 0;
    trades.counterparty[i] = random.below(6);
    trades.tokenAmount[i] = 1 + random.below(1000);
    trades.usd[i] = isKnown ? random.below(1000) : Number.NaN;
    trades.marketCap[i] = random.chance(0.7) ? random.below(1e6) : Number.NaN;
    trades.cost[i] = isRealised ? cost : Number.NaN;
    trades.proceeds[i] = isRealised ? proceeds : Number.NaN;
    trades.pnl[i] = isRealised ? proceeds - cost : Number.NaN;
    const isSmall = !isLast && random.chance(0.2);
    trades.holding[i] = isRealised && !isSmall ? random.below(10_000) : Number.NaN;
    trades.entryDelay[i] = isBuy && random.chance(0.3) ? random.below(200) : Number.NaN;
    trades.openCost[i] = random.chance(0.2) ? 0 : random.below(5000);
  }
  return trades;
}

function exactPrints(random: Random, count: number): EntityPrints {
  const time = Float64Array.from({ length: count }, () => A - random.below(14 * DAY)).sort();
  return { length: count, time, price: Float64Array.from(time, () => 1 + random.below(50)) };
}

/** The trades that `keep` holds. */
function trades(of: EntityTrades, keep: (row: number) => boolean): EntityTrades {
  const rows = Array.from({ length: of.length }, (_, row) => row).filter(keep);
  const kept = newEntityTrades(rows.length);
  for (const [name, column] of Object.entries(kept) as [keyof EntityTrades, Float64Array][])
    if (typeof column !== 'number')
      rows.forEach((row, i) => {
        column[i] = (of[name] as Float64Array)[row]!;
      });
  kept.length = rows.length;
  kept.counterparties = of.counterparties;
  return kept;
}

/** What adds up over the parts of a window. */
const sums = [
  ...['buys', 'sells', 'buyVolume', 'sellVolume', 'buysKnown', 'sellsKnown', 'buyTokens', 'sellTokens'],
  ...['buyMarketCap', 'sellMarketCap', 'buyMarketCaps', 'sellMarketCaps', 'realised', 'wins', 'losses', 'winPnl'],
  ...['lossPnl', 'pnl', 'cost', 'winCost', 'lossCost', 'holding', 'rois', 'roiSum', 'weightedRoi', 'roiWeight'],
  ...['entries', 'earlyEntries', 'entryDelay', 'smallPnl', 'realisedCost'],
] as (keyof Bag)[];

test('cut anywhere, the sums of a window are those of its parts, and its extremes the greater of theirs', (t) => {
  t.diagnostic(`seeds ${SEEDS}`);
  for (const seed of SEEDS) {
    const random = new Random(seed, 1);
    const all = exactTrades(random, 60);
    const whole = foldBag(all, noPrints, WEEK, A);
    for (let i = 0; i < 20; i++) {
      const cut = i === 0 ? all.time[40]! : A - random.below(7 * DAY);
      const start = A - WEEK.seconds;
      const part = (from: number, to: number): Bag =>
        foldBag(
          trades(all, (row) => all.time[row]! <= to),
          noPrints,
          { ...WEEK, seconds: to - from, periods: 1, period: to - from },
          to,
        );
      if (cut === A) continue;
      const [before, after] = [part(start, cut), part(cut, A)];
      for (const name of sums)
        assert.equal(
          (before[name] as number) + (after[name] as number),
          whole[name],
          `seed ${seed}, ${name}, cut ${cut}`,
        );
      assert.equal(whole.pnl, whole.winPnl + whole.lossPnl + whole.smallPnl, 'what wins, losses and small sells made');
      assert.equal(Math.max(before.largestWin, after.largestWin), whole.largestWin);
      assert.equal(Math.min(before.largestLoss, after.largestLoss), whole.largestLoss);
      assert.ok(whole.longestWins >= Math.max(before.longestWins, after.longestWins));
      assert.ok(whole.longestWins <= before.longestWins + after.longestWins);
      assert.ok(whole.largestFall >= Math.max(before.largestFall, after.largestFall));
      assert.ok(whole.positions >= Math.max(before.positions, after.positions));
      assert.ok(whole.positions <= before.positions + after.positions);
      const area = before.averageOpenCost * before.seconds + after.averageOpenCost * after.seconds;
      assertClose(area, whole.averageOpenCost * whole.seconds, 1e-12, `seed ${seed}, time average of the open cost`);
    }
  }
});

test('the periods of a window add up to it', () => {
  for (const seed of SEEDS) {
    const all = exactTrades(new Random(seed, 2), 80);
    for (const kind of ['tokens', 'wallets'] as const)
      for (const window of windowSpecs[kind]) {
        const bag = foldBag(all, noPrints, window, A);
        assert.equal(bag.periodPnl.length, window.periods);
        assert.equal(
          bag.periodPnl.reduce((sum, pnl) => sum + pnl, 0),
          bag.pnl,
          `seed ${seed}, ${kind} ${window.name}`,
        );
        assert.equal(window.periods * window.period, window.seconds);
      }
  }
});

/** How a metric scales with money, and with amounts. */
const units: Readonly<Record<string, readonly [money: number, amount: number]>> = {
  USD: [1, 0],
  'USD per token': [1, -1],
};

test('twice the money doubles what counts in USD and leaves every ratio, count and duration as it is, to the bit', (t) => {
  t.diagnostic(`seeds ${SEEDS}`);
  for (const seed of SEEDS) {
    const random = new Random(seed, 3);
    const [all, prints] = [exactTrades(random, 80), exactPrints(random, 60)];
    for (const [money, amount] of [
      [8, 1],
      [1, 0.25],
      [0.5, 16],
    ] as const) {
      const scaled = trades(all, () => true);
      for (const name of ['usd', 'cost', 'proceeds', 'pnl', 'openCost', 'marketCap'] as const)
        scaled[name].forEach((value, row) => {
          scaled[name][row] = value * money;
        });
      scaled.tokenAmount.forEach((value, row) => {
        scaled.tokenAmount[row] = value * amount;
      });
      const dearer = { ...prints, price: prints.price.map((price) => (price * money) / amount) };
      for (const kind of ['tokens', 'wallets'] as const)
        for (const window of windowSpecs[kind]) {
          const of = (rows: EntityTrades, own: EntityPrints): Bag =>
            foldBag(rows, kind === 'tokens' ? own : noPrints, window, A);
          const [bag, other] = [of(all, prints), of(scaled, dearer)];
          for (const metric of builtInMetrics.filter((metric) => metric.of.includes(kind))) {
            const [byMoney, byAmount] = units[metric.unit] ?? [0, 0];
            const value = metric.value(bag);
            const wanted = value === null ? null : value * money ** byMoney * amount ** byAmount;
            assert.equal(metric.value(other), wanted, `seed ${seed}, ${kind} ${window.name} ${metricPath(metric)}`);
          }
        }
    }
  }
});

test('trades before a window, of positions that closed before it, change nothing in it', (t) => {
  t.diagnostic(`seeds ${SEEDS}`);
  for (const seed of SEEDS) {
    const random = new Random(seed, 4);
    const inside = trades(exactTrades(random, 60), () => true);
    const start = A - WEEK.seconds;
    const [within, around] = [trades(inside, (row) => inside.time[row]! > start), exactTrades(random, 60)];
    around.openCost.fill(0);
    const before = trades(around, (row) => around.time[row]! <= start);
    assert.ok(before.length > 10 && within.length > 10);
    const both = newEntityTrades(before.length + within.length);
    both.length = before.length + within.length;
    both.counterparties = 6;
    for (const [name, column] of Object.entries(both) as [keyof EntityTrades, Float64Array][]) {
      if (typeof column === 'number') continue;
      column.set(before[name] as Float64Array);
      column.set(within[name] as Float64Array, before.length);
    }
    assert.deepEqual(foldBag(both, noPrints, WEEK, A), foldBag(within, noPrints, WEEK, A), `seed ${seed}`);
  }
});

test('prints before a window count as one, the last of them', () => {
  const window = windowSpecs.tokens[0]!;
  for (const seed of SEEDS) {
    const prints = exactPrints(new Random(seed, 5), 80);
    const first = prints.time.findIndex((time) => time > A - window.seconds) - 1;
    assert.ok(first > 5);
    const fewer = {
      length: prints.length - first,
      time: prints.time.slice(first),
      price: prints.price.slice(first),
    };
    const none = newEntityTrades(0);
    assert.deepEqual(foldBag(none, fewer, window, A), foldBag(none, prints, window, A), `seed ${seed}`);
  }
});

function assertClose(actual: number, expected: number, part: number, what: string): void {
  const size = Math.max(Math.abs(actual), Math.abs(expected));
  assert.ok(Math.abs(actual - expected) <= part * size, `${what}: ${actual}, not ${expected}`);
}
