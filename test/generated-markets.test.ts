import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type PriceInput, presets, Swapfold, type SwapInput } from '@swapfold/core';
import {
  Comparison,
  compareLists,
  comparePools,
  comparePortfolios,
  comparePrices,
  compareProfiles,
} from './support/compare.ts';
import { comparePositions } from './support/compare-positions.ts';
import { engines, withFolder } from './support/engines.ts';
import { smallMarket } from './support/market.ts';
import { askOracle, hasPython } from './support/oracle.ts';
import { watched } from './support/scan.ts';
import { cases, isWhole } from './support/whole.ts';

const config = {
  ...presets.solana,
  quote_tokens: [
    ...presets.solana.quote_tokens,
    { address: 'mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So', symbol: 'mSOL', kind: 'reference' },
  ],
} as const;
const size = { wallets: cases(600, 70), tokens: cases(80, 18), days: 35 };

/** By default in memory: test/uniswap-day.test.ts holds the other engines to the same computation. */
const markets = [
  {
    title: 'with balances, USD values and a registry',
    seed: 11,
    isFull: true,
    swaps: cases(50_000, 800),
  },
  {
    title: 'without balances, USD values and registry',
    seed: 12,
    isFull: false,
    swaps: cases(50_000, 600),
  },
] as const;

/** The same swaps in the same order, ever denser towards the end, so that the shortest windows and periods see as much as the longest. */
function denserTowardsTheEnd(swaps: readonly SwapInput[]): SwapInput[] {
  const start = swaps[0]!.block_time;
  const end = swaps[swaps.length - 1]!.block_time;
  const span = end - start;
  return swaps.map((swap) => ({
    ...swap,
    block_time: end - Math.floor(span * ((end - swap.block_time) / span) ** 3),
  }));
}

/** One swap of five names no pool, and one of seven a pool of many tokens. */
function withSomePools(swaps: readonly SwapInput[]): SwapInput[] {
  return swaps.map((swap, i) => ({ ...swap, pool: i % 5 === 0 ? null : i % 7 === 0 ? 'vault' : (swap.pool ?? null) }));
}

/** What a third of the transactions paid the chain, on each of their swaps; now and then a feed values a swap a thousand times too high. */
function withFees(swaps: readonly SwapInput[], isFull: boolean): SwapInput[] {
  return swaps.map((swap, i) => ({
    ...swap,
    fee_native: swap.tx_hash.charCodeAt(3) % 3 > 0 ? null : 0.000005 + (i % 11) / 10_000,
    ...(isFull && i % 40 === 7 ? { usd_amount_in: (swap.usd_amount_in ?? 1) * 1000 } : {}),
  }));
}

/** Now and then a swap far off the price of its token, and five wallets that buy and sell a token again and again for as much. */
function withWildAndWash(swaps: readonly SwapInput[]): SwapInput[] {
  const wild = swaps.map((swap, i) =>
    i % 37 === 5 ? { ...swap, token_amount_out: swap.token_amount_out * (i % 2 === 0 ? 40 : 0.03) } : swap,
  );
  const last = swaps[swaps.length - 1]!;
  const usdc = presets.solana.quote_tokens[0].address;
  const wallets = [...new Set(swaps.map(({ wallet }) => wallet))].slice(0, 5);
  const washed = wallets.flatMap((wallet, w) =>
    Array.from({ length: 12 }, (_, i): SwapInput => {
      const [usd, token] = [
        { address: usdc, amount: 100 + w },
        { address: last.token_in, amount: 7 },
      ];
      const [given, received] = i % 2 === 0 ? [usd, token] : [token, usd];
      return {
        tx_hash: `wash${w}x${i}`,
        swap_index: 0,
        block_time: last.block_time - 4000 + w * 500 + i * (w === 4 ? 300 : 25),
        wallet,
        token_in: given.address,
        token_amount_in: given.amount,
        token_out: received.address,
        token_amount_out: received.amount,
      };
    }),
  );
  return [...wild, ...washed].sort((a, b) => a.block_time - b.block_time);
}

