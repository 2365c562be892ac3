import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { memory, Swapfold, SwapfoldError } from '@swapfold/core';
import { compare, defineTable, everything, newBatch, type StorageAdapter, type Table } from '@swapfold/core/engine';
import { dumpStore, firstDifferences } from '../../../../test/support/dump.ts';
import { smallMarket } from '../../../../test/support/market.ts';
import { isWhole } from '../../../../test/support/whole.ts';
import { type ClickhouseOptions, clickhouse } from '../../src/index.ts';
import { openClient } from '../support/chdb.ts';
import { type Fate, type Gate, serveOverHttp } from '../support/http-server.ts';

const { client, dispose } = await openClient();
const ends: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const end of ends.reverse()) await end();
  await dispose();
});

const table = defineTable({
  name: 'things',
  columns: { id: 'id', number: 'long' },
  key: ['id'],
  indexes: [],
  derived: false,
});
const others: Table = { ...table, name: 'others' };

function things(...ids: readonly number[]) {
  return { length: ids.length, columns: { id: Int32Array.from(ids), number: Float64Array.from(ids) } };
}

let databases = 0;

function newDatabase(): string {
  const database = `swapfold_writers_${process.pid}_${databases++}`;
  ends.push(() => client.command({ query: `drop database if exists ${database} sync` }));
  return database;
}

async function opened(database: string, options: Partial<ClickhouseOptions> = {}): Promise<StorageAdapter> {
  const store = clickhouse({ server: client, database, ...options });
  ends.push(() => store.close());
  await store.open({ tables: [table] });
  return store;
}

/** A store whose statements pass a gate on their way to the server. Who has it is never closed: it may wait for an answer for ever. */
async function openedBehind(gate: Gate, database: string, options: Partial<ClickhouseOptions> = {}) {
  const server = await serveOverHttp(client, gate);
  ends.push(server.close);
  const store = clickhouse({ ...options, server: server.url, database });
  await store.open({ tables: [table] });
  return store;
}

async function idsOf(store: StorageAdapter, of = table): Promise<number[]> {
  const { columns } = await store.snapshot((reader) => reader.read({ table: of, columns: ['id'] }));
  return [...columns.id].sort((a, b) => a - b);
}

/** The change of all tests below: it adds, removes and creates. */
async function change(store: StorageAdapter): Promise<void> {
  await store.write(async (writer) => {
    await writer.append(table, things(100, 101));
    await writer.remove(table, compare('id', 'lt', 3));
    await writer.recreate(others);
    await writer.append(others, things(7));
    await writer.count(table);
  });
}

const never = new Promise<never>(() => undefined);

/** What a process does after its statement was held: it goes on, with an answer or without, or is no more. */
interface Hold {
  readonly fate: Fate;
  readonly dies: boolean;
}

const fates: readonly Hold[] = [
  { fate: 'pass', dies: false },
  { fate: 'lose', dies: true },
  { fate: 'drop', dies: false },
  { fate: 'lose', dies: false },
];

/** Whether a statement, the n-th of a write, is the one to be held. */
type IsHeld = (statement: string, n: number) => boolean;

/**
 * Holds a statement of a write until another process has written, lets it go on, and asks what is there then. Answers whether the
 * write has it.
 */
