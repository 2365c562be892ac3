import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare, Swapfold } from '@swapfold/core';
import { engines, withFolder } from './support/engines.ts';
import { smallMarket } from './support/market.ts';
import { shuffled } from './support/shuffle.ts';
import { cases } from './support/whole.ts';

const { swaps, config, market } = smallMarket({
  seed: 5,
  swaps: cases(2000, 600),
  wallets: cases(60, 30),
  tokens: cases(20, 12),
});

for (const engine of Object.keys(engines)) {
  test(`${engine}: a store fed out of order verifies without a difference, and again after a rebuild`, () =>
    withFolder(async (folder) => {
      const dex = await Swapfold.open({ storage: engines[engine]!(folder), config });
      const rows = shuffled(swaps, 9);
      for (let i = 0; i < rows.length; i += 200) await dex.ingest(rows.slice(i, i + 200));
      await dex.tokens.upsert(market.tokens());
      await dex.refresh();
      const fed = await dex.verify();
      assert.deepEqual(fed.differences, []);
      assert.equal(fed.swaps, swaps.length);
      assert.equal(fed.comparedProfiles, true);
      assert.ok(fed.cells > swaps.length * 50, `compared ${fed.cells} cells`);
      await dex.rebuild();
      assert.deepEqual((await dex.verify()).differences, []);
      await dex.close();
    }));

  test(`${engine}: verify names the row and the column of a number that was tampered with`, () =>
    withFolder(async (folder) => {
      const storage = engines[engine]!(folder);
      const dex = await Swapfold.open({ storage, config });
      await dex.ingest(swaps.slice(0, 300));
      await dex.refresh();
      await storage.write(async (writer) => {
        const { tradesTable } = await import('../packages/core/src/records/tables.ts');
        const columns = Object.keys(tradesTable.columns) as (keyof typeof tradesTable.columns)[];
        const trade = await writer.read({
          table: tradesTable,
          columns,
          order: [{ column: 'seq', direction: 'asc' }],
          limit: 1,
        });
        trade.columns.usd_amount[0]! += 1;
        await writer.remove(tradesTable, compare('seq', 'eq', trade.columns.seq[0]!));
        await writer.append(tradesTable, trade);
      });
      const found = await dex.verify();
      assert.equal(found.different, 1);
      assert.equal(found.differences[0]?.table, 'trades');
      assert.equal(found.differences[0]?.column, 'usd_amount');
      await dex.close();
    }));
}
