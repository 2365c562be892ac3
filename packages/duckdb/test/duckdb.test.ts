import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { defineTable, type ErrorCode, SwapfoldError } from '@swapfold/core';
import { duckdb } from '../src/index.ts';

const table = defineTable({
  name: 'things',
  columns: { id: 'id', name: 'text' },
  key: ['id'],
  indexes: [],
  derived: false,
});

const one = { length: 1, columns: { id: Int32Array.of(1), name: ['one'] } };

function fails(code: ErrorCode, message: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof SwapfoldError && error.code === code && message.test(error.message);
}

async function inFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'swapfold-duckdb-'));
  try {
    await body(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('a store in ":memory:" is one store to its reads and writes', async () => {
  const store = duckdb(':memory:');
  assert.equal(await store.open({ tables: [table] }), 'created');
  await store.write((writer) => writer.append(table, one));
  assert.equal(await store.snapshot((reader) => reader.count(table)), 1);
  await store.close();
});

test('two stores in ":memory:" have nothing in common', async () => {
  const [first, second] = [duckdb(':memory:'), duckdb(':memory:')];
  await first.open({ tables: [table] });
  assert.equal(await second.open({ tables: [table] }), 'created');
  await first.write((writer) => writer.append(table, one));
  assert.equal(await second.snapshot((reader) => reader.count(table)), 0);
  await first.close();
  await second.close();
});

test('options reach DuckDB', async () => {
  const store = duckdb({ path: ':memory:', threads: 1, memory_limit: '1GB' });
  await store.open({ tables: [table] });
  await store.close();
  const refused = duckdb({ path: ':memory:', memory_limit: 'plenty' });
  await assert.rejects(refused.open({ tables: [table] }), fails('store-failed', /plenty|memory/));
  await refused.close();
});

test('a given instance is used, and stays open after close', async () => {
  const instance = await DuckDBInstance.create(':memory:');
  const store = duckdb(instance);
  await store.open({ tables: [table] });
  await store.write((writer) => writer.append(table, one));
  await store.close();
  const connection = await instance.connect();
  assert.deepEqual(await (await connection.run('select * from things')).getRows(), [[1, 'one']]);
  connection.closeSync();
  instance.closeSync();
});

test('a text file and an SQLite file are foreign, and stay as they were', () =>
  inFolder(async (folder) => {
    for (const header of ['SQLite format 3\0', 'just a text\n']) {
      const path = join(folder, 'store.duckdb');
      const text = header.repeat(400);
      await writeFile(path, text);
      const store = duckdb(path);
      await assert.rejects(
        store.open({ tables: [table] }),
        fails('foreign-store', /store\.duckdb" is not a DuckDB database/),
      );
      await store.close();
      assert.equal(await readFile(path, 'utf8'), text);
    }
  }));

test('a database with other tables is foreign', () =>
  inFolder(async (folder) => {
    const path = join(folder, 'other.duckdb');
    const instance = await DuckDBInstance.create(path);
    const connection = await instance.connect();
    await connection.run('create table customers (id integer)');
    connection.closeSync();
    instance.closeSync();
    const store = duckdb(path);
    await assert.rejects(store.open({ tables: [table] }), fails('foreign-store', /"customers"/));
    await store.close();
  }));

test('a path in a folder that is not there is a failure of the store, with its cause', () =>
  inFolder(async (folder) => {
    const store = duckdb(join(folder, 'nowhere', 'store.duckdb'));
    await assert.rejects(store.open({ tables: [table] }), (error: unknown) => {
      assert.ok(fails('store-failed', /nowhere/)(error));
      assert.ok((error as Error).cause instanceof Error);
      return true;
    });
    await store.close();
  }));

test('a file that another process has open is a failure of the store that says so', () =>
  inFolder(async (folder) => {
    const path = join(folder, 'store.duckdb');
    const client = createRequire(import.meta.url).resolve('@duckdb/node-api');
    const holding = `require(${JSON.stringify(client)}).DuckDBInstance.create(${JSON.stringify(path)})
      .then((instance) => { console.log('open'); setInterval(() => instance, 1000); })`;
    const holder = spawn(process.execPath, ['-e', holding], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      await once(holder.stdout, 'data');
      const store = duckdb(path);
      await assert.rejects(
        store.open({ tables: [table] }),
        fails('store-failed', /open in another process \(PID \d+\)/),
      );
      await store.close();
    } finally {
      holder.kill();
      await once(holder, 'exit');
    }
  }));

test('two adapters of one file in one process share it', () =>
  inFolder(async (folder) => {
    const path = join(folder, 'store.duckdb');
    const [first, second] = [duckdb(path), duckdb(path)];
    assert.equal(await first.open({ tables: [table] }), 'created');
    assert.equal(await second.open({ tables: [table] }), 'existing');
    await first.write((writer) => writer.append(table, one));
    assert.equal(await second.snapshot((reader) => reader.count(table)), 1);
    await first.close();
    assert.equal(await second.snapshot((reader) => reader.count(table)), 1);
    await second.close();
    const again = duckdb(path);
    assert.equal(await again.open({ tables: [table] }), 'existing');
    assert.equal(await again.snapshot((reader) => reader.count(table)), 1);
    await again.close();
  }));

test('a range of the key answers with the rows in it', () =>
  inFolder(async (folder) => {
    const store = duckdb(join(folder, 'store.duckdb'));
    const ticks = defineTable({ name: 'ticks', columns: { seq: 'long' }, key: ['seq'], indexes: [], derived: true });
    await store.open({ tables: [ticks] });
    await store.write((writer) =>
      writer.append(ticks, {
        length: 500_000,
        columns: { seq: Float64Array.from({ length: 500_000 }, (_, i) => i * 2) },
      }),
    );
    const where = {
      kind: 'and',
      of: [
        { kind: 'compare', column: 'seq', op: 'gte', value: 700_000 },
        { kind: 'compare', column: 'seq', op: 'lt', value: 700_010 },
      ],
    } as const;
    const batch = await store.snapshot((reader) =>
      reader.read({ table: ticks, columns: ['seq'], where, order: [{ column: 'seq', direction: 'asc' }] }),
    );
    assert.deepEqual([...batch.columns.seq], [700_000, 700_002, 700_004, 700_006, 700_008]);
    await store.close();
  }));