async function holdStatement(isIt: IsHeld, { fate, dies }: Hold): Promise<boolean> {
  const database = newDatabase();
  const other = await opened(database);
  await other.write((writer) => writer.append(table, things(0, 1, 2, 3, 4)));

  let count = Number.NEGATIVE_INFINITY;
  let held = '';
  let isDead = false;
  let release: (fate: Fate) => void = () => undefined;
  let noteHeld: () => void = () => undefined;
  const isHeld = new Promise<void>((resolve) => {
    noteHeld = resolve;
  });
  const first = await openedBehind((statement) => {
    if (isDead) return never;
    if (count < 0 || held !== '' || !isIt(statement, count++)) return 'pass';
    held = statement;
    noteHeld();
    return new Promise<Fate>((resolve) => {
      release = resolve;
    });
  }, database);
  count = 0;
  let outcome = 'running';
  const written = change(first).then(
    () => {
      outcome = 'acknowledged';
    },
    (error: unknown) => {
      assert.ok(error instanceof SwapfoldError && error.code === 'store-failed', String(error));
      outcome = 'failed';
    },
  );
  await Promise.race([isHeld, written]);
  if (held === '') return false;
  await other.write((writer) => writer.append(table, things(200)));
  isDead = dies;
  release(fate);
  if (!dies) await written;
  await other.write((writer) => writer.append(table, things(201)));

  const where = `statement ${count - 1} (${held.slice(0, 60)}), ${fate}${dies ? ', dead' : ''}: ${outcome}`;
  for (const reader of [other, await opened(database, { read_only: true })]) {
    const isThere = (await reader.tables()).has('others');
    assert.deepEqual(await idsOf(reader), isThere ? [3, 4, 100, 101, 200, 201] : [0, 1, 2, 3, 4, 200, 201], where);
    if (isThere) assert.deepEqual(await idsOf(reader, others as typeof table), [7], where);
    if (!dies) assert.equal(isThere, outcome === 'acknowledged', where);
  }
  return true;
}

test('a write that another process overtakes at any of its statements is there whole if it was acknowledged, and not at all if it failed', async (t) => {
  const key = [
    /^insert .*'begin'/,
    /^insert into \S+things_/,
    /^insert into \S+swapfold_removals/,
    /^insert .*'commit'/,
  ];
  const cases: [IsHeld, Hold][] = isWhole
    ? Array.from({ length: 20 }, (_, at) =>
        fates.map((fate): [IsHeld, Hold] => [(_statement, n) => n === at, fate]),
      ).flat()
    : key.map((pattern, i) => [(statement) => pattern.test(statement), fates[i]!]);
  // They wait for each other's second most of the time.
  let held = 0;
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      for (let next = cases.shift(); next !== undefined; next = cases.shift()) if (await holdStatement(...next)) held++;
    }),
  );
  t.diagnostic(`${held} statements were held`);
  assert.ok(held >= (isWhole ? 10 * fates.length : key.length), `${held} statements`);
});

test('two handles that ingest by turns store each swap once, with its wallet and its tokens', async () => {
  const { config, swaps } = smallMarket({ seed: 71, swaps: 120, wallets: 20, tokens: 10 });
  const database = newDatabase();
  const handles: { readonly storage: StorageAdapter; readonly dex: Swapfold }[] = [];
  for (let i = 0; i < 2; i++) {
    const storage = clickhouse({ server: client, database });
    const dex = await Swapfold.open({ storage, config });
    ends.push(() => dex.close());
    handles.push({ storage, dex });
  }
  for (let from = 0; from < swaps.length; from += 30)
    assert.equal((await handles[(from / 30) % 2]!.dex.ingest(swaps.slice(from, from + 30))).added, 30);
  const [{ dex, storage }] = handles as [(typeof handles)[number], ...typeof handles];
  await dex.refresh();
  const expected = memory();
  const alone = await Swapfold.open({ storage: expected, config });
  await alone.ingest(swaps);
  await alone.refresh();
  assert.deepEqual(firstDifferences(await dumpStore(dex, storage), await dumpStore(alone, expected)), []);
  assert.deepEqual((await dex.verify()).differences, []);
  await alone.close();
});

