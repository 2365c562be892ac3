import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import {
  type ConfigInput,
  type IngestOptions,
  type IngestResult,
  Swapfold,
  SwapfoldError,
  type SwapInput,
  type SwapSource,
} from '@swapfold/core';
import type { StorageAdapter } from '@swapfold/core/engine';
import { createSqlAdapter } from '@swapfold/sql';
import { createDriver } from '../packages/duckdb/src/duckdb.ts';
import { defaultSorting } from '../packages/duckdb/src/keep-sorted.ts';
import { dumpStore, firstDifferences } from './support/dump.ts';
import { engines, withFolder } from './support/engines.ts';
import { smallMarket } from './support/market.ts';
import { shuffled } from './support/shuffle.ts';
import { readUniswapDay, uniswapCases } from './support/uniswap.ts';
import { cases, isWhole } from './support/whole.ts';

interface Left {
  readonly result: IngestResult;
  readonly dump: readonly string[];
}

/** What an ingest of a source leaves in a new store, refreshed. */
async function leftBy(storage: StorageAdapter, config: ConfigInput, source: SwapSource, options: IngestOptions) {
  const dex = await Swapfold.open({ storage, config });
  const result = await dex.ingest(source, options);
  await dex.refresh();
  const dump = await dumpStore(dex, storage);
  await dex.close();
  return { result, dump } satisfies Left;
}

function assertSame(actual: Left, expected: Left): void {
  assert.deepEqual(firstDifferences(actual.dump, expected.dump), []);
  assert.deepEqual(actual.result, expected.result);
  assert.ok(expected.dump.some((line) => line.startsWith('trades: ')));
}

function* batchesOf(swaps: readonly SwapInput[], batches: number): Generator<SwapInput[]> {
  for (let batch = 0; batch < batches; batch++)
    yield swaps.slice((swaps.length * batch) / batches, (swaps.length * (batch + 1)) / batches);
}

/** Writes swaps as the Parquet file of a column for each field. */
async function writeParquet(path: string, swaps: readonly object[]): Promise<void> {
  writeFileSync(`${path}.ndjson`, swaps.map((swap) => JSON.stringify(swap)).join('\n'));
  const connection = await (await DuckDBInstance.create()).connect();
  const [from, to] = [`${path}.ndjson`, path].map((name) => `'${name.replaceAll("'", "''")}'`);
  await connection.run(`copy (from read_json(${from}, sample_size = -1)) to ${to} (format parquet)`);
  connection.closeSync();
}

/** A store whose imports are ordered, derived and stored in several chunks. */
const inChunks = (path: string): StorageAdapter => createSqlAdapter(createDriver(path, defaultSorting, 300));

const market = (seed: number): { swaps: SwapInput[]; config: ConfigInput } =>
  smallMarket({ swaps: cases(4000, 1200), seed, withUsd: false, withBalances: seed % 2 === 0 });

/** The swaps in any order, with some a second time, some with another amount or time, and some rows at fault. */
function untidy(swaps: readonly SwapInput[]): SwapInput[] {
  const again = swaps.filter((_, i) => i % 17 === 0);
  const otherAmount = swaps.filter((_, i) => i % 23 === 0).map((swap) => ({ ...swap, token_amount_in: 0.125 }));
  const otherTime = swaps.filter((_, i) => i % 29 === 0).map((swap) => ({ ...swap, block_time: 1_500_000_000 }));
  const atFault = swaps
    .filter((_, i) => i % 31 === 0)
    .map((swap) => ({ ...swap, wallet: 'none', tx_hash: `x${swap.tx_hash}` }));
  return shuffled([...swaps, ...again, ...otherAmount, ...otherTime, ...atFault], 5);
}

