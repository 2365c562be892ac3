import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { Swapfold } from '@swapfold/core';
import { compare } from '@swapfold/core/engine';
import { sqlite } from '@swapfold/sqlite';
import Database from 'better-sqlite3';
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

// Most tests end with a verification of what came out of order; after a rebuild one engine does.
test('sqlite: a store fed out of order verifies without a difference, and again after a rebuild', () =>
  withFolder(async (folder) => {
    const dex = await Swapfold.open({ storage: engines.sqlite!(folder), config });
    const rows = shuffled(swaps, 9);
    for (let i = 0; i < rows.length; i += 200) await dex.ingest(rows.slice(i, i + 200));
    await dex.tokens.upsert(market.tokens());
    await dex.refresh();
    const fed = await dex.verify();
    assert.deepEqual(fed.differences, []);
    assert.equal(fed.swaps, swaps.length);
    assert.equal(fed.compared_profiles, true);
    assert.ok(fed.cells > swaps.length * 50, `compared ${fed.cells} cells`);
    await dex.rebuild();
    assert.deepEqual((await dex.verify()).differences, []);
    await dex.close();
  }));

for (const engine of Object.keys(engines)) {
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

test('sqlite: verify names each given row that something else than Swapfold has changed', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'store.db');
    const dex = await Swapfold.open({ storage: sqlite(path), config });
    await dex.ingest(swaps.slice(0, 200));
    await dex.tokens.upsert(market.tokens().slice(0, 3));
    await dex.refresh();
    await dex.close();
    const file = new Database(path);
    file.exec(`
      update transactions set tx_hash = tx_hash || 'x' where tx = 5;
      update swaps set post_token_balance_in = 7 where seq = (select min(seq) from swaps);
      update token_registry set name = 'another' where id = (select min(id) from token_registry);
      update meta set value = value + 1 where name = 'profiles_as_of';
      update texts set text = 'one more' where id = (select max(id) from texts)`);
    file.close();
    const damaged = await Swapfold.open({ storage: sqlite({ path, read_only: true }), config });
    const { different, differences } = await damaged.verify();
    assert.equal(different, 5);
    assert.deepEqual(
      differences.map(({ table, column }) => `${table} ${column}`).sort(),
      ['meta', 'swaps', 'texts', 'token_registry', 'transactions'].map((table) => `${table} checksum`),
    );
    await damaged.close();
  }));

test('sqlite: a store without checksums, of an older version, takes swaps, and verify says that it compared none', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'store.db');
    await (await Swapfold.open({ storage: sqlite(path), config })).close();
    const file = new Database(path);
    const tables = file.prepare("select name from sqlite_master where type = 'table'").pluck().all() as string[];
    const checked = tables.filter((name) =>
      (file.pragma(`table_info("${name}")`) as { name: string }[]).some((column) => column.name === 'row_checksum'),
    );
    for (const name of checked) file.exec(`alter table "${name}" drop column row_checksum`);
    file.close();
    const dex = await Swapfold.open({ storage: sqlite(path), config });
    await dex.ingest(swaps.slice(0, 200));
    await dex.refresh();
    const { different, unchecked } = await dex.verify();
    assert.equal(different, 0);
    assert.deepEqual([...unchecked].sort(), checked.sort());
    const copy = await Swapfold.open({ storage: sqlite(join(folder, 'copy.db')), config });
    await copy.copyFrom(dex);
    assert.deepEqual((await copy.verify()).unchecked, []);
    await Promise.all([dex.close(), copy.close()]);
  }));
