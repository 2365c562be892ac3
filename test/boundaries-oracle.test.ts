import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { memory, Swapfold, type SwapInput, type TokenInput } from '@swapfold/core';
import { fixtures } from './boundaries/fixtures.ts';
import { randomBoundaries } from './boundaries/random.ts';
import { Comparison, compareLists, comparePortfolios, comparePrices, compareProfiles } from './support/compare.ts';
import { withFolder } from './support/engines.ts';
import { A, fixtureConfig, openFixture, swapsOf } from './support/fixture.ts';
import { askOracle, hasPython, type OracleAnswer } from './support/oracle.ts';
import { watched } from './support/scan.ts';

const skip = hasPython ? false : 'python3 is not installed';
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
const history = [
  { from: A - 3600, to: A + 120, interval: 60 },
  { from: A - 32 * 86_400, to: A, interval: 43_201 },
];

interface Market {
  readonly swaps: readonly SwapInput[];
  readonly tokens?: readonly TokenInput[] | undefined;
  readonly asOf?: number | undefined;
}

function answerOf(market: Market): Promise<OracleAnswer> {
  return withFolder(async (folder) => {
    const [swaps, tokens] = [join(folder, 'swaps.ndjson'), join(folder, 'tokens.ndjson')];
    const lines = (rows: readonly object[]): string => rows.map((row) => JSON.stringify(row)).join('\n');
    writeFileSync(swaps, lines(market.swaps));
    writeFileSync(tokens, lines(market.tokens ?? []));
    return askOracle({
      config: fixtureConfig,
      swaps: [swaps],
      tokens,
      as_of: market.asOf ?? null,
      candle_intervals: [1, 60, 86_400],
      history,
    });
  });
}

/** Compares every answer of a store with the oracle's; closes the store. */
async function compareAll(dex: Swapfold, market: Market, to: Comparison): Promise<void> {
  const oracle = await answerOf(market);
  if (market.asOf === undefined) {
    await compareLists(dex, oracle, to);
    await comparePrices(dex, oracle, history, to);
    await comparePortfolios(dex, oracle, to);
  }
  await compareProfiles(dex, oracle, to);
  await dex.close();
}

test('on every boundary, every answer is that of an independent computation', { skip }, async (t) => {
  const differences: string[] = [];
  let cells = 0;
  for (const fixture of fixtures) {
    const to = new Comparison();
    await compareAll(await openFixture(fixture), { ...fixture, swaps: swapsOf(fixture).flat() }, to);
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
  for (const seed of SEEDS) {
    const market = randomBoundaries(seed);
    const dex = watched(await Swapfold.open({ storage: memory(), config: fixtureConfig }));
    await dex.tokens.upsert(market.tokens);
    const third = Math.floor(market.swaps.length / 3);
    await dex.ingest(market.swaps.slice(third));
    await dex.refresh();
    await dex.ingest(market.swaps.slice(0, third));
    await dex.refresh(market.asOf === undefined ? {} : { asOf: market.asOf });
    const to = new Comparison();
    await compareAll(dex, market, to);
    differences.push(...to.differences.slice(0, 3).map((difference) => `seed ${seed}: ${difference}`));
    cells += to.cells;
  }
  t.diagnostic(`${cells} cells compared`);
  assert.deepEqual(differences, []);
});
