import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PriceInput, Swapfold, type SwapInput } from '@swapfold/core';
import { Random } from '../packages/testing/src/market/random.ts';
import { allAnswers } from './support/answers.ts';
import { engines, withFolder } from './support/engines.ts';
import { shuffled } from './support/shuffle.ts';
import { cases, isWhole } from './support/whole.ts';
import { price, T, worthConfig } from './support/worth.ts';

/** So short that votes and reference prices grow too old all the time. */
const MAX_AGE = 300;
const config = { ...worthConfig, reference_max_age: MAX_AGE, print_factor: 5 };

/**
 * A market in which little is certain: SOL is traded for dollars, for a reference token and for tokens, by few wallets; feeds are silent,
 * right or wrong; transactions have up to three swaps of several wallets, through the same pools at times; some minutes have no swap.
 */
function market(seed: number, count: number): SwapInput[] {
  const random = new Random(seed, 3);
  const pick = <V>(values: readonly V[]): V => values[random.below(values.length)]!;
  const hasFeed = random.chance(0.5) ? 0.6 : 0.05;
  const stables = random.chance(0.4) ? 0.05 : 0.35;
  const swaps: SwapInput[] = [];
  let time = T;
  for (let tx = 0; swaps.length < count; tx++) {
    time += random.chance(0.04) ? MAX_AGE + random.below(3) - 1 : random.below(12);
    for (let index = random.below(3); index >= 0; index--) {
      const rate = (100 + random.below(40)) * (random.chance(0.1) ? pick([0.01, 0.5, 3, 1e6]) : 1);
      const other = random.chance(stables) ? pick(['USDC', 'USDT']) : pick(['MSOL', 'X', 'Y']);
      const sol = (1 + random.below(30)) / 10;
      const legs = [
        { token: random.chance(0.9) ? 'SOL' : pick(['X', 'Y', 'MSOL']), amount: sol },
        { token: other, amount: other === 'MSOL' ? sol * 0.9 : sol * rate },
      ];
      if (legs[0]!.token === other) continue;
      if (random.chance(0.5)) legs.reverse();
      const [given, received] = legs as [(typeof legs)[0], (typeof legs)[0]];
      const usd = sol * rate * (random.chance(0.2) ? pick([0.7, 1.04, 1.3, 40]) : 1);
      swaps.push({
        tx_hash: `t${seed}-${tx}`,
        swap_index: index,
        block_time: time,
        block_slot: tx,
        wallet: pick(['A', 'A', 'A', 'B', 'C', 'D', 'E']),
        token_in: given.token,
        token_amount_in: given.amount,
        token_out: received.token,
        token_amount_out: received.amount,
        usd_amount_in: random.chance(hasFeed) ? usd : null,
        token_price_out: random.chance(hasFeed / 3) ? usd / received.amount : null,
        pool: pick([null, 'P', 'P', 'Q']),
        fee_native: random.chance(0.3) ? 0.001 : null,
      });
    }
  }
  return swaps;
}

function pricesOf(seed: number, swaps: readonly SwapInput[]): PriceInput[] {
  const random = new Random(seed, 4);
  const end = swaps[swaps.length - 1]!.block_time as number;
  const prices: PriceInput[] = [];
  for (const [token, usd] of [
    ['SOL', 120],
    ['MSOL', 130],
    ['USDT', 0.9],
  ] as const)
    for (let time = T - 50; time < end; time += 20 + random.below(900))
      prices.push(price(token, time, usd * (1 + random.below(10) / 50)));
  return prices;
}

/** Votes are the same code on every engine: SQLite shows that they outlive the process, test/worth.test.ts that DuckDB stores them. */
for (const engine of isWhole ? Object.keys(engines) : ['memory', 'sqlite'])
  test(`${engine}: votes for the native price are the same however swaps and prices arrive`, (t) =>
    withFolder(async (folder) => {
      const seeds = Array.from({ length: cases(40, engine === 'memory' ? 2 : 1) }, (_, i) => 100 + i);
      t.diagnostic(`seeds ${seeds}`);
      for (const [i, seed] of seeds.entries()) {
        const swaps = market(seed, 240);
        const prices = seed % 2 === 0 ? pricesOf(seed, swaps) : [];
        const answersOf = async (
          number: number,
          feed: (dex: Swapfold, again: () => Promise<Swapfold>) => Promise<Swapfold>,
        ) => {
          const open = () => Swapfold.open({ storage: engines[engine]!(folder, 10 * i + number), config });
          const again = async (dex: Swapfold): Promise<Swapfold> => {
            if (engine === 'memory') return dex;
            await dex.close();
            return open();
          };
          const first = await open();
          const dex = await feed(first, () => again(first));
          await dex.refresh();
          const answers = await allAnswers(dex);
          const { different, differences } = await dex.verify();
          assert.equal(
            different,
            0,
            `seed ${seed} store ${number}: ${JSON.stringify(differences.filter((d) => d.column === 'usd_amount_in' || d.table === 'native_prices').slice(0, 6))}`,
          );
          await dex.close();
          return answers.split('\n');
        };
        const whole = await answersOf(0, async (dex) => {
          await dex.prices.upsert(prices);
          await dex.ingest([swaps], { bulk: true });
          return dex;
        });
        const ways: readonly ((dex: Swapfold, again: () => Promise<Swapfold>) => Promise<Swapfold>)[] = [
          async (dex, again) => {
            await dex.prices.upsert(prices);
            for (let from = 0; from < 120; from += 17) await dex.ingest(swaps.slice(from, Math.min(from + 17, 120)));
            const later = await again();
            for (let from = 120; from < swaps.length; from += 5) await later.ingest(swaps.slice(from, from + 5));
            return later;
          },
          async (dex, again) => {
            const parts = shuffled(swaps, seed);
            await dex.ingest(parts.slice(0, 100));
            await dex.prices.upsert(shuffled(prices, seed).slice(0, 5));
            for (const swap of parts.slice(100, 140)) await dex.ingest([swap]);
            const later = await again();
            await later.ingest(parts.slice(140));
            await later.rollback({ from_block_slot: swaps[150]!.block_slot! });
            await later.prices.upsert(prices);
            await later.ingest(shuffled(swaps, seed + 1).slice(0, 200));
            await later.ingest(swaps);
            return later;
          },
        ];
        for (const [way, feed] of ways.entries()) {
          const found = await answersOf(1 + way, feed);
          for (const [line, text] of whole.entries())
            assert.equal(found[line], text, `seed ${seed}, way ${way}, line ${line}`);
        }
      }
    }));
