import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memory, type PriceInput, Swapfold, type SwapInput } from '@swapfold/core';
import { MINUTE, price, swapped, T, worthConfig } from './support/worth.ts';

const SOL = 'SOL';
/** Dollars for SOL, by a wallet. */
const sold = (time: number, usd: number, wallet: string, more: Partial<SwapInput> = {}): SwapInput =>
  swapped(time, [1, SOL], [usd, 'USDC'], { wallet, ...more });
/** SOL for a token: its value is asked. */
const asked = (time: number, more: Partial<SwapInput> = {}): SwapInput => swapped(time, [1, SOL], [10, 'X'], more);
/** The default of `reference_max_age`, seconds. */
const AGE = 90_000;
const nobody = { wallet: 'nobody' } as const;

type Worth = readonly [usd: number | null, valuedBy: string | null];

interface Case {
  readonly title: string;
  readonly swaps: readonly SwapInput[];
  readonly prices?: readonly PriceInput[];
  /** What the last swaps are worth, oldest first. */
  readonly last: readonly Worth[];
}

const five = (usd: number) => ['A', 'B', 'C', 'D', 'E'].map((wallet, i) => sold(T + i, usd, wallet));

const cases: readonly Case[] = [
  {
    title: 'a leg of nothing says nothing of what something is worth: the feed does, or the other stable leg',
    swaps: [
      ...[0, 1].map((i) => sold(T + i, 100, 'V')),
      swapped(T + 2, [0, SOL], [10, 'X']),
      swapped(T + 3, [0, SOL], [10, 'X'], { usd_amount_out: 27, usd_amount_in: 0 }),
      swapped(T + 4, [0, 'USDC'], [10, 'USDT'], { usd_amount_out: 27 }),
      swapped(T + 5, [0, SOL], [0, 'X']),
    ],
    last: [
      [null, null],
      [27, 'feed'],
      [10, 'stable'],
      [0, 'native'],
    ],
  },
  {
    title: 'a swap of 15 cents after twenty of 10,000 dollars leaves SOL at 100',
    swaps: [
      ...Array.from({ length: 20 }, (_, i) => swapped(T + i, [10_000, 'USDC'], [100, SOL], { wallet: 'V' })),
      swapped(T + 30, [0.15, 'USDC'], [0.15, SOL], { wallet: 'V' }),
      asked(T + 60),
    ],
    last: [[100, 'native']],
  },
  {
    title: 'five dollars for a billionth of a SOL do not make a SOL five billion',
    swaps: [
      ...[0, 1].map((i) => sold(T + i, 100, 'V')),
      swapped(T + 30, [5, 'USDC'], [1e-9, SOL], { wallet: 'V' }),
      asked(T + 60),
    ],
    last: [[100, 'native']],
  },
  {
    title: 'forty swaps that the native price valued do not outvote the dollars that come after',
    swaps: [
      sold(T, 100, 'V'),
      ...Array.from({ length: 40 }, (_, i) => asked(T + 1 + i, { wallet: `L${i}` })),
      sold(T + 50, 200, 'A'),
      sold(T + 51, 200, 'B'),
      asked(T + 60),
    ],
    last: [[200, 'native']],
  },
  {
    title: 'a feed votes from the second on in which the newest firm vote is too old',
    swaps: [
      sold(T, 100, 'V'),
      asked(T + AGE, { usd_amount_in: 110 }),
      asked(T + AGE),
      // Of the feed's votes, 110 and 120, the newest is within a quarter of the lower median.
      asked(T + AGE + 1, { usd_amount_in: 120 }),
      asked(T + AGE + 2),
    ],
    last: [
      [100, 'native'],
      [120, 'feed'],
      [120, 'native'],
    ],
  },
  {
    title: 'of swaps for two tokens that have no price and no feed the value is unknown until a vote says it',
    swaps: [asked(T), sold(T + 1, 150, 'V'), asked(T + 2)],
    last: [
      [null, null],
      [150, 'stable'],
      [150, 'native'],
    ],
  },
  {
    title: 'a vote holds as long as a reference price',
    swaps: [sold(T, 150, 'V'), asked(T + 90_000), asked(T + 90_001)],
    last: [
      [150, 'native'],
      [null, null],
    ],
  },
  {
    title: 'a SOL that was bought for 10 dollars in January contradicts no feed in December',
    swaps: [
      ...Array.from({ length: 6 }, (_, i) => sold(T + i, 10, `V${i}`)),
      asked(T + 300 * 86_400, { usd_amount_in: 100 }),
      asked(T + 300 * 86_400 + 1, { usd_amount_in: 200 }),
    ],
    last: [
      [100, 'feed'],
      [200, 'feed'],
    ],
  },
  {
    title: 'five votes contradict a feed that is more than a quarter off, four do not',
    swaps: [
      ...five(100).slice(1),
      asked(T + 10, { usd_amount_in: 1000, ...nobody }),
      sold(T + 20, 100, 'A'),
      asked(T + 30, { usd_amount_out: 125, ...nobody }),
      asked(T + 31, { usd_amount_out: 125.1, ...nobody }),
      asked(T + 32, { usd_amount_out: 80, ...nobody }),
      asked(T + 33, { token_price_in: 79.9, ...nobody }),
    ],
    last: [
      [1000, 'feed'],
      [100, 'stable'],
      [125, 'feed'],
      [100, 'native'],
      [80, 'feed'],
      [100, 'native'],
    ],
  },
  {
    title: 'three votes of one wallet and one of another are four, whatever they sold',
    swaps: [
      ...Array.from({ length: 9 }, (_, i) => sold(T + i, 100, 'V')),
      sold(T + 10, 100, 'A'),
      asked(T + 20, { usd_amount_in: 1000 }),
    ],
    last: [[1000, 'feed']],
  },
  {
    title: 'where no stable token is traded what feeds say of SOL is its price, but for a feed that it contradicts',
    swaps: [
      ...['A', 'B', 'C', 'D', 'E'].map((wallet, i) => asked(T + i, { wallet, usd_amount_in: 100 })),
      asked(T + 10, { wallet: 'F', usd_amount_in: 500 }),
      ...[11, 12].map((i) => asked(T + i, { wallet: 'F', usd_amount_in: 120 })),
      asked(T + 20),
    ],
    // Of 100 x 5, 120, 120 the median is 100, and the newest is within a quarter.
    last: [
      [100, 'native'],
      [120, 'feed'],
      [120, 'feed'],
      [120, 'native'],
    ],
  },
  {
    title: 'one stable vote counts for more than what feeds say',
    swaps: [
      sold(T, 100, 'V'),
      ...['A', 'B', 'C', 'D', 'E'].map((wallet, i) => asked(T + 1 + i, { wallet, usd_amount_in: 300 })),
      asked(T + 20),
      asked(T + 90_001, nobody),
      asked(T + 90_006, nobody),
    ],
    // The stable vote has grown too old, then the oldest of those of the feed; they are 300 all.
    last: [
      [100, 'native'],
      [300, 'native'],
      [null, null],
    ],
  },
  {
    title: 'the price that a reference token gives SOL is as old as its reference price',
    prices: [price('MSOL', T - 80_000, 110)],
    swaps: [
      swapped(T, [1, 'MSOL'], [1, SOL], nobody),
      // Now SOL has a price itself, which makes this no vote.
      swapped(T + 5, [1, SOL], [2, 'MSOL'], nobody),
      asked(T + 10_000),
      asked(T + 10_001),
    ],
    last: [
      [110, 'reference'],
      [110, 'native'],
      [110, 'native'],
      [null, null],
    ],
  },
  {
    title: 'what a reference price of SOL values is no vote for SOL',
    prices: [price(SOL, T, 200)],
    swaps: [
      ...['A', 'B', 'C', 'D', 'E', 'F'].map((wallet, i) => asked(T + i, { wallet })),
      asked(T + 90_000),
      asked(T + 90_001),
    ],
    last: [
      [200, 'reference'],
      [null, null],
    ],
  },
  {
    title: 'five votes after a reference price replace it, and one at its time does not',
    prices: [price(SOL, T + 1, 200)],
    swaps: [...five(150), asked(T + 10), sold(T + 20, 150, 'F'), asked(T + 30), sold(T + 40, 150, 'G'), asked(T + 50)],
    last: [
      [200, 'reference'],
      [150, 'stable'],
      [200, 'reference'],
      [150, 'stable'],
      [150, 'native'],
    ],
  },
  {
    title: 'a transaction that moved SOL both ways through a pool has no vote by that pool',
    swaps: [
      sold(T, 100, 'V'),
      swapped(T + 10, [900, 'USDC'], [1, SOL], { tx_hash: 'round', swap_index: 0, pool: 'P', wallet: 'A' }),
      swapped(T + 10, [1, SOL], [10, 'USDC'], { tx_hash: 'round', swap_index: 1, pool: 'P', wallet: 'B' }),
      asked(T + 20),
      swapped(T + 30, [40, 'USDC'], [1, SOL], { tx_hash: 'way', swap_index: 0, pool: 'P', wallet: 'A' }),
      swapped(T + 30, [1, SOL], [9, 'X'], { tx_hash: 'way', swap_index: 1, pool: 'Q', wallet: 'A' }),
      asked(T + 40),
    ],
    // 100 and 40: the lower counts. Within the transaction SOL is still worth 100.
    last: [
      [100, 'native'],
      [40, 'stable'],
      [100, 'native'],
      [40, 'native'],
    ],
  },
  {
    title: 'the vote of a transaction is its last print, of a stable leg before one of a feed',
    swaps: [
      sold(T, 90, 'A', { tx_hash: 'two', swap_index: 0, pool: 'P' }),
      sold(T, 95, 'B', { tx_hash: 'two', swap_index: 1, pool: 'Q' }),
      swapped(T, [1, SOL], [9, 'X'], { tx_hash: 'two', swap_index: 2, usd_amount_in: 70 }),
      asked(T + 1, nobody),
      sold(T + 2, 96, 'C'),
      asked(T + 3),
    ],
    // One vote of 95, then 96 and 95 with the median 95.
    last: [
      [95, 'native'],
      [96, 'stable'],
      [96, 'native'],
    ],
  },
  {
    title: 'a leg of less than the dust limit is no vote, one of the limit is',
    swaps: [
      sold(T, 100, 'V'),
      swapped(T + 1, [0.09, 'USDC'], [1, SOL], nobody),
      asked(T + 2),
      swapped(T + 3, [0.1, 'USDC'], [1, SOL], nobody),
      asked(T + 4),
    ],
    last: [
      [100, 'native'],
      [0.1, 'stable'],
      [0.1, 'native'],
    ],
  },
  {
    title: 'a feed that is believed beside a stable leg gives the vote its price',
    swaps: [sold(T, 100, 'V', { usd_amount_out: 98 }), sold(T + 1, 100, 'A', { usd_amount_in: 60 }), asked(T + 2)],
    // 100 and 98: the newest within a quarter of 98.
    last: [
      [98, 'feed'],
      [100, 'stable'],
      [100, 'native'],
    ],
  },
  {
    title: 'of two stable legs the one that the configuration names first says the value',
    prices: [price('USDT', T, 0.5), price('USDC', T + 10, 0.9)],
    swaps: [swapped(T, [100, 'USDT'], [60, 'USDC']), swapped(T + 10, [60, 'USDC'], [100, 'USDT'])],
    last: [
      [60, 'stable'],
      [54, 'reference'],
    ],
  },
  {
    title: 'of a swap of two tokens the smaller number of a feed counts, and of one with a quote token that token’s',
    swaps: [
      swapped(T, [1, 'X'], [1, 'Y'], { usd_amount_in: 90, usd_amount_out: 80 }),
      swapped(T, [1, 'X'], [1, 'Y'], { usd_amount_in: 70, token_price_out: 80 }),
      swapped(T, [1, SOL], [1, 'Y'], { usd_amount_in: 90, usd_amount_out: 80 }),
      swapped(T, [1, 'Y'], [1, 'MSOL'], { usd_amount_in: 70, token_price_out: 80 }),
      swapped(T, [2, 'MSOL'], [3, SOL], { token_price_in: 70, token_price_out: 80 }),
    ],
    last: [
      [80, 'feed'],
      [70, 'feed'],
      [90, 'feed'],
      [80, 'price'],
      [240, 'price'],
    ],
  },
  {
    title: 'a reference leg contradicts a feed that is more than a quarter off if the native one is not firm',
    prices: [price('MSOL', T, 100)],
    swaps: [
      sold(T, 50, 'V'),
      swapped(T + 1, [1, SOL], [1, 'MSOL'], { usd_amount_in: 300, ...nobody }),
      swapped(T + 2, [1, SOL], [1, 'MSOL'], { usd_amount_in: 110, ...nobody }),
      swapped(T + 3, [1, SOL], [1, 'MSOL'], nobody),
    ],
    // The votes are then 50, and 100 by the reference price: the feed’s 110 is no firm one.
    last: [
      [50, 'stable'],
      [100, 'reference'],
      [110, 'feed'],
      [50, 'native'],
    ],
  },
];

