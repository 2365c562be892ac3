import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { SwapfoldError } from '@swapfold/core';
import { compare, defineTable, isIn, newBatch } from '@swapfold/core/engine';
import { clickhouse } from '../../src/index.ts';
import { openClient } from '../support/chdb.ts';
import { serveOverHttp } from '../support/http-server.ts';

const { client, dispose } = await openClient();
after(dispose);

const table = defineTable({
  name: 'things',
  columns: { id: 'id', amount: 'double', name: 'text' },
  key: ['id'],
  indexes: [],
  derived: false,
});

test('a store by the address of a server keeps batches, streams and long lists to the bit', async () => {
  const database = `swapfold_http_${process.pid}`;
  const { url, close } = await serveOverHttp(client);
  try {
    const store = clickhouse(`${url}/${database}`);
    assert.equal(await store.open({ tables: [table] }), 'created');
    const rows = 100_000;
    const batch = newBatch(table, rows);
    for (let i = 0; i < rows; i++) {
      batch.columns.id[i] = i;
      batch.columns.amount[i] = i % 3 === 0 ? Number.NaN : 1 / i;
      batch.columns.name[i] = i % 5 === 0 ? null : `\u{1f600} ${i}`;
    }
    await store.write((writer) => writer.append(table, batch));
    await store.snapshot(async (reader) => {
      let next = 0;
      const order = [{ column: 'id', direction: 'asc' }] as const;
      for await (const piece of reader.stream({ table, columns: ['amount', 'name'], order })) {
        for (let i = 0; i < piece.length; i++, next++) {
          assert.ok(Object.is(piece.columns.amount[i], batch.columns.amount[next]), `amount of row ${next}`);
          assert.equal(piece.columns.name[i], batch.columns.name[next]);
        }
      }
      assert.equal(next, rows);
      const names = batch.columns.name.slice(0, 50_000).map((name, i) => name ?? `none ${i}`);
      assert.equal(await reader.count(table, isIn('name', names)), 40_000);
    });
    await store.write((writer) => writer.remove(table, compare('id', 'gte', 10)));
    assert.equal(await store.snapshot((reader) => reader.count(table)), 10);
    await assert.rejects(
      store.snapshot((reader) => reader.count({ ...table, name: 'nothing' })),
      (error: unknown) =>
        error instanceof SwapfoldError && error.code === 'store-failed' && /nothing/.test(error.message),
    );
    await store.close();
  } finally {
    await close();
    await client.command({ query: `drop database if exists ${database} sync` });
  }
});