for (const engine of Object.keys(engines)) {
  for (const [i, { title, day, config }] of uniswapCases.entries()) {
    if (!isWhole && (engine !== 'duckdb' || i > 0)) continue;
    test(`${engine}, ${title}: a bulk import leaves what batches leave, in every table`, () =>
      withFolder(async (folder) => {
        const swaps = readUniswapDay(day);
        const byBatches = await leftBy(engines[engine]!(folder, 0), config, swaps, {});
        const inBulk = await leftBy(engines[engine]!(folder, 1), config, batchesOf(swaps, 3), { bulk: true });
        assertSame(inBulk, byBatches);
      }));
  }

  // The others take the way of the batches.
  if (!isWhole && engine !== 'duckdb') continue;
  test(`${engine}: a bulk import of untidy swaps leaves what batches leave, and tells the same of each row`, () =>
    withFolder(async (folder) => {
      const { swaps, config } = market(2);
      const rows = untidy(swaps);
      const byBatches = await leftBy(engines[engine]!(folder, 0), config, batchesOf(rows, 4), {});
      const storage = engine === 'duckdb' ? inChunks(join(folder, 'chunks.duckdb')) : engines[engine]!(folder, 1);
      const inBulk = await leftBy(storage, config, batchesOf(rows, 4), { bulk: true });
      assertSame(inBulk, byBatches);
      assert.ok(inBulk.result.duplicate > 0 && inBulk.result.conflicting > 0 && inBulk.result.rejected > 0);
    }));
}

test('after a bulk import and its refresh no row of a sorted table lies out of order, also in many chunks', () =>
  withFolder(async (folder) => {
    const { swaps, config } = market(3);
    const path = join(folder, 'sorted.duckdb');
    await leftBy(inChunks(path), config, batchesOf(swaps, 3), { bulk: true });
    const connection = await (await DuckDBInstance.create(path)).connect();
    const rowsOf = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJson();
    const unsorted = await rowsOf('select name, unsorted from sorting order by name');
    assert.deepEqual(
      unsorted.filter(([, count]) => count !== '0'),
      [],
    );
    assert.ok(unsorted.some(([name]) => name === 'legs') && unsorted.some(([name]) => name === 'position_profiles'));
    for (const [name, key] of [
      ['legs', '(token, seq)'],
      ['position_profiles', 'id'],
    ]) {
      const keys = `(select ${key} as key, lag(${key}) over (order by rowid) as before from ${name})`;
      const counts = `select (count(*) > 100)::int, (count(*) filter (where key <= before))::int from ${keys}`;
      assert.deepEqual(await rowsOf(counts), [[1, 0]], name);
    }
    connection.closeSync();
  }));

/** The file for the engine to read, which must not read its batches; or, with `isRead`, must. */
function swapFile(
  path: string,
  swaps: readonly SwapInput[],
  isRead: boolean,
): { source: SwapSource; wasRead: () => boolean } {
  let wasRead = false;
  const columns = Object.fromEntries(Object.keys(swaps[0]!).map((name) => [name, name]));
  async function* batches() {
    wasRead = true;
    yield* batchesOf(swaps, 2);
  }
  const source = [{ parquet: path, columns, batches }][Symbol.iterator]() as never;
  return { source, wasRead: () => wasRead === isRead };
}

test('duckdb: a Parquet file that the engine reads leaves what its swaps leave', () =>
  withFolder(async (folder) => {
    const { swaps, config } = market(3);
    const path = join(folder, "it's.parquet");
    await writeParquet(path, shuffled(swaps, 1));
    const byBatches = await leftBy(engines.duckdb!(folder, 0), config, swaps, {});
    const file = swapFile(path, swaps, false);
    assertSame(await leftBy(engines.duckdb!(folder, 1), config, file.source, { bulk: true }), byBatches);
    assert.ok(file.wasRead());
  }));

/** Each makes a row that the checks refuse, or change. */
const doubtful: Readonly<Record<string, Partial<Record<keyof SwapInput, unknown>>>> = {
  'a wallet that is no address': { wallet: 'none' },
  'a negative amount': { token_amount_in: -1 },
  'an amount beyond the bound': { token_amount_out: 1e201 },
  'a time in milliseconds': { block_time: 1_700_000_000_000 },
  'the serial day of a spreadsheet': { block_time: 45_368 },
  'a hash with a space': { tx_hash: 'a b' },
  'a hash with a backslash': { tx_hash: '\\xab' },
  'a symbol with a backslash': { token_symbol_in: '\\xab' },
  'a hash of another script': { tx_hash: 'ж' },
  'a fraction of an index': { swap_index: 0.5 },
  'a missing token': { token_out: null },
};

