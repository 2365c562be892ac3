import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Swapfold } from '@swapfold/core';
import { compare, everything, type Writer } from '@swapfold/core/engine';
import {
  fixedTables,
  legsTable,
  lotsTable,
  metaTable,
  poolSwapsTable,
  swapsTable,
  tradePoolsTable,
  tradesTable,
} from '../packages/core/src/records/tables.ts';
import { SCHEMA_VERSION } from '../packages/core/src/store/open/open-store.ts';
import { allAnswers } from './support/answers.ts';
import { engines, withFolder } from './support/engines.ts';
import { smallMarket } from './support/market.ts';
import { cases } from './support/whole.ts';

const { swaps, config } = smallMarket({
  seed: 21,
  swaps: cases(800, 300),
  wallets: cases(40, 20),
  tokens: cases(16, 8),
});
const files = ['sqlite', 'duckdb'] as const;
const other = { ...config, dust_usd: 25 };

/** Has a folder for each engine with a store of all swaps, folded and closed. */
let left: string;
/** What every store of all swaps answers, and one of the other configuration. */
let answers: string;
let otherAnswers: string;

before(async () => {
  left = mkdtempSync(join(tmpdir(), 'swapfold-'));
  const kept: string[] = [];
  for (const [engine, of] of [
    ...files.map((engine) => [engine, config] as const),
    ['memory', config],
    ['memory', other],
  ] as const) {
    const folder = join(left, engine);
    mkdirSync(folder, { recursive: true });
    const dex = await Swapfold.open({ storage: engines[engine]!(folder), config: of });
    await dex.ingest(swaps);
    await dex.refresh();
    if (engine === 'memory') kept.push(await allAnswers(dex));
    await dex.close();
  }
  [answers, otherAnswers] = kept as [string, string];
});
after(() => rmSync(left, { recursive: true, force: true }));

/** A folder with such a store of an engine, for a test to change. */
const withStore = (engine: string, use: (folder: string) => Promise<void>): Promise<void> =>
  withFolder((folder) => {
    cpSync(join(left, engine), folder, { recursive: true });
    return use(folder);
  });

async function setVersion(engine: string, folder: string, version: number): Promise<void> {
  const storage = engines[engine]!(folder);
  await storage.open({ tables: [metaTable] });
  await storage.write(async (writer) => {
    await writer.remove(metaTable, compare('name', 'eq', 'schema_version'));
    await writer.append(metaTable, { length: 1, columns: { name: ['schema_version'], value: [String(version)] } });
  });
  await storage.close();
}

/** Makes of a store what earlier versions left, whatever else was derived of no use. */
const olderVersions: Readonly<Record<number, (writer: Writer) => Promise<void>>> = {
  // Lots had no running cost.
  1: async (writer) => {
    const { rest_cost, rest_cost_low, ...columns } = lotsTable.columns;
    await writer.recreate({ ...lotsTable, columns });
    await writer.remove(legsTable, everything);
  },
  // Nothing was derived from the pools of swaps.
  4: async (writer) => {
    const { pool, ...columns } = tradesTable.columns;
    await writer.recreate({ ...tradesTable, columns });
    for (const table of [poolSwapsTable, tradePoolsTable]) await writer.remove(table, everything);
  },
};

