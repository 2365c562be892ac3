import assert from 'node:assert/strict';
import test from 'node:test';
import type { SqlConnection } from '@swapfold/sql';
import Database from 'better-sqlite3';
import { createConnection, type WriterHooks } from '../src/connection.ts';

const hooks: WriterHooks = {
  beginning: () => undefined,
  began: () => undefined,
  committing: (_hasWritten, commit) => commit(),
  closing: async () => undefined,
};

async function opened(own: Partial<WriterHooks>): Promise<SqlConnection> {
  const handle = new Database(':memory:');
  handle.exec('create table things (id integer primary key)');
  return createConnection(handle, true, { ...hooks, ...own });
}

const insert = { sql: 'insert into things default values', values: [] };

async function countIn(connection: SqlConnection): Promise<unknown> {
  const [counts] = await connection.all({ sql: 'select count(*) from things', values: [] }, ['double']);
  return counts![0];
}

test('a transaction that is refused once it has begun is over, and the next one begins', async () => {
  let isRefused = true;
  const connection = await opened({
    began() {
      if (isRefused) throw new Error('refused');
    },
  });
  await assert.rejects(connection.begin('write'), /^Error: refused$/);
  isRefused = false;
  await connection.begin('write');
  await connection.run(insert);
  await connection.commit();
  assert.equal(await countIn(connection), 1);
  await connection.close();
});

test('a commit that is refused leaves the transaction to the rollback', async () => {
  const connection = await opened({
    committing() {
      throw new Error('refused');
    },
  });
  await connection.begin('write');
  await connection.run(insert);
  await assert.rejects(connection.commit(), /^Error: refused$/);
  assert.equal(await countIn(connection), 1);
  await connection.rollback();
  assert.equal(await countIn(connection), 0);
  await connection.close();
});

test('a commit knows whether its own transaction has written, by a statement or by rows', async () => {
  const wrote: boolean[] = [];
  const connection = await opened({
    committing(hasWritten, commit) {
      wrote.push(hasWritten);
      commit();
    },
  });
  const rows = { length: 1, columns: { id: Float64Array.of(7) } };
  const writes = [
    async () => undefined,
    () => connection.run(insert),
    () => countIn(connection),
    () => connection.append({ name: 'things', columns: [['id', 'long']] }, rows),
    async () => undefined,
  ];
  for (const write of writes) {
    await connection.begin('write');
    await write();
    await connection.commit();
  }
  assert.deepEqual(wrote, [false, true, false, true, false]);
  assert.equal(await countIn(connection), 2);
  await connection.close();
});
