import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Swapfold, type SwapInput } from '@swapfold/core';
import {
  Comparison,
  compareLists,
  compareListsOf,
  comparePortfolios,
  comparePrices,
  compareProfiles,
} from './support/compare.ts';
import { comparePositions } from './support/compare-positions.ts';
import { engines, withFolder } from './support/engines.ts';
import { askOracle, hasPython } from './support/oracle.ts';
import { watched } from './support/scan.ts';
import { comparedCases, comparedDay, comparedPart, readUniswapDay, uniswapDays } from './support/uniswap.ts';
import { isWhole } from './support/whole.ts';

const skip = hasPython ? false : 'python3 is not installed';
const history = [
  { from: 1704412800, to: 1704499200, interval: 300 },
  { from: 1704400000, to: 1704600000, interval: 4321 },
];

// By default each case has one engine beside memory: uniswap-http.test.ts holds SQLite and DuckDB to each other.
for (const [i, { day, title, config }] of comparedCases.entries()) {
  test(`${title}: every answer is that of an independent computation`, { skip }, async (t) => {
    const swaps = readUniswapDay(day);
    const oracle = await withFolder(async (folder) => {
      const path = join(folder, 'swaps.csv');
      writeFileSync(path, day.csv());
      return askOracle({
        config,
        swaps: [path],
        candle_intervals: [60, 300, 3600, 86_400],
        history,
        include: ['luck', 'positions'],
      });
    });
    for (const [engine, open] of Object.entries(engines)) {
      if (!isWhole && engine === (i === comparedCases.length - 1 ? 'sqlite' : 'duckdb')) continue;
      await t.test(engine, () =>
        withFolder(async (folder) => {
          const dex = watched(await Swapfold.open({ storage: open(folder), config }));
          const counts = await dex.ingest(swaps);
          assert.deepEqual(
            [counts.added, counts.duplicate, counts.conflicting, counts.rejected],
            [oracle.counts.added, oracle.counts.duplicate, oracle.counts.conflict, oracle.counts.rejected],
          );
          assert.equal(counts.added, swaps.length);
          await dex.refresh();
          const to = new Comparison();
          await compareLists(dex, oracle, to);
          await comparePrices(dex, oracle, history, to);
          await comparePortfolios(dex, oracle, to);
          await compareProfiles(dex, oracle, to);
          await comparePositions(dex, oracle, to);
          if (engine === 'memory') await compareListsOf(dex, oracle, to);
          await dex.close();
          t.diagnostic(`${engine}: ${to.cells} cells compared`);
          assert.deepEqual(to.differences.slice(0, 20), []);
        }),
      );
    }
  });
}

/** How often each value is there, the most frequent first. */
function frequencies(values: readonly string[]): number[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts.values()].sort((a, b) => b - a);
}

/** USD of a WETH by a swap with USDC. */
function wethPrints(swaps: readonly SwapInput[]): number[] {
  return swaps.flatMap((swap) => {
    const [sold, bought] = [swap.token_symbol_in, swap.token_symbol_out];
    if (sold === 'WETH' && bought === 'USDC') return [swap.token_amount_out / swap.token_amount_in];
    return sold === 'USDC' && bought === 'WETH' ? [swap.token_amount_in / swap.token_amount_out] : [];
  });
}

/** Holds swaps to what so much of a day of pools has. */
function assertDay(swaps: readonly SwapInput[], part: number): void {
  assert.ok(swaps.length > 2000 * part);
  for (const { wallet, token_in, token_out, tx_hash } of swaps) {
    for (const address of [wallet, token_in, token_out]) assert.match(address, /^0x[0-9a-f]{40}$/);
    assert.match(tx_hash, /^0x[0-9a-f]{64}$/);
  }
  const pairs = new Set(swaps.map((swap) => [swap.token_symbol_in, swap.token_symbol_out].sort().join()));
  assert.deepEqual([...pairs].sort(), ['USDC,WETH', 'WETH,oSQTH']);
  const ofWallets = frequencies(swaps.map(({ wallet }) => wallet));
  assert.ok(ofWallets[0]! > swaps.length / 5, `the first router has ${ofWallets[0]} swaps`);
  // The others of a short day have not come yet.
  assert.ok(ofWallets.filter((count) => count === 1).length > ofWallets.length / (part === 1 ? 2 : 3));
  const hops = frequencies(swaps.map(({ tx_hash }) => tx_hash));
  assert.ok(hops[0]! >= 5 && hops.filter((count) => count === 2).length >= 50 * part, `hops ${hops.slice(0, 10)}`);
  const nonsense = wethPrints(swaps).filter((print) => print < 2000 || print > 2500);
  assert.deepEqual(nonsense.map(Math.round), [2_000_000]);
  const sizes = swaps.map((swap) => swap.usd_amount_in!);
  assert.ok(Math.min(...sizes) < 0.00001 && sizes.filter((usd) => usd > 1e6).length >= 5 * part);
  assert.ok(sizes.filter((usd) => usd < 0.1).length >= 5 * part);
  assert.ok(new Set(swaps.map(({ block_slot }) => block_slot)).size < hops.length, 'a transaction a slot');
  assert.ok(swaps.every((swap) => swap.post_token_balance_in === null));
}

const days = [
  ...uniswapDays.map((day) => [day, 1] as const),
  ...(isWhole ? [] : [[comparedDay, comparedPart] as const]),
];
for (const [day, part] of days)
  test(`${day.title}${part === 1 ? '' : ', as far as it is compared,'} has what a day of pools has: routers, hops, people of one swap, dust that prints nonsense`, () =>
    assertDay(readUniswapDay(day), part));