/** Of those by default, one for each kind of field. */
const few = ['a wallet that is no address', 'an amount beyond the bound', 'the serial day of a spreadsheet'];

for (const [what, change] of Object.entries(doubtful)) {
  if (!isWhole && !few.includes(what)) continue;
  test(`duckdb: a Parquet file with ${what} is read row by row`, () =>
    withFolder(async (folder) => {
      const { swaps, config } = market(4);
      const rows = swaps.slice(0, 40).map((swap, i) => (i === 20 ? { ...swap, ...change } : swap)) as SwapInput[];
      const path = join(folder, 'swaps.parquet');
      await writeParquet(path, rows);
      const storage = engines.duckdb!(folder, 1);
      const dex = await Swapfold.open({ storage, config });
      const file = swapFile(path, rows, true);
      const result = await dex.ingest(file.source, { bulk: true });
      await dex.close();
      assert.ok(file.wasRead());
      assert.equal(result.added + result.rejected, rows.length);
    }));
}

test('a bulk import into a store that has swaps adds to them, and one that is empty but for a registry has its ids', () =>
  withFolder(async (folder) => {
    const { swaps, config } = market(5);
    const storage = engines.duckdb!(folder, 0);
    const dex = await Swapfold.open({ storage, config });
    await dex.wallets.upsert([{ address: swaps[0]!.wallet, name: 'Ada' }]);
    const first = await dex.ingest(batchesOf(swaps.slice(0, 700), 2), { bulk: true });
    const second = await dex.ingest(batchesOf(swaps, 2), { bulk: true });
    assert.deepEqual([first.added, second.added, second.duplicate], [700, swaps.length - 700, 700]);
    await dex.refresh();
    const { data } = await dex.wallets.search({ filter: { 'metadata.name': 'Ada' } });
    assert.equal(data.length, 1);
    const verified = await dex.verify();
    assert.deepEqual(verified.differences, []);
    await dex.close();
  }));

test('a source that fails leaves what came before it stored; an aborted bulk import leaves the store empty', () =>
  withFolder(async (folder) => {
    const { swaps, config } = market(6);
    function* failing(): Generator<SwapInput[]> {
      yield swaps.slice(0, 300);
      throw new Error('gone');
    }
    const dex = await Swapfold.open({ storage: engines.duckdb!(folder, 0), config });
    const abort = new AbortController();
    const aborting = dex.ingest(batchesOf(swaps, 2), {
      bulk: true,
      signal: abort.signal,
      onSwaps: () => abort.abort(),
    });
    await assert.rejects(aborting, (error) => error instanceof SwapfoldError && error.code === 'aborted');
    assert.equal((await dex.swaps.list({})).data.length, 0);
    await assert.rejects(
      dex.ingest(failing(), { bulk: true }),
      (error) => error instanceof SwapfoldError && error.code === 'source-failed' && error.result?.added === 300,
    );
    assert.deepEqual((await dex.ingest(swaps, { bulk: true })).duplicate, 300);
    await dex.close();
    assert.deepEqual(
      readdirSync(folder).filter((name) => !name.startsWith('store-0.duckdb')),
      [],
    );
  }));

test('what a killed bulk import left in the file is dropped when the store is opened, and the store is empty', () =>
  withFolder(async (folder) => {
    const { swaps, config } = market(7);
    await (await Swapfold.open({ storage: engines.duckdb!(folder, 0), config })).close();
    const instance = await DuckDBInstance.create(join(folder, 'store-0.duckdb'));
    const connection = await instance.connect();
    await connection.run('create table swapfold_loading_swaps as select range as seq from range(1000)');
    connection.closeSync();
    instance.closeSync();
    const storage = engines.duckdb!(folder, 0);
    const dex = await Swapfold.open({ storage, config });
    assert.deepEqual(
      [...(await storage.tables()).keys()].filter((name) => name.includes('loading')),
      [],
    );
    assert.equal((await dex.ingest(batchesOf(swaps.slice(0, 100), 1), { bulk: true })).added, 100);
    await dex.close();
  }));
