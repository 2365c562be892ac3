import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Swapfold, type SwapInput } from '@swapfold/core';
import { engines } from './support/engines.ts';
import { DAY, MINUTE, price, swapped, T, worthConfig } from './support/worth.ts';

/** What W has, and the newest price of X, after some swaps. */
async function after(swaps: readonly SwapInput[], prices: Parameters<Swapfold['prices']['upsert']>[0] = []) {
  const dex = await Swapfold.open({ storage: engines.memory!(''), config: worthConfig });
  await dex.prices.upsert(prices);
  await dex.ingest(swaps);
  await dex.refresh();
  const [latest] = await dex.prices.latest({ tokens: ['X'] });
  const portfolio = await dex.portfolios.get({ wallet: 'W' });
  const { market } = await dex.tokens.get({ token: 'X' });
  assert.equal(market!.price, latest!.clean_usd_price);
  assert.equal((await dex.verify()).different, 0);
  await dex.close();
  return { latest: latest!, value: portfolio.value, tokens: portfolio.tokens };
}

/** W buys X at a price for so many USD, and V as often as that. */
const market = (usd: number, usdPrice: number, more: Partial<SwapInput> = {}): SwapInput[] =>
  Array.from({ length: 30 }, (_, i) =>
    swapped(T + 10 * i, [usd, 'USDC'], [usd / usdPrice, 'X'], { wallet: i === 0 ? 'W' : 'V', ...more }),
  );

for (const pool of [undefined, 'P'])
  test(`a purchase of 50,000 USD that is sold again in its transaction makes nobody rich, ${pool === undefined ? 'without pools' : 'in a pool'}`, async () => {
    const where = pool === undefined ? {} : { pool };
    const trip = { wallet: 'Z', tx_hash: 'z', ...where };
    const { latest, value } = await after([
      ...market(10, 0.0005, where),
      swapped(T + 400, [50_000, 'USDC'], [278, 'X'], { ...trip, swap_index: 1 }),
      swapped(T + 400, [278, 'X'], [50_000, 'USDC'], { ...trip, swap_index: 2 }),
      // What comes after is as it was.
      swapped(T + 500, [10, 'USDC'], [20_000, 'X'], { wallet: 'Y', ...where }),
    ]);
    // W holds 20,000 X at 0.0005.
    assert.deepEqual([value, latest.usd_price, latest.suspect, latest.clean_usd_price], [10, 0.0005, false, 0.0005]);
  });

test('a round trip that is the newest of a token at a price that nobody doubts is still no mark', async () => {
  const trip = { wallet: 'Z', tx_hash: 'z', pool: 'P' };
  const { latest, value } = await after([
    ...market(10, 1, { pool: 'P' }),
    swapped(T + 400, [20, 'USDC'], [10, 'X'], { ...trip, swap_index: 1 }),
    swapped(T + 400, [10, 'X'], [20, 'USDC'], { ...trip, swap_index: 2 }),
  ]);
  assert.deepEqual([latest.usd_price, latest.suspect, latest.clean_usd_price, value], [2, false, 1, 10]);
});

test('ten cents after a quiet day make no million', async () => {
  const { latest, value } = await after([
    ...market(1000, 1),
    swapped(T + 2 * DAY, [0.1, 'USDC'], [0.0001, 'X'], { wallet: 'Z' }),
  ]);
  assert.deepEqual([latest.usd_price, latest.suspect, latest.clean_usd_price, value], [1000, true, 1, 1000]);
});

test('a token with four trades a day is protected', async () => {
  const swaps = Array.from({ length: 40 }, (_, i) =>
    swapped(T + i * (DAY / 4), [100, 'USDC'], [100, 'X'], { wallet: i === 0 ? 'W' : `V${i % 4}`, pool: 'P' }),
  );
  const { latest, value } = await after([
    ...swaps,
    swapped(T + 11 * DAY, [0.5, 'USDC'], [0.0005, 'X'], { wallet: 'Z', pool: 'P' }),
  ]);
  assert.deepEqual([latest.suspect, latest.clean_usd_price, value], [true, 1, 100]);
});