for (const { title, swaps, prices = [], last } of cases)
  test(title, async () => {
    for (const [way, sets] of [
      ['one by one', swaps.map((swap) => [swap])],
      ['at once', [swaps]],
      ['the last first', [...swaps].reverse().map((swap) => [swap])],
    ] as const) {
      const dex = await Swapfold.open({ storage: memory(), config: worthConfig });
      await dex.prices.upsert(prices);
      for (const set of sets) await dex.ingest(set);
      const { data } = await dex.swaps.list({ limit: 100 });
      const found = data.map(({ usd_amount_in, usd_amount_out, valued_by }) => {
        assert.equal(usd_amount_in, usd_amount_out);
        return [usd_amount_in, valued_by];
      });
      assert.deepEqual(found.slice(0, last.length).reverse(), last, way);
      assert.equal((await dex.verify()).different, 0);
      await dex.close();
    }
  });

test('a trade counts in SOL at the votes’ price after its transaction', async () => {
  const dex = await Swapfold.open({ storage: memory(), config: worthConfig });
  await dex.ingest([
    sold(T, 100, 'V'),
    swapped(T + MINUTE, [300, 'USDC'], [10, 'X']),
    swapped(T + 90_001, [300, 'USDC'], [10, 'X']),
  ]);
  const { data } = await dex.trades.list({ wallet: 'W' });
  assert.deepEqual(
    data.map(({ native_amount }) => native_amount),
    [null, 3],
  );
  await dex.close();
});
