import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ConfigInput, memory, Swapfold, type SwapInput } from '@swapfold/core';
import { DAY, swapped, T, worthConfig } from '../../../test/support/worth.ts';

type Trip = readonly [paid: number, received: number, held?: number, tokens?: number];

/** Every ten minutes from T on some X are bought and sold again, 100 of them after 30 seconds if nothing else is said. */
function trips(list: readonly Trip[], quote = 'USDC', bought = 100): SwapInput[] {
  return list.flatMap(([paid, received, held = 30, tokens = 100], i) => [
    swapped(T + i * 600, [paid, quote], [bought, 'X']),
    swapped(T + i * 600 + held, [tokens, 'X'], [received, quote]),
  ]);
}

const times = (count: number, trip: Trip): Trip[] => Array.from({ length: count }, () => trip);
const oldLot = (quote = 'USDC'): SwapInput => swapped(T - 3 * DAY, [1000, quote], [1000, 'X']);

interface Washed {
  readonly volume: number | null;
  readonly wash: number | null;
  readonly share: number | null;
  readonly organic: number | null;
}

/** What wallet and token say of a window; the position agrees with the wallet. */
async function washed(swaps: SwapInput[], window: '7d' | '1d' = '7d', wash: ConfigInput['wash'] = {}): Promise<Washed> {
  const dex = await Swapfold.open({ storage: memory(), config: { ...worthConfig, wash } });
  try {
    const { rejected } = await dex.ingest(swaps);
    assert.equal(rejected, 0);
    await dex.refresh();
    const { metrics } = await dex.wallets.get({ wallet: 'W' });
    const own = metrics![window]!;
    const position = await dex.positions.get({ wallet: 'W', token: 'X', options: { include_metrics: [window] } });
    assert.equal(position.metrics![window]!.wash_volume, own.wash_volume);
    const token = (await dex.tokens.get({ token: 'X' })).metrics![window]!;
    return { volume: own.volume, wash: own.wash_volume, share: own.wash_share, organic: token.organic_volume };
  } finally {
    await dex.close();
  }
}

test('fifty round trips are wash beside a lot that was bought three days before', async () => {
  const swaps = [oldLot(), ...trips(times(50, [100, 100]))];
  // 50 x (100 + 100), and the lot of 1,000.
  assert.deepEqual(await washed(swaps), { volume: 11_000, wash: 10_000, share: 10_000 / 11_000, organic: 1000 });
  assert.deepEqual(await washed(swaps, '1d'), { volume: 10_000, wash: 10_000, share: 1, organic: 0 });
});

test('what a sell takes from an old lot on top is no wash', async () => {
  // Each sells 110 for 110, of which 100 were bought half a minute before.
  const swaps = [oldLot(), ...trips(times(50, [100, 110, 30, 110]))];
  assert.deepEqual(await washed(swaps, '1d'), {
    volume: 10_500,
    wash: 10_000,
    share: 10_000 / 10_500,
    organic: 500,
  });
});

test('without a price in USD the share is that of the native token', async () => {
  const swaps = [oldLot('SOL'), ...trips(times(50, [10, 9.75]), 'SOL')];
  // 50 x (10 + 9.75), and the lot of 1,000.
  assert.deepEqual(await washed(swaps), { volume: 0, wash: 0, share: 987.5 / 1987.5, organic: 0 });
  assert.deepEqual(await washed(swaps, '1d'), { volume: 0, wash: 0, share: 1, organic: 0 });
  // One trade in USD among a hundred without a price hides nothing.
  const one = swapped(T + DAY / 2, [5, 'USDC'], [5, 'X']);
  assert.deepEqual(await washed([...swaps, one], '1d'), { volume: 5, wash: 0, share: 1, organic: 5 });
});

const rows: readonly (readonly [Trip, number, string])[] = [
  [[100, 100, 120], 1000, 'a sell 120 s after its buy is quick'],
  [[100, 100, 121], 0, 'a second more is not'],
  [[499, 501], 5000, 'a gain of 2 of 1,000 is even'],
  [[499, 501.01], 0, 'a gain of more than two thousandths is not'],
  [[103, 97], 1000, 'a loss of 6 of 200 is what fees take'],
  [[103, 96.9], 0, 'a loss of more than 3 % is not'],
  [[99.8, 100.2], 1000, 'a limit is met where rounding alone misses it: 0.4 of 200'],
];
for (const [trip, wash, sentence] of rows)
  test(`five round trips: ${sentence}`, async () => {
    assert.equal((await washed(trips(times(5, trip)))).wash, wash);
  });

