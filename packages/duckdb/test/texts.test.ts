import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { readVector } from '../src/vectors.ts';

const ROWS = 5000;

/** Nulls, empty texts, short ones, long ones of several lengths, and some that begin with a byte order mark. */
function textOf(i: number): string | null {
  if (i % 7 === 0) return null;
  if (i % 5 === 0) return 'é'.repeat(i % 9);
  if (i % 11 === 0) return `\ufeff${'ü'.repeat(i % 30)}`;
  return `${i}`.repeat(i % 25);
}

const texts = `(select i, case when i % 7 = 0 then null when i % 5 = 0 then repeat('é', i % 9)
  when i % 11 = 0 then chr(65279) || repeat('ü', i % 30) else repeat(i::varchar, i % 25) end as text from range(${ROWS}) r(i))`;

const orders = [
  { sentence: 'as they were made', order: 'i' },
  { sentence: 'sorted another way', order: 'i * 1009 % 5003' },
];

for (const { sentence, order } of orders)
  test(`texts of a vector are read to the last character, ${sentence}`, async () => {
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    await connection.run(`create table texts as from ${texts}`);
    const result = await connection.stream(`select i::integer as i, text from texts order by ${order}`);
    let rows = 0;
    for (let chunk = await result.fetchChunk(); chunk?.rowCount; chunk = await result.fetchChunk()) {
      const column: (string | null)[] = ['before'];
      readVector(chunk.getColumnVector(1), column, 1, chunk.rowCount);
      const numbers = chunk.getColumnVector(0);
      const expected = Array.from({ length: chunk.rowCount }, (_, row) => textOf(numbers.getItem(row) as number));
      assert.deepEqual(column, ['before', ...expected]);
      rows += chunk.rowCount;
    }
    assert.equal(rows, ROWS);
    connection.closeSync();
    instance.closeSync();
  });
