import assert from 'node:assert/strict';
import test from 'node:test';
import { type ErrorCode, SwapfoldError } from '@swapfold/core';
import { defineTable, type StorageAdapter } from '@swapfold/core/engine';
import { createSqlAdapter, type SqlDriver } from '@swapfold/sql';
import { createDriver } from '../src/duckdb.ts';
import { defaultSorting } from '../src/keep-sorted.ts';

const table = defineTable({
  name: 'things',
  columns: { id: 'id', name: 'text' },
  key: ['id'],
  indexes: [],
  derived: false,
});

const one = { length: 1, columns: { id: Int32Array.of(1), name: ['one'] } };

type Hooks = NonNullable<SqlDriver['transactions']>;

/** A store whose hooks and commits are the test's. */
async function opened(hooks: Partial<Hooks>, beforeCommit?: () => void): Promise<StorageAdapter> {
  const driver = createDriver(':memory:', defaultSorting);
  const store = createSqlAdapter({
    ...driver,
    transactions: {
      beginning: async () => undefined,
      began: () => undefined,
      committing: () => undefined,
      ended: () => undefined,
      ...hooks,
    },
    async connect(role) {
      const connection = await driver.connect(role);
      const { commit } = connection;
      return Object.assign(connection, {
        async commit() {
          beforeCommit?.();
          await commit();
        },
      });
    },
  });
  await store.open({ tables: [table] });
  return store;
}

const append = (store: StorageAdapter): Promise<void> => store.write((writer) => writer.append(table, one));
const countIn = (store: StorageAdapter): Promise<number> => store.snapshot((reader) => reader.count(table));

function fails(code: ErrorCode, message: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof SwapfoldError && error.code === code && message.test(error.message);
}

for (const step of ['began', 'committing', 'commit'] as const) {
  test(`a write that fails at "${step}" is undone, and the next one is stored`, async () => {
    let isFailing = false;
    const ends: boolean[] = [];
    function fail(): void {
      if (isFailing) throw new Error('refused');
    }
    const hooks = {
      ...(step === 'commit' ? {} : { [step]: fail }),
      ended: (isCommitted: boolean) => ends.push(isCommitted),
    };
    const store = await opened(hooks, step === 'commit' ? fail : undefined);
    isFailing = true;
    await assert.rejects(append(store), fails('store-failed', /refused/));
    assert.equal(await countIn(store), 0);
    isFailing = false;
    await append(store);
    assert.equal(await countIn(store), 1);
    // The first is that of `open`.
    assert.deepEqual(ends, [true, false, true]);
    await store.close();
  });
}

test('a write that fails by itself is not committed, and ends once', async () => {
  const steps: string[] = [];
  const store = await opened({
    beginning: async () => void steps.push('beginning'),
    began: () => steps.push('began'),
    committing: () => steps.push('committing'),
    ended: (isCommitted) => steps.push(isCommitted ? 'committed' : 'undone'),
  });
  steps.length = 0;
  const failing = store.write(async (writer) => {
    await writer.append(table, one);
    throw new Error('by itself');
  });
  await assert.rejects(failing, /by itself/);
  assert.deepEqual(steps.splice(0), ['beginning', 'began', 'undone']);
  await append(store);
  assert.deepEqual(steps, ['beginning', 'began', 'committing', 'committed']);
  await store.close();
});

test('before its commit a driver hears whether the transaction has written', async () => {
  const wrote: boolean[] = [];
  const store = await opened({ committing: (hasWritten) => wrote.push(hasWritten) });
  await store.write(async (writer) => assert.equal(await writer.count(table), 0));
  await append(store);
  await store.write(async () => undefined);
  await store.write((writer) => writer.recreate(table));
  assert.deepEqual(wrote, [true, false, true, false, true]);
  await store.close();
});

test('a write that is committed is answered so, whatever follows the commit', async () => {
  const store = await opened({
    ended(isCommitted) {
      if (isCommitted) throw new Error('refused');
    },
  });
  await append(store);
  assert.equal(await countIn(store), 1);
  await store.close();
});