for (const engine of files) {
  test(`${engine}: a store that is closed and opened again gives the same answers, and goes on`, () =>
    withFolder(async (folder) => {
      const first = await Swapfold.open({ storage: engines[engine]!(folder), config });
      await first.ingest(swaps.slice(0, swaps.length * 0.6));
      await first.refresh();
      const before = await allAnswers(first);
      await first.close();
      const second = await Swapfold.open({ storage: engines[engine]!(folder), config });
      assert.ok((await allAnswers(second)) === before, 'the answers differ');
      await second.ingest(swaps.slice(swaps.length / 2));
      await second.refresh();
      const whole = await allAnswers(second);
      await second.close();
      assert.ok(whole === answers, 'the answers differ from those of one ingest');
    }));

  // test/old-stores.test.ts migrates files of DuckDB that earlier versions wrote.
  for (const [version, leave] of engine === 'duckdb' ? [] : Object.entries(olderVersions))
    test(`${engine}: a store of schema version ${version} is refused, or migrated: what was derived is folded again, and the answers are the same`, () =>
      withStore(engine, async (folder) => {
        const storage = engines[engine]!(folder);
        await storage.open({ tables: fixedTables });
        await storage.write(leave);
        await storage.close();
        await setVersion(engine, folder, Number(version));
        await assert.rejects(Swapfold.open({ storage: engines[engine]!(folder), config }), {
          code: 'store-mismatch',
          details: [
            { path: 'schema_version', message: `the store has ${version}, this Swapfold writes ${SCHEMA_VERSION}` },
          ],
        });
        const migrated = await Swapfold.open({ storage: engines[engine]!(folder), config, onMismatch: 'refold' });
        assert.ok((await allAnswers(migrated)) === answers, 'the answers differ');
        assert.deepEqual((await migrated.verify()).differences, []);
        await migrated.close();
      }));

  test(`${engine}: a store of a newer schema is refused with a sentence that says so, and left as it was`, () =>
    withStore(engine, async (folder) => {
      await setVersion(engine, folder, SCHEMA_VERSION + 1);
      const message = `The store has schema version ${SCHEMA_VERSION + 1}; this Swapfold knows versions up to ${SCHEMA_VERSION}. Upgrade Swapfold to open it.`;
      await assert.rejects(Swapfold.open({ storage: engines[engine]!(folder), config }), {
        code: 'newer-schema',
        message,
      });
      await setVersion(engine, folder, SCHEMA_VERSION);
      const again = await Swapfold.open({ storage: engines[engine]!(folder), config });
      assert.equal((await again.swaps.list({ limit: 1 })).count, swaps.length);
      await again.close();
    }));

  test(`${engine}: a store with a column of a newer version is refused, and left as it was`, () =>
    withStore(engine, async (folder) => {
      const storage = engines[engine]!(folder);
      await storage.open({ tables: [metaTable, swapsTable] });
      const columns = { ...swapsTable.columns, later: 'double' } as const;
      await storage.write((writer) => writer.addColumns({ ...swapsTable, columns }));
      await storage.close();
      await assert.rejects(Swapfold.open({ storage: engines[engine]!(folder), config }), {
        code: 'newer-schema',
        message:
          'The store\'s table "swaps" has the column "later", which this Swapfold does not know. Upgrade Swapfold to open it.',
      });
    }));

  test(`${engine}: another configuration is refused unless it is to be folded again, and then the store is that of the new one`, () =>
    withStore(engine, async (folder) => {
      await assert.rejects(Swapfold.open({ storage: engines[engine]!(folder), config: other }), {
        code: 'store-mismatch',
        message:
          /^The store was folded with other settings: "dust_usd": the store has [\d.]+, the configuration 25\. .*onMismatch: 'refold' to fold everything again\.$/,
      });
      const rebuilt = await Swapfold.open({ storage: engines[engine]!(folder), config: other, onMismatch: 'refold' });
      assert.notEqual(otherAnswers, answers);
      assert.ok((await allAnswers(rebuilt)) === otherAnswers, 'the answers differ');
      await rebuilt.close();
    }));
}

test('an ingest that fails in the middle leaves nothing behind, and the next one works', () =>
  withFolder(async (folder) => {
    const storage = engines.sqlite!(folder);
    const dex = await Swapfold.open({ storage, config });
    await dex.ingest(swaps.slice(0, 100));
    const write = storage.write.bind(storage);
    storage.write = (change) =>
      write((writer) =>
        change({
          ...writer,
          append: writer.append.bind(writer),
          replace: (table, batch) =>
            table.name === 'balances' ? Promise.reject(new Error('pulled the plug')) : writer.replace(table, batch),
          read: writer.read.bind(writer),
          stream: writer.stream.bind(writer),
          latest: writer.latest.bind(writer),
          count: writer.count.bind(writer),
          max: writer.max.bind(writer),
          remove: writer.remove.bind(writer),
          recreate: writer.recreate.bind(writer),
        }),
      );
    await assert.rejects(dex.ingest(swaps.slice(100, 250)), /pulled the plug/);
    storage.write = write;
    assert.equal((await dex.swaps.list({ limit: 1 })).count, 100);
    await dex.ingest(swaps.slice(100));
    await dex.refresh();
    assert.deepEqual((await dex.verify()).differences, []);
    assert.equal((await dex.swaps.list({ limit: 1 })).count, swaps.length);
    await dex.close();
  }));
