import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Batch } from '@swapfold/core/engine';
import type { AppendTarget, SqlConnection } from '@swapfold/sql';
import { createConnection } from '../src/connection.ts';

const WIDTH = 120;
const names = Array.from({ length: WIDTH }, (_, c) => `c${c}`);
const target: AppendTarget = { name: 'wide', columns: names.map((name) => [name, 'double'] as const) };

/** Rows that are numbered from `first` on, the number in the first column. */
function rows(length: number, first: number): Batch {
  const column = (c: number) => Float64Array.from({ length }, (_, row) => (c === 0 ? first + row : row * c));
  return { length, columns: Object.fromEntries(names.map((name, c) => [name, column(c)])) };
}

async function withTable(use: (connection: SqlConnection) => Promise<void>): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = createConnection(await instance.connect());
  const run = (sql: string) => connection.run({ sql, values: [] });
  await run(`create table "wide" (${names.map((name) => `"${name}" double`).join(', ')})`);
  await use(connection);
  await connection.close();
  instance.closeSync();
}

async function numbersIn(connection: SqlConnection): Promise<number[]> {
  const [numbers] = await connection.all({ sql: 'select "c0" from "wide" order by "c0"', values: [] }, ['double']);
  return [...(numbers as Float64Array)];
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

for (const [because, sizes] of [
  ['few rows', [10]],
  ['rows that go by way of memory', [2000]],
  ['more than a row group in parts', [2000, 3000, 2500, 2000, 4000, 3000, 2000]],
  ['rows that go by way of memory and some that do not', [2000, 100, 2000]],
] as const) {
  test(`rows of a wide table are there for the next statement, and after the commit: ${because}`, async () => {
    await withTable(async (connection) => {
      const run = (sql: string) => connection.run({ sql, values: [] });
      const all = sizes.reduce((sum, size) => sum + size, 0);
      for (const end of ['commit', 'rollback', 'commit after a look'] as const) {
        await connection.begin('write');
        await run('delete from "wide"');
        let first = 0;
        for (const size of sizes) {
          await connection.append(target, rows(size, first));
          first += size;
        }
        if (end === 'commit after a look') assert.deepEqual(await numbersIn(connection), upTo(all));
        await (end === 'rollback' ? connection.rollback() : connection.commit());
        assert.deepEqual(await numbersIn(connection), upTo(all));
        const [last] = await connection.all(
          { sql: `select count(*) from "wide" where "c${WIDTH - 1}" is null`, values: [] },
          ['long'],
        );
        assert.equal(last![0], 0);
      }
    });
  });
}

test('what went by way of memory is gone with its transaction', async () => {
  await withTable(async (connection) => {
    await connection.begin('write');
    await connection.append(target, rows(2000, 0));
    await connection.rollback();
    assert.deepEqual(await numbersIn(connection), []);
    await connection.begin('write');
    await connection.append(target, rows(1800, 0));
    await connection.commit();
    assert.equal((await numbersIn(connection)).length, 1800);
  });
});
