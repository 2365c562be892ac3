import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PriceInput, Swapfold, type SwapInput } from '@swapfold/core';
import { dumpStore, firstDifferences } from './support/dump.ts';
import { engines, withFolder } from './support/engines.ts';
import { shuffled } from './support/shuffle.ts';
import { cases, isWhole } from './support/whole.ts';
import { price, T, worthConfig } from './support/worth.ts';

/** Numbers from 0 to 1 that a seed decides. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const [TOKENS, POOLS, WALLETS] = [3, 5, 7];

/** Swaps of a few tokens in a few pools, often several a second and a transaction, with round trips, falls and prints far off. */
function history(seed: number, count: number): SwapInput[] {
  const random = randomOf(seed);
  const pick = (most: number): number => Math.floor(random() * most);
  const swaps: SwapInput[] = [];
  const prices = Array.from({ length: TOKENS }, () => 1);
  for (let tx = 0; swaps.length < count; tx++) {
    const token = pick(TOKENS);
    if (random() < 0.01) prices[token]! *= random() < 0.5 ? 0.01 : 100;
    const isOff = random() < 0.1;
    const block_time = T + Math.floor(tx / 2) + (tx > count / 3 ? 40 * 86_400 : 0);
    const legs = random() < 0.2 ? 1 + pick(4) : 1;
    const pool = pick(POOLS + 1);
    for (let swap_index = 0; swap_index < legs; swap_index++) {
      const own = random() < 0.7 ? pool : pick(POOLS);
      const usd = [0.05, 0.5, 3, 40, 150, 5000][pick(6)]!;
      const of = `X${random() < 0.8 ? token : pick(TOKENS)}`;
      const amount = usd / (prices[token]! * (isOff ? 10 ** (6 * random() - 3) : 0.9 + 0.2 * random()));
      const quote = ['USDC', 'USDC', 'SOL', 'MSOL', 'X9'][pick(5)]!;
      const paid = quote === 'SOL' || quote === 'MSOL' ? usd / 100 : usd;
      const isBuy = random() < 0.5;
      swaps.push({
        tx_hash: `tx${String(tx * 7919 + seed).padStart(9, '0')}`,
        ...{ swap_index, block_time, block_slot: block_time, wallet: `W${pick(WALLETS)}` },
        ...{ token_in: isBuy ? quote : of, token_out: isBuy ? of : quote },
        ...{ token_amount_in: isBuy ? paid : amount, token_amount_out: isBuy ? amount : paid },
        ...(own === POOLS ? {} : { pool: `P${own}` }),
        ...(quote === 'X9' && random() < 0.5 ? { usd_amount_in: usd } : {}),
      });
    }
  }
  return swaps;
}

/** Reference prices over the same time. */
function referencesOf(seed: number, swaps: readonly SwapInput[]): PriceInput[] {
  const random = randomOf(seed + 1);
  return Array.from({ length: 12 }, () => {
    const { block_time } = swaps[Math.floor(random() * swaps.length)]!;
    const token = random() < 0.5 ? 'MSOL' : random() < 0.5 ? 'SOL' : 'USDC';
    return price(token, Number(block_time), token === 'USDC' ? 0.1 + random() : 20 + 400 * random());
  });
}

const seeds = cases(20, 3);

/** DuckDB, to which each statement costs most, holds no votes otherwise than SQLite: it has its turn in a whole run. */
for (const [name, open] of Object.entries(engines).filter(([engine]) => isWhole || engine !== 'duckdb'))
  for (let seed = 1; seed <= (name === 'memory' ? seeds : Math.ceil(seeds / 3)); seed++)
    test(`${name}: votes, own pools and suspect prints are those of the set of swaps, seed ${seed}`, () =>
      withFolder(async (folder) => {
        const swaps = history(seed, name === 'memory' ? 700 : 300);
        const references = referencesOf(seed, swaps);
        const config = { ...worthConfig, reference_max_age: 3600 };
        const dumpAfter = async (number: number, feed: (dex: Swapfold) => Promise<Swapfold>) => {
          const storage = open(folder, number);
          const dex = await feed(await Swapfold.open({ storage, config }));
          await dex.refresh();
          assert.deepEqual((await dex.verify()).differences, []);
          const lines = await dumpStore(dex, storage);
          await dex.close();
          return lines;
        };
        const inOrder = await dumpAfter(0, async (dex) => {
          await dex.prices.upsert(references);
          await dex.ingest([swaps], { bulk: true });
          return dex;
        });
        assert.ok(inOrder.some((line) => line.startsWith('vote_pools: ')));
        const random = randomOf(seed + 2);
        const mixed = await dumpAfter(1, async (dex) => {
          // Mostly in order, some late; the last third goes, and comes again.
          const late = swaps.filter(() => random() < 0.15);
          const own = swaps.filter((swap) => !late.includes(swap));
          await dex.prices.upsert(references.slice(0, 6));
          for (let from = 0; from < own.length; ) {
            const to = from + 1 + Math.floor(random() * 90);
            await dex.ingest(own.slice(from, to));
            from = to;
          }
          await dex.ingest(late.slice(0, late.length / 2));
          await dex.rollback({ from_block_slot: Number(swaps[Math.floor((2 * swaps.length) / 3)]!.block_time) });
          await dex.prices.upsert(references.slice(6));
          for (const part of [0, 1, 2]) await dex.ingest(shuffled(swaps, seed).filter((_, i) => i % 3 === part));
          return dex;
        });
        assert.deepEqual(firstDifferences(mixed, inOrder), []);
      }));