test('four round trips are too few', async () => {
  assert.equal((await washed(trips(times(4, [100, 100])))).wash, 0);
  assert.equal((await washed(trips(times(4, [100, 100])), '7d', { min_buys: 4, min_sells: 4 })).wash, 800);
});

test('one buy that five sells take, and one sell that takes five buys, are no five of each', async () => {
  const apart = [
    swapped(T, [500, 'USDC'], [500, 'X']),
    ...Array.from({ length: 5 }, (_, i) => swapped(T + 10 + i, [100, 'X'], [100, 'USDC'])),
  ];
  assert.equal((await washed(apart)).wash, 0);
  assert.equal((await washed(apart, '7d', { min_buys: 1 })).wash, 1000);
  const together = [
    ...Array.from({ length: 5 }, (_, i) => swapped(T + i, [100, 'USDC'], [100, 'X'])),
    swapped(T + 60, [500, 'X'], [500, 'USDC']),
  ];
  assert.equal((await washed(together)).wash, 0);
  assert.equal((await washed(together, '7d', { min_sells: 1 })).wash, 1000);
});

test('a quick gain that outweighs the round trips clears them', async () => {
  // 100 of 10 x 100 + 100 + 200 is 7.7 %.
  const swaps = trips([...times(5, [100, 100]), [100, 200]]);
  assert.deepEqual(await washed(swaps), { volume: 1300, wash: 0, share: 0, organic: 1300 });
  // 4 of 10 x 1,000 + 100 + 104 is 0.04 %: the quick gain itself is still no wash.
  const little = trips([...times(5, [1000, 1000]), [100, 104]]);
  assert.equal((await washed(little)).wash, 10_000);
});

test('each token is sold once, from the newest buy', async () => {
  // Buys of 100 X for 150 and, ten seconds later, for 100; a sell of 100 X for 100 ten seconds after that.
  const swaps = Array.from({ length: 5 }, (_, i) => [
    swapped(T + i * 600, [150, 'USDC'], [100, 'X']),
    swapped(T + i * 600 + 10, [100, 'USDC'], [100, 'X']),
    swapped(T + i * 600 + 20, [100, 'X'], [100, 'USDC']),
  ]).flat();
  assert.deepEqual(await washed(swaps), { volume: 1750, wash: 1000, share: 1000 / 1750, organic: 750 });
  // All at one price: the older buys stay untaken.
  const even = swaps.map((swap) => (swap.token_amount_in === 150 ? { ...swap, token_amount_in: 100 } : swap));
  assert.deepEqual(await washed(even), { volume: 1500, wash: 1000, share: 1000 / 1500, organic: 500 });
});

test('a buy before the window is no part of a round trip in it', async () => {
  // As of T + 1 day + 30 s the first buy is a day and 30 s old, its sell exactly a day: both lie before.
  const swaps = [...trips(times(5, [100, 100])), swapped(T + DAY + 29, [1, 'USDC'], [1, 'X'])];
  // As of T + 1 day + 29 s the first sell is in the window and its buy is not: four round trips are left.
  assert.deepEqual(await washed(swaps, '1d'), { volume: 901, wash: 0, share: 0, organic: 901 });
  assert.equal((await washed(swaps, '1d', { min_buys: 4, min_sells: 4 })).wash, 800);
});

test('the order of arrival changes nothing', async () => {
  const swaps = [oldLot(), ...trips(times(8, [100, 99, 30, 101]))];
  const late = swaps.filter((_, i) => i % 3 === 0);
  const dex = await Swapfold.open({ storage: memory(), config: worthConfig });
  await dex.ingest(swaps.filter((_, i) => i % 3 !== 0));
  await dex.refresh();
  for (const swap of late) {
    await dex.ingest([swap]);
    await dex.refresh({ scope: 'traded' });
  }
  await dex.refresh();
  const { metrics } = await dex.wallets.get({ wallet: 'W' });
  await dex.close();
  assert.equal(metrics!['7d']!.wash_volume, (await washed(swaps)).wash);
  assert.ok(metrics!['7d']!.wash_volume! > 0);
});

test('thresholds that are none are named', async () => {
  for (const wash of [{ max_loss: -1 }, { max_loss: Number.NaN }, { max_result: -0.1 }, { min_buys: 0 }])
    await assert.rejects(
      Swapfold.open({ storage: memory(), config: { ...worthConfig, wash } }),
      new RegExp(Object.keys(wash)[0]!),
    );
});
