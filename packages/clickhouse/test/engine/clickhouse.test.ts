import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { type ErrorCode, SwapfoldError } from '@swapfold/core';
import {
  compare,
  defineTable,
  everything,
  isIn,
  newBatch,
  type StorageAdapter,
  type Writer,
} from '@swapfold/core/engine';
import { type ClickhouseOptions, clickhouse } from '../../src/index.ts';
import { openClient } from '../support/chdb.ts';

const { client, dispose } = await openClient();
after(dispose);

const table = defineTable({
  name: 'things',
  columns: { id: 'id', number: 'long', name: 'text' },
  key: ['id'],
  indexes: [['number', 'id']],
  derived: false,
});

let databases = 0;
const open: StorageAdapter[] = [];

async function inDatabase(body: (database: string) => Promise<void>): Promise<void> {
  const database = `swapfold_own_${process.pid}_${databases++}`;
  try {
    await body(database);
  } finally {
    for (const store of open.splice(0)) await store.close();
    await client.command({ query: `drop database if exists ${database} sync` });
  }
}

async function opened(database: string, options: Partial<ClickhouseOptions> = {}): Promise<StorageAdapter> {
  const store = clickhouse({ server: client, database, ...options });
  open.push(store);
  await store.open({ tables: [table] });
  return store;
}

function things(from: number, count: number) {
  const batch = newBatch(table, count);
  for (let i = 0; i < count; i++) {
    batch.columns.id[i] = from + i;
    batch.columns.number[i] = -(from + i);
    batch.columns.name[i] = `thing ${from + i}`;
  }
  return batch;
}

async function rows(query: string): Promise<unknown[]> {
  const answer = await client.query({ query, format: 'JSONEachRow' });
  return answer.json();
}

/** A client that notes the statements it is given. */
function noting(statements: string[]): typeof client {
  return new Proxy(client, {
    get: (target, name) =>
      name === 'exec'
        ? (params: Parameters<typeof client.exec>[0]) => {
            statements.push(params.query);
            return target.exec(params);
          }
        : Reflect.get(target, name),
  });
}

const countOf = (store: StorageAdapter): Promise<number> => store.snapshot((reader) => reader.count(table));

function fails(code: ErrorCode, message: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof SwapfoldError && error.code === code && message.test(error.message);
}

test('a database with other tables is foreign, and stays as it was', () =>
  inDatabase(async (database) => {
    await client.command({ query: `create database ${database}` });
    await client.command({ query: `create table ${database}.customers (id Int32) engine = MergeTree order by id` });
    await assert.rejects(opened(database), fails('foreign-store', /"customers"/));
    assert.deepEqual(await rows(`select name from system.tables where database = '${database}'`), [
      { name: 'customers' },
    ]);
  }));

test('an address that is none is refused with one that would do', () => {
  for (const address of ['localhost:8123', 'swaps', 'file:///swaps']) {
    assert.throws(() => clickhouse(address), fails('invalid-config', /like "http:\/\/localhost:8123\/swaps"/), address);
  }
});

test('an address without a server is a failure of the store that names the database, with its cause', async () => {
  const store = clickhouse('http://127.0.0.1:1/swaps');
  await assert.rejects(store.open({ tables: [table] }), (error: unknown) => {
    assert.ok(fails('store-failed', /"swaps"/)(error));
    assert.ok((error as Error).cause instanceof Error);
    return true;
  });
  await store.close();
});

/** Rows of the table as it lies, and as its projection has them. */
async function bothOrders(database: string): Promise<unknown[]> {
  const named = `select name from system.tables where database = '${database}' and name like 'things_%'`;
  const [{ name }] = (await rows(named)) as [{ name: string }];
  const ids = (settings: string) =>
    rows(
      `select id from ${database}.${name} where number <= 0 order by number desc, id limit 1000 settings ${settings}`,
    );
  return [
    await ids('optimize_use_projections = 0'),
    await ids('optimize_use_projections = 1, force_optimize_projection = 1'),
  ];
}