test('after a rug the mark falls with the fifth wallet that sells at the bottom', async () => {
  // Fifteen wallets and W bought at 1. Then others sell for a thousandth.
  const bought = Array.from({ length: 16 }, (_, i) =>
    swapped(T + i, [100, 'USDC'], [100, 'X'], { wallet: i === 0 ? 'W' : `B${i}`, pool: 'P' }),
  );
  const marks: (number | null)[] = [];
  for (let count = 1; count <= 6; count++) {
    const sold = Array.from({ length: count }, (_, i) =>
      swapped(T + 100 + i, [100, 'X'], [0.1, 'USDC'], { wallet: `S${i}`, pool: 'P' }),
    );
    marks.push((await after([...bought, ...sold])).latest.clean_usd_price);
  }
  assert.deepEqual(marks, [1, 1, 1, 1, 0.001, 0.001]);
});

test('nine wallets of one in a pool of its own do not move a mark that five votes of the first pool hold', async () => {
  const own = Array.from({ length: 9 }, (_, i) =>
    swapped(T + 400 + i, [100, 'USDC'], [0.1, 'X'], { wallet: `Z${i}`, pool: 'ZP' }),
  );
  const others = Array.from({ length: 3 }, (_, i) =>
    swapped(T + 350 + i, [100, 'USDC'], [100, 'X'], { wallet: `V${i}`, pool: 'P' }),
  );
  const { latest } = await after([...market(100, 1, { pool: 'P' }), ...others, ...own]);
  assert.deepEqual([latest.usd_price, latest.suspect, latest.clean_usd_price], [1000, true, 1]);
});

test('a transaction votes once, with its last print', async () => {
  // Five swaps of one transaction at 0.001, then one at 1: its vote is at 1, and a sale at 0.001 stays alone.
  const swaps = Array.from({ length: 6 }, (_, i) =>
    swapped(T + 400, [i < 5 ? 0.1 : 100, 'USDC'], [100, 'X'], { tx_hash: 'z', swap_index: i, wallet: 'Z', pool: 'P' }),
  );
  const votes = Array.from({ length: 15 }, (_, i) =>
    swapped(T + i, [100, 'USDC'], [100, 'X'], { wallet: i === 0 ? 'W' : `B${i}`, pool: 'P' }),
  );
  const falls = Array.from({ length: 4 }, (_, i) =>
    swapped(T + 500 + i, [100, 'X'], [0.1, 'USDC'], { wallet: `S${i}`, pool: 'P' }),
  );
  const { latest } = await after([...votes, ...swaps, ...falls]);
  assert.deepEqual([latest.usd_price, latest.suspect, latest.clean_usd_price], [0.001, true, 1]);
});

test('a stable token is worth its reference price while one holds, and 1 USD else', async () => {
  const swaps = [
    swapped(T, [100, 'USDT'], [100, 'X'], { wallet: 'V' }),
    swapped(T + 1, [100, 'X'], [100, 'USDT']),
    swapped(T + 2 * MINUTE, [1, 'USDT'], [1, 'X'], { wallet: 'V' }),
  ];
  const usdt = async (prices: Parameters<typeof after>[1]) =>
    (await after(swaps, prices)).tokens.find(({ token }) => token === 'USDT')!.value;
  assert.equal(await usdt([]), 100);
  assert.equal(await usdt([price('USDT', T, 0.15)]), 15);
  // Known after all swaps, but before nothing was asked: no price yet.
  assert.equal(await usdt([price('USDT', T + DAY, 0.15)]), 100);
});

for (const [token, amount, before, after] of [
  ['MSOL', 1, 100, 150],
  ['USDT', 100, 1, 0.9],
] as const)
  test(`a reference price that comes after all swaps of ${token} moves the mark, in profiles and histories, too`, async () => {
    const dex = await Swapfold.open({ storage: engines.memory!(''), config: worthConfig });
    await dex.ingest([
      swapped(T, [100, 'USDC'], [amount, token], { pool: 'P' }),
      swapped(T + MINUTE, [1, 'USDC'], [1, 'X'], { pool: 'P' }),
    ]);
    await dex.refresh();
    const mark = async () => {
      assert.deepEqual((await dex.verify()).differences, []);
      const { market } = await dex.tokens.get({ token });
      const { points } = await dex.tokens.history({ token, interval: MINUTE, metrics: ['price'] });
      return [market!.price, points.map((point) => point.price)];
    };
    assert.deepEqual(await mark(), [before, [before, before]]);
    await dex.prices.upsert([price(token, T + MINUTE, after)]);
    await dex.refresh({ scope: 'traded' });
    assert.deepEqual(await mark(), [after, [before, after]]);
    await dex.close();
  });
