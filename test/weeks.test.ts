import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Candle, Swapfold, type SwapInput } from '@swapfold/core';
import { engines, withFolder } from './support/engines.ts';
import { DAY, swapped, worthConfig } from './support/worth.ts';

const WEEK = 7 * DAY;
const monday = Date.UTC(2025, 0, 6) / 1000;

/** X at these prices, each at its time. */
const bought = (prices: readonly (readonly [time: number, price: number])[]): SwapInput[] =>
  prices.map(([time, price]) => swapped(time, [price, 'USDC'], [1, 'X']));

const shown = (candles: readonly Candle[]) => candles.map(({ timestamp, open, close }) => [timestamp, open, close]);

const swaps = bought([
  [monday - WEEK, 1],
  [monday - 1, 2],
  [monday, 3],
  [monday + WEEK - 1, 4],
  [monday + 2 * WEEK, 5],
]);
const weeks = [
  [monday - WEEK, 1, 2],
  [monday, 3, 4],
  [monday + 2 * WEEK, 5, 5],
];

for (const [name, open] of Object.entries(engines))
  test(`${name}: candles of a week go from Monday to Monday`, () =>
    withFolder(async (folder) => {
      const dex = await Swapfold.open({ storage: open(folder), config: worthConfig });
      await dex.ingest(swaps.slice(0, 2));
      const week = { token: 'X', interval: WEEK };
      assert.deepEqual(shown(await dex.prices.candles(week)), weeks.slice(0, 1));
      // The series is cached by now, and a commit goes on with it.
      await dex.ingest(swaps.slice(2));
      assert.deepEqual(shown(await dex.prices.candles(week)), weeks);
      assert.deepEqual(shown(await dex.prices.candles({ ...week, count: 1 })), weeks.slice(2));
      // A range gives the buckets that overlap it: Sunday is of the week before, Monday begins its own.
      const at = (time: number): Date => new Date(time * 1000);
      const between = async (from: number, to: number) =>
        shown(await dex.prices.candles({ ...week, from: at(from), to: at(to) }));
      assert.deepEqual(await between(monday - 1, monday), weeks.slice(0, 1));
      assert.deepEqual(await between(monday - 1, monday + 1), weeks.slice(0, 2));
      assert.deepEqual(await between(monday, monday + WEEK), weeks.slice(1, 2));
      const filled = await dex.prices.candles({ ...week, fill: true });
      assert.deepEqual(shown(filled)[2], [monday + WEEK, 4, 4]);
      await dex.close();
    }));

test('candles of two weeks count from 1970-01-05, those of other lengths from 1970-01-01', async () => {
  const dex = await Swapfold.open({ storage: engines.memory!(''), config: worthConfig });
  await dex.ingest(swaps);
  // Monday 2025-01-06 is 2,870 weeks after Monday 1970-01-05: a fortnight begins with it.
  assert.equal((monday - 4 * DAY) / WEEK, 2870);
  const fortnights = await dex.prices.candles({ token: 'X', interval: 2 * WEEK });
  assert.deepEqual(
    fortnights.map(({ timestamp }) => timestamp),
    [monday - 2 * WEEK, monday, monday + 2 * WEEK],
  );
  for (const interval of [DAY, 3 * DAY, 8 * DAY, 30 * DAY])
    for (const { timestamp } of await dex.prices.candles({ token: 'X', interval }))
      assert.equal(timestamp % interval, 0, `${interval}`);
  await dex.close();
});

test('the first days of 1970 are of a week that begins before them', async () => {
  const dex = await Swapfold.open({ storage: engines.memory!(''), config: worthConfig });
  await dex.ingest(
    bought([
      [DAY, 1],
      [4 * DAY, 2],
    ]),
  );
  const week = { token: 'X', interval: WEEK };
  const both = [
    [-3 * DAY, 1, 1],
    [4 * DAY, 2, 2],
  ];
  for (const request of [week, week, { ...week, from: new Date(DAY * 1000) }])
    assert.deepEqual(shown(await dex.prices.candles(request)), both);
  await dex.close();
});

test('a subscription names the candle of a week by its Monday', async () => {
  const dex = await Swapfold.open({ storage: engines.memory!(''), config: worthConfig });
  await dex.ingest(swaps.slice(0, 2));
  const messages = dex.subscribe('candles', { token: 'X', interval: WEEK })[Symbol.asyncIterator]();
  const next = messages.next();
  await dex.ingest(swaps.slice(2, 3));
  const { value } = await next;
  assert.deepEqual(shown(value!.data), [[monday, 3, 3]]);
  await dex.close();
});