test('rows that a failed write left are gone from the projections of their table, too', () =>
  inDatabase(async (database) => {
    const store = await opened(database);
    await store.write((writer) => writer.append(table, things(0, 2)));
    const failing = store.write(async (writer) => {
      await writer.append(table, things(10, 5));
      assert.equal(await writer.count(table), 7);
      throw new Error('on purpose');
    });
    await assert.rejects(failing, /on purpose/);
    const stay = [{ id: 0 }, { id: 1 }];
    assert.deepEqual(await bothOrders(database), [stay, stay]);
  }));

test('rows of a write whose process was killed are never seen, and gone after the next write', () =>
  inDatabase(async (database) => {
    const killed = await opened(database);
    await killed.write((writer) => writer.append(table, things(0, 10)));
    let endless: () => void = () => undefined;
    // A write that never ends is what a killed process leaves: rows, removals and a table without their commit.
    const dying = killed.write(async (writer) => {
      await writer.append(table, things(100, 10));
      await writer.remove(table, compare('id', 'lt', 5));
      await writer.recreate({ ...table, name: 'others' });
      assert.equal(await writer.count(table), 15);
      await new Promise<void>((resolve) => {
        endless = resolve;
      });
    });
    dying.catch(() => undefined);
    while ((await rows(`select 1 from ${database}.swapfold_log where name = 'others'`)).length === 0);

    const next = await opened(database);
    assert.equal(await countOf(next), 10);
    await next.write((writer) => writer.append(table, things(200, 1)));
    assert.equal(await countOf(next), 11);
    assert.equal((await next.tables()).has('others'), false);
    const [{ physical } = { physical: '' }] = (await rows(
      `select name as physical from system.tables where database = '${database}' and name like 'things_%'`,
    )) as { physical: string }[];
    assert.deepEqual(await rows(`select count() as n from ${database}.${physical}`), [{ n: 11 }]);
    assert.deepEqual(await rows(`select sum(count) as n from ${database}.swapfold_removals`), [{ n: 0 }]);

    endless();
    await assert.rejects(dying, fails('store-failed', /Another process has begun to write/));
    assert.equal(await countOf(next), 11);
  }));

test('a store notices what another process writes, and not what it writes itself', () =>
  inDatabase(async (database) => {
    const [one, other] = [await opened(database), await opened(database)];
    const before = one.externalVersion!();
    await one.write((writer) => writer.append(table, things(0, 1)));
    await countOf(one);
    assert.equal(one.externalVersion!(), before);
    await other.write((writer) => writer.append(table, things(1, 1)));
    while (one.externalVersion!() === before) await wait(50);
    assert.equal(await countOf(one), 2);
  }));

