import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { SwapfoldError } from '@swapfold/core';
import { defineTable, fileIdentity, type StorageAdapter } from '@swapfold/core/engine';
import { sqlite } from '../src/index.ts';
import { createScanner } from '../src/scanner.ts';
import { createThreads, openThread } from '../src/threads.ts';

const table = defineTable({
  name: 'things',
  columns: { id: 'id', size: 'double', name: 'text' },
  key: ['id'],
  indexes: [],
  derived: false,
});
const ROWS = 40_000;
const columns = {
  id: Int32Array.from({ length: ROWS }, (_, i) => i),
  size: Float64Array.from({ length: ROWS }, (_, i) => (i % 7 === 0 ? Number.NaN : i / 3)),
  name: Array.from({ length: ROWS }, (_, i) => (i % 5 === 0 ? null : `thing ${i}`)),
};
const order = [{ column: 'id', direction: 'asc' }] as const;
const scan = { table, columns: ['id', 'size', 'name'], order } as const;

let folder: string;
let store: StorageAdapter;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'swapfold-threads-'));
  store = sqlite({ path: join(folder, 'store.db'), threads_from_mb: 0 });
  await store.open({ tables: [table] });
  await store.write((writer) => writer.append(table, { length: ROWS, columns }));
});
after(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

test('rows come from a thread as they were written, whole and in pieces', async () => {
  await store.snapshot(async (reader) => {
    assert.deepEqual({ ...(await reader.read(scan)).columns }, columns);
    const [first] = [await reader.read({ ...scan, limit: 3 })];
    assert.deepEqual([...first.columns.name], [null, 'thing 1', 'thing 2']);
    const ids: number[] = [];
    for await (const piece of reader.stream({ table, columns: ['id'], order })) ids.push(...piece.columns.id);
    assert.deepEqual(ids, [...columns.id]);
  });
});

test('a stream that is left early leaves the connection to others', async () => {
  await store.snapshot(async (reader) => {
    for await (const piece of reader.stream(scan)) {
      assert.equal(piece.columns.id[0], 0);
      break;
    }
    assert.equal(await reader.count(table), ROWS);
  });
});

test('a snapshot on a thread keeps its state while the store is written to', async () => {
  const more = { length: 1, columns: { id: Int32Array.of(ROWS), size: Float64Array.of(1), name: ['more'] } };
  await store.snapshot(async (reader) => {
    assert.equal(await reader.count(table), ROWS);
    await store.write((writer) => writer.append(table, more));
    assert.equal(await reader.count(table), ROWS);
  });
  assert.equal(await store.snapshot((reader) => reader.count(table)), ROWS + 1);
  assert.equal(await store.snapshot((reader) => reader.count(table), 'point'), ROWS + 1);
});

test('more scans than there are threads all end, beside other work of the thread that asks', async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  const counts = await Promise.all(
    Array.from({ length: 12 }, () => store.snapshot(async (reader) => (await reader.read(scan)).length)),
  );
  clearInterval(timer);
  assert.deepEqual(new Set(counts).size, 1);
  assert.ok(turns > 1, `${turns} turns`);
});

test('what the engine says on a thread is the same error as on this one', async () => {
  const missing = defineTable({ ...table, name: 'nothing' });
  for (const use of ['scan', 'point'] as const)
    await assert.rejects(
      store.snapshot((reader) => reader.count(missing), use),
      (error) => error instanceof SwapfoldError && error.code === 'store-failed' && /no such table/.test(error.message),
    );
  assert.ok((await store.snapshot((reader) => reader.count(table))) >= ROWS);
});

test('a thread that has died is replaced at the next transaction', async () => {
  const threads: Worker[] = [];
  const path = join(folder, 'store.db');
  const reading = { path, identity: fileIdentity(path), timeout: 1000, cacheKib: 1000 };
  const scanner = createScanner(
    reading,
    0,
    createThreads(path, assert.ifError, (name, data) => {
      const thread = openThread(name, data);
      threads.push(thread);
      return thread;
    }),
  );
  const begin = (): Promise<void> => scanner.begin('read');
  const count = (): Promise<unknown> => scanner.all({ sql: 'select count(*) from things', values: [] }, ['double']);
  await begin();
  await threads[0]!.terminate();
  await assert.rejects(count(), /^Error: The thread that reads the store has ended\.$/);
  await begin();
  assert.deepEqual(await count(), [Float64Array.of(ROWS + 1)]);
  assert.equal(threads.length, 2);
  await scanner.close();
});
