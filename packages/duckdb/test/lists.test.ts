import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { and, compare, defineTable, isIn } from '@swapfold/core/engine';
import { duckdb } from '../src/index.ts';

const ROWS = 6000;

const ticks = defineTable({
  name: 'ticks',
  columns: { seq: 'long', wallet: 'id' },
  key: ['seq'],
  indexes: [['seq'], ['wallet', 'seq']],
  derived: true,
});

/** One of each wallet, in two orders: neighbours in one are far apart in the other. */
const rows = {
  length: ROWS,
  columns: {
    seq: Float64Array.from({ length: ROWS }, (_, i) => i * 2 ** 33),
    wallet: Int32Array.from({ length: ROWS }, (_, i) => (i * 7) % ROWS),
  },
};

test('a list of any length finds its rows, whole and the newest of each', async () => {
  const store = duckdb(':memory:');
  await store.open({ tables: [ticks] });
  await store.write((writer) => writer.append(ticks, rows));
  for (const length of [1, 5, 6, 50, 51, 1000, 1001, 5000]) {
    const keys = rows.columns.seq.slice(ROWS - length);
    const wallets = rows.columns.wallet.slice(ROWS - length);
    const found = await store.snapshot(async (reader) => ({
      keys: await reader.read({ table: ticks, columns: ['seq'], where: isIn('seq', keys) }),
      wallets: await reader.read({ table: ticks, columns: ['seq'], where: isIn('wallet', wallets) }),
      newest: await reader.latest({ table: ticks, columns: ['seq'], key: 'wallet', keys: wallets, by: 'seq' }),
    }));
    for (const [way, { columns }] of Object.entries(found))
      assert.deepEqual(columns.seq.slice().sort(), keys, `${way} of ${length}`);
  }
  await store.close();
});

test('rows are read from the copy whose order they are wanted in, unless they are recent', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'swapfold-duckdb-'));
  const path = join(folder, 'store.duckdb');
  try {
    const store = duckdb(path);
    await store.open({ tables: [ticks] });
    await store.write((writer) => writer.append(ticks, rows));
    await store.close();
    const instance = await DuckDBInstance.create(path);
    const connection = await instance.connect();
    await connection.run('delete from ticks_by_wallet_seq where seq = 0');
    connection.closeSync();
    instance.closeSync();

    const again = duckdb(path);
    await again.open({ tables: [ticks] });
    const scan = {
      table: ticks,
      columns: ['seq'],
      where: and(isIn('wallet', rows.columns.wallet), compare('seq', 'lt', 2 ** 34)),
    } as const;
    const order = [
      { column: 'wallet', direction: 'asc' },
      { column: 'seq', direction: 'asc' },
    ] as const;
    const read = (how: object) =>
      again.snapshot(async (reader) => [...(await reader.read({ ...scan, ...how })).columns.seq]);
    assert.deepEqual(await read({ order }), [2 ** 33]);
    assert.deepEqual(await read({ order, isRecent: true }), [0, 2 ** 33]);
    assert.deepEqual(await read({}), [0, 2 ** 33], 'of many wallets in no order');
    await again.close();
  } finally {
    await rm(folder, { recursive: true });
  }
});