/** Prices of quote tokens every few hours, with gaps longer than a price holds. */
function pricesOver(swaps: readonly SwapInput[]): PriceInput[] {
  const [first, last] = [swaps[0]!.block_time, swaps[swaps.length - 1]!.block_time];
  return config.quote_tokens.flatMap(({ address, kind }, i) => {
    const prices: PriceInput[] = [];
    for (let time = first - 90_000, n = 0; time < last; n++) {
      prices.push({
        token: address,
        time,
        usd_price: kind === 'stable' ? 0.9 + (n % 7) / 40 : 120 + ((n * 5 + i) % 31),
      });
      time += n % 6 === 5 ? 4 * 86_400 + 7 : 3607 * (1 + (n % 4));
    }
    return prices;
  });
}

function writeRecords(path: string, rows: readonly object[]): string {
  writeFileSync(path, rows.map((row) => JSON.stringify(row)).join('\n'));
  return path;
}

for (const { title, seed, isFull, swaps: count } of markets) {
  const chosen = Object.entries(engines).filter(([engine]) => isWhole || engine === 'memory');
  test(`a market of ${count} swaps ${title}: every answer is that of an independent computation`, {
    skip: hasPython ? false : 'python3 is not installed',
  }, async (t) => {
    t.diagnostic(`seed ${seed}`);
    const { swaps: even, market } = smallMarket({ ...size, swaps: count, seed, withUsd: isFull, withBalances: isFull });
    const swaps = withFees(withWildAndWash(withSomePools(denserTowardsTheEnd(even))), isFull);
    const prices = pricesOver(swaps);
    const tokens = isFull ? [...market.tokens()] : [];
    const wallets = isFull ? [...market.wallets()] : [];
    const end = swaps[swaps.length - 1]!.block_time;
    const history = [
      { from: end - 7200, to: end + 60, interval: 60 },
      { from: end - 35 * 86_400, to: end, interval: 4321 },
    ];
    const oracle = await withFolder(async (folder) =>
      askOracle({
        config,
        swaps: [writeRecords(join(folder, 'swaps.ndjson'), swaps)],
        tokens: isFull ? writeRecords(join(folder, 'tokens.ndjson'), tokens) : null,
        wallets: isFull ? writeRecords(join(folder, 'wallets.ndjson'), wallets) : null,
        prices: writeRecords(join(folder, 'prices.ndjson'), prices),
        candle_intervals: [1, 300, 86_400],
        include: ['luck', 'positions'],
        history,
      }),
    );
    for (const [engine, open] of chosen) {
      await t.test(engine, () =>
        withFolder(async (folder) => {
          const dex = watched(await Swapfold.open({ storage: open(folder), config }));
          await dex.tokens.upsert(tokens);
          await dex.wallets.upsert(wallets);
          const counts = await dex.ingest(swaps);
          assert.equal(counts.added, swaps.length);
          // Prices that come after the swaps are those that came before.
          const { stored } = await dex.prices.upsert(prices);
          assert.equal(stored, prices.length);
          await dex.refresh();
          const to = new Comparison();
          const { valuation } = await dex.info();
          to.exact('unvalued', valuation.unvalued, oracle.counts.unvalued);
          to.exact('contradicted', valuation.contradicted, oracle.counts.contradicted);
          if (isFull) {
            assert.ok(Object.values(oracle.wallets).some(({ metrics }) => Number(metrics['7d']!.wash_volume) > 0));
            assert.ok(Object.values(oracle.prices).some(({ suspect }) => suspect));
          }
          await compareProfiles(dex, oracle, to);
          await comparePositions(dex, oracle, to);
          await comparePrices(dex, oracle, history, to);
          await comparePortfolios(dex, oracle, to);
          await comparePools(dex, oracle, to);
          // The lists are long; the conformance suite holds the engines to the same rows.
          if (engine === 'memory') await compareLists(dex, oracle, to);
          await dex.close();
          t.diagnostic(`${engine}: ${to.cells} cells compared`);
          assert.deepEqual(to.differences.slice(0, 20), []);
        }),
      );
    }
  });
}
