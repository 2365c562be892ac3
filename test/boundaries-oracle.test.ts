import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { memory, Swapfold, type SwapInput, type TokenInput } from '@swapfold/core';
import { fixtures } from './boundaries/fixtures.ts';
import { randomBoundaries } from './boundaries/random.ts';
import {
  Comparison,
  compareLists,
  comparePools,
  comparePortfolios,
  comparePrices,
  compareProfiles,
} from './support/compare.ts';
import { withFolder } from './support/engines.ts';
import { A, fixtureConfig, openFixture, swapsOf } from './support/fixture.ts';
import { askOracles, hasPython, type OracleAnswer } from './support/oracle.ts';
import { watched } from './support/scan.ts';
import { cases } from './support/whole.ts';

const skip = hasPython ? false : 'python3 is not installed';
const SEEDS = Array.from({ length: cases(12, 2) }, (_, i) => i + 1);
const history = [
  { from: A - 3600, to: A + 120, interval: 60 },
  { from: A - 32 * 86_400, to: A, interval: 43_201 },
];

interface Market {
  readonly swaps: readonly SwapInput[];
  readonly tokens?: readonly TokenInput[] | undefined;
  readonly asOf?: number | undefined;
}

/** The oracle's answers to some markets, in their order, of one run. */
function answersOf(markets: readonly Market[]): Promise<readonly OracleAnswer[]> {
  return withFolder(async (folder) => {
    const write = (name: string, rows: readonly object[]): string => {
      writeFileSync(join(folder, name), rows.map((row) => JSON.stringify(row)).join('\n'));
      return join(folder, name);
    };
    return askOracles(
      markets.map((market, i) => ({
        config: fixtureConfig,
        swaps: [write(`swaps-${i}.ndjson`, market.swaps)],
        tokens: write(`tokens-${i}.ndjson`, market.tokens ?? []),
        as_of: market.asOf ?? null,
        candle_intervals: [1, 60, 86_400],
        include: ['luck'],
        history,
      })),
    );
  });
}

/** Compares every answer of a store with the oracle's; closes the store. */
async function compareAll(dex: Swapfold, market: Market, oracle: OracleAnswer, to: Comparison): Promise<void> {
  if (market.asOf === undefined) {
    await compareLists(dex, oracle, to);
    await comparePrices(dex, oracle, history, to);
    await comparePortfolios(dex, oracle, to);
    await comparePools(dex, oracle, to);
  }
  await compareProfiles(dex, oracle, to);
  await dex.close();
}

test('on every boundary, every answer is that of an independent computation', { skip }, async (t) => {
  const differences: string[] = [];
  let cells = 0;
  const markets = fixtures.map((fixture) => ({ ...fixture, swaps: swapsOf(fixture).flat() }));
  const oracles = await answersOf(markets);
  for (const [i, fixture] of fixtures.entries()) {
    const to = new Comparison();
    await compareAll(await openFixture(fixture), markets[i]!, oracles[i]!, to);
    differences.push(...to.differences.slice(0, 3).map((difference) => `${fixture.title}: ${difference}`));
    cells += to.cells;
  }
  t.diagnostic(`${cells} cells compared`);
  assert.deepEqual(differences, []);
});

test('on markets made of nothing but boundaries, late swaps among them, every answer is that of an independent computation', {
  skip,
}, async (t) => {
  t.diagnostic(`seeds ${SEEDS}`);
  const differences: string[] = [];
  let cells = 0;
  const markets = SEEDS.map(randomBoundaries);
  const oracles = await answersOf(markets);
  for (const [i, market] of markets.entries()) {
    const dex = watched(await Swapfold.open({ storage: memory(), config: fixtureConfig }));
    await dex.tokens.upsert(market.tokens);
    const third = Math.floor(market.swaps.length / 3);
    await dex.ingest(market.swaps.slice(third));
    await dex.refresh();
    await dex.ingest(market.swaps.slice(0, third));
    await dex.refresh(market.asOf === undefined ? {} : { asOf: market.asOf });
    const to = new Comparison();
    await compareAll(dex, market, oracles[i]!, to);
    differences.push(...to.differences.slice(0, 3).map((difference) => `seed ${SEEDS[i]}: ${difference}`));
    cells += to.cells;
  }
  t.diagnostic(`${cells} cells compared`);
  assert.deepEqual(differences, []);
});
