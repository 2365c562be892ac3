import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { type ErrorCode, SwapfoldError } from '@swapfold/core';
import { compare, defineTable, everything } from '@swapfold/core/engine';
import { createSqlAdapter } from '@swapfold/sql';
import { createDriver } from '../src/duckdb.ts';
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

test('the writer of a file removes what a killed process has spilled beside it, and nothing else', () =>
  inFolder(async (folder) => {
    const path = join(folder, 'a.duckdb');
    const spilled = `${path}.tmp`;
    const open = async (): Promise<void> => {
      const store = duckdb(path);
      await store.open({ tables: [table] });
      await store.close();
    };
    await mkdir(spilled);
    await writeFile(join(spilled, 'duckdb_temp_storage_S32K-0.tmp'), 'spilled');
    await open();
    assert.deepEqual(await readdir(folder), ['a.duckdb']);
    await mkdir(spilled);
    await writeFile(join(spilled, 'duckdb_temp_block-7.block'), 'spilled');
    await writeFile(join(spilled, 'notes.txt'), 'mine');
    await open();
    assert.deepEqual(await readdir(spilled), ['notes.txt']);
  }));

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

test('a view that somebody made in a database is no table of it', () =>
  inFolder(async (folder) => {
    const path = join(folder, 'viewed.duckdb');
    const instance = await DuckDBInstance.create(path);
    const connection = await instance.connect();
    await connection.run('create view customers as select 1 as id');
    connection.closeSync();
    instance.closeSync();
    const store = duckdb(path);
    assert.equal(await store.open({ tables: [table] }), 'created');
    const own = [...(await store.tables()).keys()].filter((name) => name !== 'sorting');
    assert.deepEqual(own, [table.name]);
    await store.close();
  }));

test('a copy that an earlier version kept, and nothing read, goes with the first write', () =>
  inFolder(async (folder) => {
    const path = join(folder, 'earlier.duckdb');
    const before = duckdb(path);
    await before.open({ tables: [table] });
    await before.close();
    await rowsOf(path, 'create table moves_by_wallet_seq (wallet integer, seq bigint, pair bigint)');
    const store = duckdb(path);
    await store.open({ tables: [table] });
    await store.write(async () => undefined);
    assert.deepEqual([...(await store.tables()).keys()].sort(), [table.name, 'sorting'].sort());
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
        fails('store-locked', /open in another process \(PID \d+\)/),
      );
      await store.close();
    } finally {
      holder.kill();
      await once(holder, 'exit');
    }
  }));

test('a second adapter of a file in one process is refused while the first is open, and by a given instance too', () =>
  inFolder(async (folder) => {
    const path = join(folder, 'store.duckdb');
    const first = duckdb(path);
    assert.equal(await first.open({ tables: [table] }), 'created');
    const second = duckdb(path);
    await assert.rejects(second.open({ tables: [table] }), fails('store-locked', /open a second time in this process/));
    await second.close();
    await first.write((writer) => writer.append(table, one));
    await first.close();
    const again = duckdb(path);
    assert.equal(await again.open({ tables: [table] }), 'existing');
    assert.equal(await again.snapshot((reader) => reader.count(table)), 1);
    await again.close();
    const instance = await DuckDBInstance.create(':memory:');
    const [own, other] = [duckdb(instance), duckdb(instance)];
    await own.open({ tables: [table] });
    await assert.rejects(other.open({ tables: [table] }), fails('store-locked', /second time/));
    await other.close();
    await own.close();
    instance.closeSync();
  }));

test('a store that is open for reading only answers, beside others that read, and refuses writes', () =>
  inFolder(async (folder) => {
    const path = join(folder, 'store.duckdb');
    const writer = duckdb(path);
    await writer.open({ tables: [table] });
    await writer.write((to) => to.append(table, one));
    await writer.close();
    const store = duckdb({ path, read_only: true });
    assert.equal(await store.open({ tables: [table] }), 'existing');
    assert.equal(await store.snapshot((reader) => reader.count(table)), 1);
    await assert.rejects(
      store.write((to) => to.append(table, one)),
      fails('read-only', /opened for reading only/),
    );
    await store.close();
  }));

