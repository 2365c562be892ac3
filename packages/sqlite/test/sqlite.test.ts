import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { defineTable, type ErrorCode, SwapfoldError } from '@swapfold/core';
import Database from 'better-sqlite3';
import { sqlite } from '../src/index.ts';

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
  const folder = await mkdtemp(join(tmpdir(), 'swapfold-sqlite-'));
  try {
    await body(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('":memory:" is refused with a sentence that names the memory adapter', () => {
  const refused = fails('invalid-config', /":memory:".*memory\(\) of @swapfold\/core/);
  assert.throws(() => sqlite(':memory:'), refused);
  assert.throws(() => sqlite({ path: ':memory:' }), refused);
  const handle = new Database(':memory:');
  assert.throws(() => sqlite(handle), refused);
  handle.close();
});

test('a file that is no SQLite database is foreign, and stays as it was', () =>
  inFolder(async (folder) => {
    const path = join(folder, 'notes.txt');
    const text = 'no database, but long enough to have a header\n'.repeat(100);
    await writeFile(path, text);
    const store = sqlite(path);
    await assert.rejects(
      store.open({ tables: [table] }),
      fails('foreign-store', /notes\.txt" is not an SQLite database/),
    );
    await store.close();
    assert.equal(await readFile(path, 'utf8'), text);
  }));

test('a database with other tables is foreign, and stays as it was', () =>
  inFolder(async (folder) => {
    const path = join(folder, 'other.db');
    new Database(path).exec('create table customers (id integer)').close();
    const before = await readFile(path);
    const store = sqlite(path);
    await assert.rejects(store.open({ tables: [table] }), fails('foreign-store', /"customers"/));
    await store.close();
    assert.deepEqual(await readFile(path), before);
  }));

test('a path in a folder that is not there is a failure of the store, with its cause', () =>
  inFolder(async (folder) => {
    const store = sqlite(join(folder, 'nowhere', 'store.db'));
    await assert.rejects(store.open({ tables: [table] }), (error: unknown) => {
      assert.ok(fails('store-failed', /nowhere/)(error));
      assert.ok((error as Error).cause instanceof Error);
      return true;
    });
    await store.close();
  }));

test('a file that another connection has locked is a failure of the store', () =>
  inFolder(async (folder) => {
    const path = join(folder, 'store.db');
    const store = sqlite({ path, busy_timeout: 1 });
    await store.open({ tables: [table] });
    const other = new Database(path).exec('begin immediate');
    await assert.rejects(
      store.write((writer) => writer.append(table, one)),
      fails('store-locked', /is locked/),
    );
    other.exec('rollback').close();
    await store.write((writer) => writer.append(table, one));
    assert.equal(await store.snapshot((reader) => reader.count(table)), 1);
    await store.close();
  }));

test('a given Database is used, and stays open after close', () =>
  inFolder(async (folder) => {
    const handle = new Database(join(folder, 'store.db'));
    handle.defaultSafeIntegers(true);
    const store = sqlite(handle);
    assert.equal(await store.open({ tables: [table] }), 'created');
    await store.write((writer) => writer.append(table, one));
    assert.equal(await store.write((writer) => writer.max(table, 'id')), 1);
    assert.equal(await store.snapshot((reader) => reader.count(table)), 1);
    await store.close();
    assert.ok(handle.open);
    assert.deepEqual(handle.prepare('select * from things').all(), [{ id: 1n, name: 'one' }]);
    handle.close();
  }));

test('a write whose append failed half way is undone, though its function went on', () =>
  inFolder(async (folder) => {
    const store = sqlite(join(folder, 'store.db'));
    await store.open({ tables: [table] });
    const twice = { length: 2, columns: { id: Int32Array.of(1, 1), name: ['first', 'second'] } };
    const changing = store.write((writer) => writer.append(table, twice).catch(() => undefined));
    await assert.rejects(changing, fails('store-failed', /UNIQUE/));
    assert.equal(await store.snapshot((reader) => reader.count(table)), 0);
    await store.close();
  }));

test('a read that goes by the key or an index scans no table and sorts nothing', () =>
  inFolder(async (folder) => {
    const path = join(folder, 'store.db');
    const store = sqlite(path);
    const legs = defineTable({
      name: 'legs',
      columns: { token: 'id', seq: 'long', price: 'double' },
      key: ['token', 'seq'],
      indexes: [['token', 'seq']],
      derived: true,
    });
    const swaps = defineTable({
      name: 'swaps',
      columns: { seq: 'long', wallet: 'id' },
      key: ['seq'],
      indexes: [['wallet', 'seq']],
      derived: false,
    });
    await store.open({ tables: [legs, swaps] });
    await store.close();
    const handle = new Database(path, { readonly: true });
    const plan = (sql: string): string =>
      (handle.prepare(`explain query plan ${sql}`).all() as { detail: string }[])
        .map(({ detail }) => detail)
        .join('; ');
    assert.equal(
      plan('select price from legs where token = 1 order by token asc, seq asc'),
      'SEARCH legs USING PRIMARY KEY (token=?)',
    );
    assert.equal(
      plan('select wallet from swaps where seq >= 1 and seq <= 2 order by seq asc'),
      'SEARCH swaps USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)',
    );
    assert.match(
      plan('select seq from swaps order by wallet desc, seq desc'),
      /^SCAN swaps USING COVERING INDEX swaps_by_wallet_seq$/,
    );
    handle.close();
  }));
