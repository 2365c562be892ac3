import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memory } from '../src/memory/memory.ts';
import { fixedTables, metaTable } from '../src/records/tables.ts';
import type { StorageAdapter } from '../src/storage/adapter.ts';
import { transact } from '../src/storage/transaction.ts';

async function opened(): Promise<StorageAdapter> {
  const storage = memory();
  await storage.open({ tables: fixedTables });
  return storage;
}

const setting = (name: string, value: string) => ({ length: 1, columns: { name: [name], value: [value] } });

test('a transaction says that it commits and then how that ended; one whose change fails says nothing', async () => {
  const storage = await opened();
  const failing: StorageAdapter = {
    ...storage,
    async write(change) {
      await storage.write(change);
      throw new Error('disk gone');
    },
  };
  const told: string[] = [];
  const report = {
    committing: () => told.push('committing'),
    committed: () => told.push('committed'),
    failed: () => told.push('failed'),
  };
  await transact(storage, report, async () => undefined);
  await assert.rejects(
    transact(failing, report, async () => undefined),
    /disk gone/,
  );
  assert.deepEqual(told.splice(0), ['committing', 'committed', 'committing', 'failed']);
  await assert.rejects(
    transact(storage, report, async () => {
      throw new Error('no');
    }),
    /no/,
  );
  assert.deepEqual(told, []);
  await storage.close();
});

test('a signal takes a waiting transaction out of the queue, and undoes a running one at its next step', async () => {
  const storage = await opened();
  const waiting = new AbortController();
  let letGo = (): void => undefined;
  const first = transact(storage, {}, () => new Promise<void>((resolve) => (letGo = resolve)));
  let hasRun = false;
  const second = transact(storage, { signal: waiting.signal }, async () => {
    hasRun = true;
  });
  waiting.abort();
  await assert.rejects(second, { code: 'aborted' });
  letGo();
  await first;
  const running = new AbortController();
  await assert.rejects(
    transact(storage, { signal: running.signal }, async (writer) => {
      await writer.append(metaTable, setting('a', '1'));
      running.abort();
      await writer.append(metaTable, setting('b', '2'));
    }),
    { code: 'aborted' },
  );
  assert.equal(hasRun, false);
  assert.equal(await storage.snapshot((reader) => reader.count(metaTable)), 0);
  await storage.close();
});

test('a transaction with a signal defines views', async () => {
  const storage = await opened();
  const defined: unknown[] = [];
  const viewing: StorageAdapter = {
    ...storage,
    write: (change) =>
      storage.write((writer) => change({ ...writer, defineViews: async (views) => void defined.push(...views) })),
  };
  const view = { name: 'v', statements: [] };
  await transact(viewing, { signal: new AbortController().signal }, async (writer) => writer.defineViews!([view]));
  assert.deepEqual(defined, [view]);
  await storage.close();
});
