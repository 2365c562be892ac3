import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memory } from '../src/memory/memory.ts';
import { newBatch } from '../src/records/columns.ts';
import { fixedTables, legsTable, metaTable, textsTable } from '../src/records/tables.ts';
import type { StorageAdapter } from '../src/storage/adapter.ts';
import { everything, isIn } from '../src/storage/predicate.ts';
import { type RowChanges, transact } from '../src/storage/transaction.ts';

async function opened(): Promise<StorageAdapter> {
  const storage = memory();
  await storage.open({ tables: fixedTables });
  return storage;
}

const setting = (name: string, value: string) => ({ length: 1, columns: { name: [name], value: [value] } });

test('a transaction reports the steps on recorded tables in order, and none of other tables', async () => {
  const storage = await opened();
  let changes: RowChanges | undefined;
  const added = setting('a', '1');
  const removed = isIn('name', ['a']);
  await transact(storage, { recorded: [metaTable, legsTable], committed: (_, c) => (changes = c) }, async (writer) => {
    await writer.remove(metaTable, removed);
    await writer.append(metaTable, added);
    await writer.append(textsTable, newBatch(textsTable, 0));
  });
  assert.deepEqual(
    [...changes!],
    [
      [
        'meta',
        [
          { kind: 'remove', where: removed },
          { kind: 'append', rows: added },
        ],
      ],
    ],
  );
  await storage.close();
});

test('a table that a transaction empties is reported as replaced, whatever it writes to it then', async () => {
  const storage = await opened();
  const emptied: RowChanges[] = [];
  const report = { recorded: [metaTable], committed: (_: unknown, changes: RowChanges) => emptied.push(changes) };
  await transact(storage, report, async (writer) => {
    await writer.append(metaTable, setting('a', '1'));
    await writer.remove(metaTable, everything);
    await writer.append(metaTable, setting('b', '2'));
  });
  await transact(storage, report, (writer) => writer.recreate(metaTable));
  assert.deepEqual(
    emptied.map((changes) => [...changes]),
    [[['meta', 'replaced']], [['meta', 'replaced']]],
  );
  await storage.close();
});

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