test('row groups are small, and a path may hold a quote', () =>
  inFolder(async (folder) => {
    const path = join(folder, "today's store.duckdb");
    const store = duckdb(path);
    await store.open({ tables: [ticks] });
    await store.write((writer) => writer.append(ticks, ticksFrom(0, 40_000)));
    await store.close();
    assert.deepEqual(await rowsOf(path, "select max(count) from pragma_storage_info('ticks')"), [[16_384n]]);
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

const ticks = defineTable({
  name: 'ticks',
  columns: { token: 'id', seq: 'long', wallet: 'id', price: 'double' },
  key: ['token', 'seq'],
  indexes: [
    ['token', 'seq'],
    ['wallet', 'seq'],
  ],
  derived: true,
});

/** Ticks of 7 tokens and 11 wallets, in the order of `seq`. */
function ticksFrom(from: number, count: number) {
  return {
    length: count,
    columns: {
      token: Int32Array.from({ length: count }, (_, i) => (from + i) % 7),
      seq: Float64Array.from({ length: count }, (_, i) => from + i),
      wallet: Int32Array.from({ length: count }, (_, i) => (from + i) % 11),
      price: new Float64Array(count).fill(2),
    },
  };
}

async function rowsOf(path: string, sql: string): Promise<unknown[][]> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  const rows = (await (await connection.run(sql)).getRows()) as unknown[][];
  connection.closeSync();
  instance.closeSync();
  return rows;
}

test('rows out of order are sorted by a small write once they are many, not by an import, and also after reopening', () =>
  inFolder(async (folder) => {
    const path = join(folder, 'store.duckdb');
    const open = async () => {
      const store = createSqlAdapter(createDriver(path, { rows: 100, share: 0.25, bulk: 1000, slice: 1e6 }));
      await store.open({ tables: [ticks] });
      return store;
    };
    const isSorted = async (name: string, columns: string): Promise<boolean> => {
      const rows = await rowsOf(path, `select ${columns} from ${name}`);
      const keys = rows.map((row) => row.map((value) => String(value).padStart(9)).join());
      return keys.join() === [...keys].sort().join();
    };
    const sorted = async () => [await isSorted('ticks', 'token, seq'), await isSorted('ticks_by_wallet_seq', '*')];

    let store = await open();
    await store.write((writer) => writer.append(ticks, ticksFrom(0, 1000)));
    await store.close();
    assert.deepEqual(await sorted(), [false, false], 'an import of 1,000 rows lies as it came');

    store = await open();
    await store.write((writer) => writer.append(ticks, ticksFrom(1000, 10)));
    await store.close();
    assert.deepEqual(await sorted(), [true, true], 'the next small write sorts them');

    store = await open();
    for (let i = 0; i < 25; i++) await store.write((writer) => writer.append(ticks, ticksFrom(1010 + i * 10, 10)));
    await store.close();
    assert.deepEqual(await sorted(), [false, false], '250 rows are less than a quarter of the table');

    store = await open();
    for (let i = 0; i < 10; i++) await store.write((writer) => writer.append(ticks, ticksFrom(1260 + i * 10, 10)));
    const where = compare('wallet', 'eq', 3);
    assert.equal(await store.snapshot((reader) => reader.count(ticks, where)), Math.ceil((1360 - 3) / 11));
    await store.close();
    const unsorted = await rowsOf(path, 'select name, unsorted from sorting order by name');
    assert.deepEqual(unsorted, [
      ['ticks', 10n],
      ['ticks_by_wallet_seq', 10n],
    ]);
  }));

test('of the rows of an emptied table only those count as unsorted that do not come after the greatest one before them', () =>
  inFolder(async (folder) => {
    const path = join(folder, 'store.duckdb');
    const rows = (tokens: readonly number[]) => ({
      length: tokens.length,
      columns: {
        token: Int32Array.from(tokens),
        seq: Float64Array.from(tokens.keys()),
        wallet: new Int32Array(tokens.length).fill(1),
        price: new Float64Array(tokens.length).fill(2),
      },
    });
    const store = createSqlAdapter(createDriver(path, { rows: 100, share: 0.25, bulk: 1000, slice: 1e6 }));
    await store.open({ tables: [ticks] });
    await store.write((writer) => writer.append(ticks, rows([5, 6])));
    await store.write(async (writer) => {
      await writer.remove(ticks, everything);
      await writer.append(ticks, rows([1, 3, 2, 3]));
      // By token the 2 comes after a 3 and the 1 after a 4; by wallet and `seq`, those of the second append go from 0 to 2 after a 3.
      await writer.append(ticks, rows([4, 1, 7]));
    });
    await store.close();
    assert.deepEqual(await rowsOf(path, 'select name, unsorted from sorting order by name'), [
      ['ticks', 2n],
      ['ticks_by_wallet_seq', 3n],
    ]);
  }));

test('the first rows of a table that was emptied before they came lie in order, also if it had none', () =>
  inFolder(async (folder) => {
    const path = join(folder, 'store.duckdb');
    const single = { ...ticks, indexes: [['token', 'seq']] };
    const store = createSqlAdapter(createDriver(path, { rows: 1e6, share: 0.25, bulk: 1000, slice: 1e6 }));
    await store.open({ tables: [single] });
    const { columns } = ticksFrom(0, 500);
    await store.write(async (writer) => {
      await writer.remove(single, everything);
      await writer.append(single, { length: 500, columns: { ...columns, token: columns.token.slice().sort() } });
    });
    await store.close();
    assert.deepEqual(await rowsOf(path, 'select name, unsorted from sorting'), [['ticks', 0n]]);
  }));

test('what an import left is sorted by a write that appends many rows to another table, as a refresh does', () =>
  inFolder(async (folder) => {
    const path = join(folder, 'store.duckdb');
    const profiles = { ...ticks, name: 'profiles' };
    const store = createSqlAdapter(createDriver(path, { rows: 100, share: 0.25, bulk: 1000, slice: 1e6 }));
    await store.open({ tables: [ticks, profiles] });
    await store.write((writer) => writer.append(ticks, ticksFrom(0, 1000)));
    await store.write((writer) => writer.append(profiles, ticksFrom(0, 2000)));
    await store.close();
    assert.deepEqual(await rowsOf(path, 'select name, unsorted from sorting order by name'), [
      ['profiles', 2000n],
      ['profiles_by_wallet_seq', 2000n],
      ['ticks', 0n],
      ['ticks_by_wallet_seq', 0n],
    ]);
  }));

test('rows that could not be sorted after a write lie as they were, the write is stored, and the reason is told', () =>
  inFolder(async (folder) => {
    const path = join(folder, 'store.duckdb');
    const driver = createDriver(path, { rows: 0, share: 0, bulk: 1e9, slice: 1e6 });
    const { sorting } = driver.dialect;
    let isFailing = false;
    const told: unknown[] = [];
    const store = createSqlAdapter({
      ...driver,
      dialect: {
        ...driver.dialect,
        sorting: {
          ...sorting!,
          async sort(session, mayTouch) {
            await sorting!.sort(session, mayTouch);
            if (isFailing) throw new Error('after sorting');
          },
        },
      },
    });
    await store.open({ tables: [ticks], onError: (error) => told.push(error) });
    await store.write((writer) => writer.append(ticks, ticksFrom(0, 500)));
    assert.deepEqual(told, []);
    isFailing = true;
    await store.write((writer) => writer.append(ticks, ticksFrom(500, 13)));
    assert.match(String(told), /after sorting/);
    assert.equal(await store.snapshot((reader) => reader.count(ticks)), 513);
    // Wallet 3 has the rows 3, 14, ... 509.
    assert.equal(await store.snapshot((reader) => reader.count(ticks, compare('wallet', 'eq', 3))), 47);
    isFailing = false;
    await store.write((writer) => writer.append(ticks, ticksFrom(513, 5)));
    assert.equal(await store.snapshot((reader) => reader.count(ticks)), 518);
    await store.close();
  }));

test('a table is sorted slice by slice, one after each write, and no row is lost or there twice', () =>
  inFolder(async (folder) => {
    const path = join(folder, 'store.duckdb');
    // A slice of 16,500 rows of four values is a row group of 16,384: 60,000 rows are four slices, of which the last is smaller.
    const bounds = { rows: 1000, share: 0.25, bulk: 50_000, slice: 4 * 16_500 };
    const single = { ...ticks, indexes: [['token', 'seq']] };
    const open = async () => {
      const store = createSqlAdapter(createDriver(path, bounds));
      await store.open({ tables: [single] });
      return store;
    };
    let store = await open();
    await store.write((writer) => writer.append(single, ticksFrom(0, 60_000)));
    for (let write = 0; write < 5; write++) {
      await store.write((writer) => writer.append(single, ticksFrom(60_000 + write, 1)));
      const { columns, length } = await store.snapshot((reader) => reader.read({ table: single, columns: ['seq'] }));
      assert.deepEqual([length, new Set(columns.seq).size], [60_001 + write, 60_001 + write]);
      if (write !== 1) continue;
      await store.close();
      const [[name, , to]] = (await rowsOf(path, 'from sorting')) as [[string, bigint, string]];
      // Two row groups are the 8,572 rows of each of the tokens 0, 1 and 2, and 32,768 - 25,716 = 7,052 of token 3, which has every seventh `seq`.
      assert.deepEqual([name, to], ['ticks', JSON.stringify([3, 3 + 7 * 7051])]);
      store = await open();
    }
    await store.close();
    // Those that came since the first slice count, though all but the last lay in slices to come.
    assert.deepEqual(await rowsOf(path, 'from sorting'), [['ticks', 4n, null]]);
    const keys =
      '(select token, seq, lag(token) over (order by rowid) as token_before, lag(seq) over (order by rowid) as seq_before from ticks)';
    const turns = `select seq from ${keys} where token_before is not null and (token, seq) < (token_before, seq_before)`;
    assert.deepEqual(await rowsOf(path, turns), [[60_004n]]);
  }));

test('a table that had no sorted copies gets them of its rows by reindex', () =>
  inFolder(async (folder) => {
    const path = join(folder, 'store.duckdb');
    const before = duckdb(path);
    await before.open({ tables: [{ ...ticks, indexes: [] }] });
    await before.write((writer) => writer.append({ ...ticks, indexes: [] }, ticksFrom(0, 100)));
    await before.close();
    const store = duckdb(path);
    assert.equal(await store.open({ tables: [ticks] }), 'existing');
    await store.write((writer) => writer.reindex(ticks));
    const page = await store.snapshot((reader) =>
      reader.read({
        table: ticks,
        columns: ['seq', 'price'],
        where: compare('wallet', 'eq', 3),
        order: [{ column: 'seq', direction: 'desc' }],
        limit: 2,
      }),
    );
    assert.deepEqual([...page.columns.seq], [91, 80]);
    await store.close();
  }));