test('a store that is opened for reading only leaves the write of another process alone, and writes nothing itself', () =>
  inDatabase(async (database) => {
    const writing = await opened(database);
    await writing.write(async (writer) => {
      await writer.append(table, things(0, 3));
      assert.equal(await writer.count(table), 3);
      const reading = await opened(database, { read_only: true });
      assert.equal(await countOf(reading), 0);
      await assert.rejects(
        reading.write((other) => other.remove(table, everything)),
        fails('read-only', /reading only/),
      );
    });
    assert.equal(await countOf(await opened(database, { read_only: true })), 3);
    await assert.rejects(opened(`${database}_none`, { read_only: true }), fails('foreign-store', /none of Swapfold's/));
  }));

test('writes that change nothing commit nothing, and their numbers leave the log', () =>
  inDatabase(async (database) => {
    const store = await opened(database, { snapshot_seconds: 0 });
    const version = () => store.snapshot((reader) => reader.version!());
    const before = await version();
    for (let i = 0; i < 40; i++) assert.equal(await store.write((writer) => writer.count(table)), 0);
    await store.open({ tables: [table] });
    assert.equal(await version(), before);
    const [log] = (await rows(`select count() as n from ${database}.swapfold_log where kind != 'table'`)) as {
      n: number;
    }[];
    assert.ok(Number(log!.n) <= 2 + 2 * 16, `${log!.n} rows in the log after more than 40 writes that changed nothing`);
  }));

test('removed rows and recreated tables leave the disk when no snapshot can read them', () =>
  inDatabase(async (database) => {
    const store = await opened(database, { snapshot_seconds: 0 });
    await store.write((writer) => writer.append(table, things(0, 60_000)));
    await store.snapshot(async (reader) => {
      await store.write((writer) => writer.remove(table, compare('id', 'gte', 10)));
      for (let i = 0; i < 40; i++) await store.write((writer) => writer.append(table, things(100_000 + i, 1)));
      assert.equal(await reader.count(table), 60_000);
    });
    for (let i = 40; i < 80; i++) await store.write((writer) => writer.append(table, things(100_000 + i, 1)));
    const stored = (await rows(
      `select name from system.tables where database = '${database}' and name like 'things_%'`,
    )) as {
      name: string;
    }[];
    assert.deepEqual(await rows(`select count() as n from ${database}.${stored[0]!.name}`), [{ n: 90 }]);
    assert.deepEqual(await rows(`select sum(count) as n from ${database}.swapfold_removals`), [{ n: 0 }]);
    assert.equal(await countOf(store), 90);

    await store.write((writer) => writer.recreate(table));
    for (let i = 0; i < 20; i++) await store.write((writer) => writer.append(table, things(i, 1)));
    const left = await rows(`select name from system.tables where database = '${database}' and name like 'things_%'`);
    assert.equal(left.length, 1);
    assert.notDeepEqual(left, stored);
    assert.equal(await countOf(store), 20);
    const [log] = (await rows(`select count() as n from ${database}.swapfold_log`)) as { n: number }[];
    assert.ok(Number(log!.n) < 60, `${log!.n} rows in the log after more than 100 writes`);
    await store.write((writer) => writer.remove(table, everything));
    assert.equal(await countOf(store), 0);
  }));

test('processes that live shorter than a snapshot take removed rows off the disk once, and the notes of it later', () =>
  inDatabase(async (database) => {
    const live = async (id: number, change: (writer: Writer) => Promise<void>): Promise<void> => {
      const store = await opened(database, { snapshot_seconds: 2 });
      await store.write(change);
      assert.equal(await countOf(store), id < 200_000 ? 60_000 : 10 + id - 200_000, `after ${id}`);
      await store.close();
    };
    const addOne = (id: number) => live(id, (writer) => writer.append(table, things(id, 1)));
    await live(0, (writer) => writer.append(table, things(0, 60_000)));
    await live(200_000, (writer) => writer.remove(table, compare('id', 'gte', 10)));
    await wait(3500);
    for (const id of [200_001, 200_002]) await addOne(id);
    const passes = `select count() as n from system.mutations where database = '${database}' and table like 'things_%'`;
    assert.deepEqual(await rows(passes), [{ n: 1 }]);
    const notes = `select sum(count) as n from ${database}.swapfold_removals`;
    assert.deepEqual(await rows(notes), [{ n: 59_990 }]);
    await wait(3500);
    await addOne(200_003);
    assert.deepEqual(await rows(notes), [{ n: 0 }]);
    await addOne(200_004);
    assert.deepEqual(await rows(passes), [{ n: 1 }]);
  }));

test('a list of any length finds its rows', { timeout: 60_000 }, () =>
  inDatabase(async (database) => {
    const store = await opened(database);
    await store.write((writer) => writer.append(table, things(0, 300_000)));
    for (const length of [49_999, 50_001, 140_000, 250_000]) {
      const ids = Int32Array.from({ length }, (_, i) => i * 2);
      const found = Math.min(length, 150_000);
      await store.snapshot(async (reader) => {
        assert.equal(await reader.count(table, isIn('id', ids)), found);
        assert.equal(
          await reader.count(
            table,
            isIn(
              'number',
              Float64Array.from(ids, (id) => -id),
            ),
          ),
          found,
        );
      });
    }
  }),
);

test('a scan by an index reads the pieces of the table that can hold its rows', () =>
  inDatabase(async (database) => {
    const store = await opened(database);
    await store.write((writer) => writer.append(table, things(0, 200_000)));
    const [{ name } = { name: '' }] = (await rows(
      `select name from system.tables where database = '${database}' and name like 'things_%'`,
    )) as { name: string }[];
    const isThere = `_row < 99999999999999 and not bitmapContains((select groupBitmapMergeState(rows) from ${database}.swapfold_removals), _row)`;
    const plan = await rows(
      `explain indexes = 1 select id from ${database}.${name} where ${isThere} and (number = -7) order by id`,
    );
    const text = plan.map((row) => (row as { explain: string }).explain).join('\n');
    assert.match(text, /by_number_id/);
    assert.match(text, /Granules: 1\/(19[0-9]|200)/);
  }));

test('a page in the order of an index is read from its end, and no further than it goes', () =>
  inDatabase(async (database) => {
    const kinds = defineTable({
      name: 'kinds',
      columns: { id: 'id', kind: 'id', name: 'text' },
      key: ['id'],
      indexes: [['kind', 'id']],
      derived: false,
    });
    const statements: string[] = [];
    const store = await opened(database, { server: noting(statements) });
    await store.write(async (writer) => {
      await writer.recreate(kinds);
      const batch = newBatch(kinds, 100_000);
      for (let i = 0; i < batch.length; i++) {
        batch.columns.id[i] = i;
        batch.columns.kind[i] = i % 3;
      }
      await writer.append(kinds, batch);
    });
    await store.snapshot(async (reader) => {
      statements.length = 0;
      const page = await reader.read({
        table: kinds,
        columns: ['id', 'name'],
        where: compare('kind', 'eq', 2),
        order: [{ column: 'id', direction: 'desc' }],
        limit: 3,
      });
      assert.deepEqual([...page.columns.id], [99_998, 99_995, 99_992]);
    });
    const plan = await rows(`explain indexes = 1 ${statements[0]!.replace(' format Native', '')}`);
    const text = plan.map((row) => (row as { explain: string }).explain).join('\n');
    assert.match(text, /by_kind_id/);
    assert.match(text, /InReverseOrder/);
  }));

test('a store that noted removed rows one by one is taken over by who writes, and refused to who reads', () =>
  inDatabase(async (database) => {
    const store = await opened(database);
    await store.write((writer) => writer.append(table, things(0, 3000)));
    await store.write((writer) => writer.remove(table, compare('id', 'lt', 1200)));
    await store.write((writer) => writer.remove(table, compare('id', 'gte', 2990)));
    await store.close();
    const [before, now] = [`${database}.swapfold_removed`, `${database}.swapfold_removals`];
    for (const query of [
      `create table ${before} (physical String, row UInt64, write UInt64) engine = MergeTree order by (physical, row)`,
      `insert into ${before} select physical, arrayJoin(bitmapToArray(rows)), write from ${now}`,
      `drop table ${now} sync`,
    ])
      await client.command({ query });
    await assert.rejects(opened(database, { read_only: true }), fails('read-only', /of an earlier version/));
    const taken = await opened(database);
    assert.equal(await countOf(taken), 1790);
    assert.equal(await countOf(await opened(database, { read_only: true })), 1790);
    assert.deepEqual(await rows(`select sum(count) as n from ${now}`), [{ n: 1210 }]);
    assert.deepEqual(
      await rows(`select name from system.tables where database = '${database}' and name = 'swapfold_removed'`),
      [],
    );
  }));

test('rows that were removed, few or many, are not read by this process nor by another', () =>
  inDatabase(async (database) => {
    const store = await opened(database);
    await store.write((writer) => writer.append(table, things(0, 5000)));
    let left = 5000;
    for (const to of [1, 2, 999, 1000, 1001, 1002, 4000, 5000]) {
      await store.write(async (writer) => {
        await writer.remove(table, compare('id', 'lt', to));
        assert.equal(await writer.count(table), 5000 - to);
        assert.equal(await writer.count(table, isIn('id', [to - 1, to])), to === 5000 ? 0 : 1);
      });
      left = 5000 - to;
      assert.equal(await countOf(store), left);
      // What a look at the log finds.
      assert.equal(await countOf(await opened(database, { read_only: true })), left);
      const other = await opened(database);
      assert.equal(await other.write((writer) => writer.count(table)), left);
    }
  }));