test('a snapshot whose rows another process has taken off the disk fails instead of leaving them out', async () => {
  const database = newDatabase();
  const store = await opened(database, { snapshot_seconds: 0 });
  const many = newBatch(table, 60_000);
  many.columns.id.forEach((_, i, ids) => {
    ids[i] = i;
  });
  await store.write((writer) => writer.append(table, many));
  const reading = await opened(database, { read_only: true });
  const isExpired = (error: unknown): boolean => error instanceof SwapfoldError && error.code === 'snapshot-expired';
  await reading.snapshot(async (reader) => {
    assert.equal(await reader.count(table), 60_000);
    await store.write((writer) => writer.remove(table, compare('id', 'gte', 10)));
    for (let i = 0; i < 16; i++) await store.write((writer) => writer.append(table, things(100_000 + i)));
    await assert.rejects(reader.count(table), isExpired);
    await assert.rejects(reader.read({ table, columns: ['id'] }), isExpired);
    await assert.rejects(
      reader
        .stream({ table, columns: ['id'] })
        [Symbol.asyncIterator]()
        .next(),
      isExpired,
    );
  });
  // A table that was recreated is missing altogether.
  await (await opened(database, { read_only: true })).snapshot(async (reader) => {
    assert.equal(await reader.count(table), 26);
    await store.write((writer) => writer.recreate(table));
    for (let i = 0; i < 16; i++) await store.write((writer) => writer.append(table, things(i)));
    await assert.rejects(reader.count(table), isExpired);
  });
});

test('a store is written on after a process was killed while it dropped a table, and the undo of that process', async () => {
  const database = newDatabase();
  let drops = 0;
  const killed = await openedBehind(
    async (statement) => {
      if (drops > 0) return never;
      if (!statement.startsWith('drop table')) return 'pass';
      drops++;
      return 'lose';
    },
    database,
    { snapshot_seconds: 0 },
  );
  const ten = Array.from({ length: 10 }, (_, i) => i);
  await killed.write((writer) => writer.recreate(table));
  const writing = (async () => {
    for (let i = 0; drops === 0; i++) await killed.write((writer) => writer.append(table, things(i)));
  })();
  writing.catch(() => undefined);
  while (drops === 0) await new Promise((resolve) => setTimeout(resolve, 20));

  // A write that began and did not end has rows to be looked for in every table.
  const dead = await openedBehind((statement) => (/^insert .*'commit'/.test(statement) ? never : 'pass'), database);
  dead.write((writer) => writer.append(table, things(1000))).catch(() => undefined);
  const next = await opened(database, { snapshot_seconds: 0 });
  await next.write((writer) => writer.remove(table, everything));
  await next.write((writer) => writer.append(table, things(...ten)));
  assert.deepEqual(await idsOf(next), ten);
});

test('the log of an earlier version is taken over: a write that did not end is void, and claims are first or not at all', async () => {
  const database = newDatabase();
  const store = await opened(database);
  await store.write((writer) => writer.append(table, things(1, 2)));
  const [log, before] = [`${database}.swapfold_log`, `${database}.before`];
  const columns = 'write UInt64, kind String, name String, detail String, at DateTime default now()';
  const rows = await client.query({ query: `select max(write) + 1 as next from ${log}`, format: 'JSONEachRow' });
  const [{ next } = { next: 0 }] = (await rows.json()) as { next: number }[];
  for (const query of [
    `create table ${before} (${columns}) engine = MergeTree order by write`,
    `insert into ${before} select * from ${log}`,
    `exchange tables ${before} and ${log}`,
    `drop table ${before} sync`,
    `insert into ${log} (write, kind) select ${next}, 'begin'`,
  ])
    await client.command({ query });
  const late = await opened(database);
  await late.write((writer) => writer.append(table, things(3)));
  const [{ physical } = { physical: '' }] = (await (
    await client.query({
      query: `select name as physical from system.tables where database = '${database}' and name like 'things_%'`,
      format: 'JSONEachRow',
    })
  ).json()) as { physical: string }[];
  // A row of the write that did not end, which arrives now.
  const row = (BigInt(next) << 32n).toString();
  await client.command({ query: `insert into ${database}.${physical} (id, number, _row) select 9, 9, ${row}` });
  assert.deepEqual(await idsOf(await opened(database)), [1, 2, 3]);
  const again = `insert into ${log} (write, kind) select 1, 'x' settings insert_deduplication_token = 'x'`;
  for (let i = 0; i < 2; i++) await client.command({ query: again });
  const found = await client.query({
    query: `select count() as n from ${log} where kind = 'x'`,
    format: 'JSONEachRow',
  });
  assert.deepEqual(await found.json(), [{ n: 1 }]);
});
