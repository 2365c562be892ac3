import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fixtures } from './boundaries/fixtures.ts';
import { Comparison, compareLists, comparePortfolios, comparePrices, compareProfiles } from './support/compare.ts';
import { withFolder } from './support/engines.ts';
import { A, type Fixture, fixtureConfig, openFixture, swapsOf } from './support/fixture.ts';
import { askOracle, hasPython, type OracleAnswer } from './support/oracle.ts';

const skip = hasPython ? false : 'python3 is not installed';
const history = [
  { from: A - 3600, to: A + 120, interval: 60 },
  { from: A - 32 * 86_400, to: A, interval: 43_201 },
];

function answerOf(fixture: Fixture): Promise<OracleAnswer> {
  return withFolder(async (folder) => {
    const [swaps, tokens] = [join(folder, 'swaps.ndjson'), join(folder, 'tokens.ndjson')];
    const lines = (rows: readonly object[]): string => rows.map((row) => JSON.stringify(row)).join('\n');
    writeFileSync(swaps, lines(swapsOf(fixture).flat()));
    writeFileSync(tokens, lines(fixture.tokens ?? []));
    return askOracle({
      config: fixtureConfig,
      swaps: [swaps],
      tokens,
      as_of: fixture.asOf ?? null,
      candle_intervals: [1, 60, 86_400],
      history,
    });
  });
}

test('on every boundary, every answer is that of an independent computation', { skip }, async (t) => {
  const to = new Comparison();
  const differences: string[] = [];
  for (const fixture of fixtures) {
    const oracle = await answerOf(fixture);
    const dex = await openFixture(fixture);
    to.differences.length = 0;
    if (fixture.asOf === undefined) {
      await compareLists(dex, oracle, to);
      await comparePrices(dex, oracle, history, to);
      await comparePortfolios(dex, oracle, to);
    }
    await compareProfiles(dex, oracle, to);
    differences.push(...to.differences.slice(0, 3).map((difference) => `${fixture.title}: ${difference}`));
    await dex.close();
  }
  t.diagnostic(`${to.cells} cells compared`);
  assert.deepEqual(differences, []);
});
