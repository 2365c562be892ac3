import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Swapfold, type SwapInput } from '@swapfold/core';
import { engines, withFolder } from './support/engines.ts';
import { DAY, MINUTE, swapped, T, worthConfig } from './support/worth.ts';

/** [swaps, from, seconds]: X trades for USDC, each fifth time for a token without a price; there are hours and days without any. */
const bursts: readonly (readonly [count: number, from: number, seconds: number])[] = [
  [9000, T, 600],
  [400, T + DAY, 2 * DAY],
  [12_000, T + 3 * DAY, 40],
  // No price in any of them.
  [300, T + 3 * DAY + 120, 300],
  [22_000, T + 4 * DAY, 3600],
  [2000, T + 6 * DAY, 90],
];

const swaps: readonly SwapInput[] = bursts.flatMap(([count, from, seconds], burst) =>
  Array.from({ length: count }, (_, i) => {
    const other = burst === 3 || i % 5 === 4 ? 'U' : 'USDC';
    const given = 1 + ((i * 7919) % 100) / 1000;
    return swapped(from + Math.floor((i * seconds) / count), [given, other], [1, 'X'], { block_slot: burst * 1e6 + i });
  }),
);

interface Bucket {
  prices: number[];
  volume: number;
  count: number;
}

interface Asked {
  readonly interval: number;
  readonly count: number;
  readonly fill: boolean;
}

/** Of a few buckets, of buckets that many swaps share, and of those that lie behind hours without any. */
const questions: readonly Asked[] = [
  [1, 40],
  [1, 2000],
  [MINUTE, 1],
  [MINUTE, 59],
  [MINUTE, 62],
  [MINUTE, 5000],
  [3600, 2],
  [3600, 40],
  [DAY, 3],
  [DAY, 300],
].flatMap(([interval, count]) => [false, true].map((fill) => ({ interval: interval!, count: count!, fill })));

/** What candles of X are by their definition. */
function expected(swaps: readonly SwapInput[], { interval, count, fill }: Asked) {
  const buckets = new Map<number, Bucket>();
  for (const { block_time, token_in, token_amount_in } of swaps) {
    const start = Math.floor((block_time as number) / interval) * interval;
    const bucket = buckets.get(start) ?? { prices: [], volume: 0, count: 0 };
    buckets.set(start, bucket);
    bucket.count++;
    if (token_in === 'U') continue;
    bucket.prices.push(token_amount_in);
    bucket.volume += token_amount_in;
  }
  const printed = [...buckets].filter(([, { prices }]) => prices.length > 0).map(([start]) => start);
  const last = printed.at(-1)!;
  const first = fill
    ? Math.max(printed[0]!, last - (count - 1) * interval)
    : printed[Math.max(0, printed.length - count)]!;
  const candles: Record<string, number>[] = [];
  let close = Number.NaN;
  for (let timestamp = printed[0]!; timestamp <= last; timestamp += interval) {
    const { prices, volume, count: swapCount } = buckets.get(timestamp) ?? { prices: [], volume: 0, count: 0 };
    const isPrinted = prices.length > 0;
    const [open, high, low] = isPrinted
      ? [prices[0]!, Math.max(...prices), Math.min(...prices)]
      : [close, close, close];
    close = isPrinted ? prices.at(-1)! : close;
    if (timestamp >= first && (fill || isPrinted))
      candles.push({ timestamp, open, high, low, close, volume, count: swapCount, suspect_count: 0 });
  }
  return candles;
}

// From here on candles are cached, and go on with what comes.
const later = [180, 181, 181, 400].map((seconds, i) =>
  swapped(T + 6 * DAY + seconds, [1 + i / 10, i === 1 ? 'USDC' : 'U'], [1, 'X'], { block_slot: 9e6 + i }),
);
later.push(swapped(T + 6 * DAY + 401, [2, 'USDC'], [1, 'X'], { block_slot: 9e6 + 9 }));

/** The answers to all questions before and after those swaps. */
const [before, after] = [swaps, [...swaps, ...later]].map((stored) =>
  questions.map((asked) => expected(stored, asked)),
);

for (const [name, open] of Object.entries(engines)) {
  test(`${name}: the latest candles of a token with tens of thousands of swaps, however these lie in time`, () =>
    withFolder(async (folder) => {
      const dex = await Swapfold.open({ storage: open(folder), config: worthConfig });
      const check = async (answers: typeof before): Promise<void> => {
        for (const [i, asked] of questions.entries())
          assert.deepEqual(await dex.prices.candles({ token: 'X', ...asked }), answers![i], JSON.stringify(asked));
      };
      await dex.ingest(swaps);
      await check(before);
      await dex.ingest(later.slice(0, 2));
      await dex.ingest(later.slice(2));
      await check(after);
      await dex.close();
    }));
}
