import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PriceInput, presets, Swapfold, type SwapInput } from '@swapfold/core';
import { allAnswers } from './support/answers.ts';
import { engines, withFolder } from './support/engines.ts';
import { smallMarket } from './support/market.ts';
import { shuffled } from './support/shuffle.ts';
import { cases, isWhole } from './support/whole.ts';
import { DAY, price, swapped, T, worthConfig } from './support/worth.ts';
import { worthCases } from './support/worth-cases.ts';

for (const [name, open] of Object.entries(engines)) worthCases(name, open, { withRules: isWhole || name === 'memory' });

test('a row of prices at fault is rejected with its field and what would do, and the others are stored', async () => {
  const dex = await Swapfold.open({ storage: engines.memory!(''), config: worthConfig });
  const rows = [
    price('SOL', T, 200),
    price('X', T, 1),
    price('SOL', T, 0),
    price('SOL', -1, 1),
    { token: 'SOL', time: T, price: 3 },
    7,
  ] as readonly PriceInput[];
  const { stored, rejected, rejects } = await dex.prices.upsert(rows);
  assert.deepEqual([stored, rejected], [1, 5]);
  assert.deepEqual(
    rejects.map(({ row, field }) => [row, field]),
    [
      [1, 'token'],
      [2, 'usd_price'],
      [3, 'time'],
      [4, 'usd_price'],
      [5, ''],
    ],
  );
  assert.match(
    rejects[0]!.reason,
    /^"X" is no quote token .*: USDC \(USDC\), USDT \(USDT\), SOL \(SOL\), mSOL \(MSOL\)\.$/,
  );
  assert.match(rejects[1]!.reason, /above 0, or null to remove it/);
  await assert.rejects(dex.prices.upsert({} as never), { code: 'invalid-input' });
  await dex.close();
});

test('a price that swaps of its hour contradict by more than print_factor is told, and stored', async () => {
  const hour = T - (T % 3600);
  const dex = await Swapfold.open({ storage: engines.memory!(''), config: worthConfig });
  // Votes of 90, 100 and 101 in one hour, and of 1 in the next.
  await dex.ingest([
    swapped(hour, [1, 'SOL'], [90, 'USDC']),
    swapped(hour + 1, [101, 'USDC'], [1, 'SOL'], { wallet: 'V' }),
    swapped(hour + 3599, [1, 'SOL'], [100, 'USDC']),
    swapped(hour + 3600, [1, 'SOL'], [1, 'USDC']),
  ]);
  const { stored, warnings } = await dex.prices.upsert([
    price('SOL', hour - 1, 7000),
    price('SOL', hour + 10, 500),
    price('SOL', hour + 11, 500.1),
    price('SOL', hour + 3599, 19.9),
    price('SOL', hour + 3598, 20),
    price('SOL', hour + 3600, 6),
    price('MSOL', hour, 7),
  ]);
  assert.equal(stored, 7);
  assert.deepEqual(warnings, [
    { token: 'SOL', time: hour + 11, usd_price: 500.1, swaps_say: 100 },
    { token: 'SOL', time: hour + 3599, usd_price: 19.9, swaps_say: 100 },
    { token: 'SOL', time: hour + 3600, usd_price: 6, swaps_say: 1 },
  ]);
  await dex.close();
});

/** Hourly prices of all quote tokens over the days of the swaps, with gaps of more than a day. */
function pricesOver(swaps: readonly SwapInput[]): PriceInput[] {
  const [first, last] = [swaps[0]!.block_time, swaps[swaps.length - 1]!.block_time];
  const prices: PriceInput[] = [];
  for (const [i, { address, kind }] of presets.solana.quote_tokens.entries())
    for (let time = first - DAY, n = 0; time <= last + DAY; n++) {
      prices.push(price(address, time, kind === 'stable' ? 0.9 + (n % 5) / 50 : 140 + ((n * 7 + i) % 23)));
      time += n % 9 === 8 ? 3 * DAY + 17 : 3600 * (1 + (n % 3));
    }
  return prices;
}

/** Prices are stored by keys and swaps derived again by the same code on each engine. */
for (const engine of isWhole ? Object.keys(engines) : ['memory', 'sqlite'])
  test(`${engine}: prices and swaps in any order of arrival, with rollbacks between, give the same answers to the byte`, () =>
    withFolder(async (folder) => {
      const { swaps, config } = smallMarket({
        swaps: cases(3000, 200),
        ...(isWhole ? {} : { wallets: 20, tokens: 10 }),
        seed: 23,
        withUsd: false,
        withBalances: false,
      });
      const slotted = swaps.map((swap, i) => ({
        ...swap,
        block_slot: swap.block_time,
        fee_native: i % 3 === 0 ? null : (i % 7) / 1000,
      }));
      const prices = pricesOver(swaps);
      const after = async (number: number, feed: (dex: Swapfold) => Promise<void>): Promise<string> => {
        const dex = await Swapfold.open({ storage: engines[engine]!(folder, number), config });
        await feed(dex);
        await dex.refresh();
        const answers = await allAnswers(dex);
        const { different, differences } = await dex.verify();
        assert.equal(different, 0, JSON.stringify(differences));
        await dex.close();
        return answers;
      };
      const inOrder = await after(0, async (dex) => {
        await dex.prices.upsert(prices);
        await dex.ingest([slotted], { bulk: true });
      });
      const mixed = await after(1, async (dex) => {
        const parts = [shuffled(slotted, 5), shuffled(prices, 6)] as const;
        for (let part = 0; part < 4; part++) {
          await dex.prices.upsert(parts[1].filter((_, i) => i % 4 === part));
          await dex.ingest(parts[0].filter((_, i) => i % 4 === part));
          if (part === 1) await dex.refresh();
          if (part !== 2) continue;
          await dex.rollback({ from_block_slot: slotted[Math.floor(slotted.length * 0.8)]!.block_time });
          await dex.prices.upsert(prices.slice(0, 9).map((row) => ({ ...row, usd_price: 7 })));
        }
        await dex.ingest(slotted);
        await dex.prices.upsert(prices);
      });
      const [lines, others] = [inOrder.split('\n'), mixed.split('\n')];
      for (const [i, line] of lines.entries()) assert.equal(others[i], line);
      assert.equal(others.length, lines.length);
    }));

test('taking back a price that was never there ends the time of no other', async () => {
  const swaps = [
    swapped(T, [1, 'SOL'], [1, 'A']),
    swapped(T + 360, [1, 'SOL'], [50, 'USDC']),
    swapped(T + 600, [1, 'SOL'], [1, 'A']),
    swapped(T + 660, [1, 'MSOL'], [1, 'B']),
  ].map((swap, i) => ({ ...swap, block_slot: i }));
  const prices = [
    price('SOL', T - 60, 100),
    price('SOL', T + 300, null),
    price('MSOL', T - 60, 200),
    price('MSOL', T + 300, null),
  ];
  const values: unknown[] = [];
  for (const comeFirst of [false, true]) {
    const dex = await Swapfold.open({ storage: engines.memory!(''), config: worthConfig });
    if (comeFirst) await dex.prices.upsert(prices);
    await dex.ingest(swaps);
    if (!comeFirst) await dex.prices.upsert(prices);
    values.push((await dex.swaps.list({})).data.map(({ usd_amount_in }) => usd_amount_in));
    assert.equal((await dex.verify()).different, 0);
    await dex.close();
  }
  assert.deepEqual(values, [
    // The dollars of the second swap say what it is worth; SOL is worth its reference price in the others.
    [200, 100, 50, 100],
    [200, 100, 50, 100],
  ]);
});
