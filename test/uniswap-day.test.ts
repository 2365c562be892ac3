import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Swapfold } from '@swapfold/core';
import {
  Comparison,
  compareLists,
  compareListsOf,
  comparePortfolios,
  comparePrices,
  compareProfiles,
} from './support/compare.ts';
import { engines, withFolder } from './support/engines.ts';
import { askOracle, hasPython } from './support/oracle.ts';
import { watched } from './support/scan.ts';
import { noUniswapDay, readUniswapDay, uniswapConfigs, uniswapDay } from './support/uniswap.ts';

const skip = noUniswapDay || (hasPython ? false : 'python3 is not installed');
const history = [
  { from: 1704412800, to: 1704499200, interval: 300 },
  { from: 1704400000, to: 1704600000, interval: 4321 },
];

for (const [title, config] of Object.entries(uniswapConfigs)) {
  test(`the Uniswap day, ${title}: every answer is that of an independent computation`, { skip }, async (t) => {
    const oracle = askOracle({ config, swaps: [uniswapDay], candle_intervals: [60, 300, 3600, 86_400], history });
    for (const [engine, open] of Object.entries(engines)) {
      await t.test(engine, () =>
        withFolder(async (folder) => {
          const dex = watched(await Swapfold.open({ storage: open(folder), config }));
          const counts = await dex.ingest(readUniswapDay());
          assert.deepEqual(
            [counts.added, counts.duplicate, counts.conflicting, counts.rejected],
            [oracle.counts.added, oracle.counts.duplicate, oracle.counts.conflict, oracle.counts.rejected],
          );
          await dex.refresh();
          const to = new Comparison();
          await compareLists(dex, oracle, to);
          await comparePrices(dex, oracle, history, to);
          await comparePortfolios(dex, oracle, to);
          await compareProfiles(dex, oracle, to);
          if (engine === 'memory') await compareListsOf(dex, oracle, to);
          await dex.close();
          t.diagnostic(`${engine}: ${to.cells} cells compared`);
          assert.deepEqual(to.differences.slice(0, 20), []);
        }),
      );
    }
  });
}
