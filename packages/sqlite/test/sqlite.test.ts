import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { type ErrorCode, SwapfoldError } from '@swapfold/core';
import { defineTable } from '@swapfold/core/engine';
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
    assert.deepEqual(handle.prepare('select id, name from things').all(), [{ id: 1n, name: 'one' }]);
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

/** Some 10 MB of the log a write. */
async function writeMuch(store: ReturnType<typeof sqlite>, from: number): Promise<void> {
  const length = 400_000;
  const columns = {
    id: Int32Array.from({ length }, (_, i) => from + i),
    name: Array.from({ length }, (_, i) => `thing ${from + i}`),
  };
  await store.write((writer) => writer.append(table, { length, columns }));
}

test('the write-ahead log is brought into the file while the store is open, and its readers keep their state', () =>
  inFolder(async (folder) => {
    const path = join(folder, 'store.db');
    const store = sqlite(path);
    await store.open({ tables: [table] });
    await writeMuch(store, 0);
    const before = await store.snapshot(async (reader) => {
      const counted = await reader.count(table);
      await writeMuch(store, 1_000_000);
      await writeMuch(store, 2_000_000);
      return [counted, await reader.count(table)];
    });
    assert.deepEqual(before, [400_000, 400_000]);
    for (let i = 3; i < 7; i++) await writeMuch(store, i * 1_000_000);
    const [file, log] = await Promise.all([stat(path), stat(`${path}-wal`)]);
    assert.ok(file.size > 20_000_000, `${file.size} bytes in the file`);
    assert.ok(log.size < 50_000_000, `${log.size} bytes in the log`);
    assert.equal(await store.snapshot((reader) => reader.count(table)), 7 * 400_000);
    await store.close();
    await assert.rejects(stat(`${path}-wal`), { code: 'ENOENT' });
    const checked = new Database(path, { readonly: true });
    assert.deepEqual(checked.pragma('integrity_check'), [{ integrity_check: 'ok' }]);
    checked.close();
  }));

test('a given database has its own checkpoints again after the store is closed', () =>
  inFolder(async (folder) => {
    const handle = new Database(join(folder, 'store.db'));
    const store = sqlite(handle);
    await store.open({ tables: [table] });
    assert.equal(handle.pragma('wal_autocheckpoint', { simple: true }), 0);
    await store.close();
    assert.equal(handle.pragma('wal_autocheckpoint', { simple: true }), 1000);
    handle.close();
  }));
