import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isIn, type Table } from '@swapfold/core/engine';
import { compileWhere } from '../../sql/src/where.ts';
import { duckdbDialect } from '../src/dialect.ts';

const table: Table = {
  name: 'trades',
  columns: { tx: 'id', wallet: 'id', seq: 'long' },
  key: ['tx'],
  indexes: [['wallet']],
  derived: false,
};

/** Whether the scan compares each row with a list of that many numbers, and so reads other columns of the rows that it has alone. */
function comparesRows(column: string, count: number): boolean {
  const { sql } = compileWhere(
    isIn(
      column,
      Int32Array.from({ length: count }, (_, i) => i),
    ),
    table,
    duckdbDialect,
  );
  return sql.includes('case when');
}

test('rows are compared with short lists of what they lie in the order of', () => {
  for (const column of ['tx', 'seq'])
    assert.deepEqual(
      [20, 50, 51].map((n) => comparesRows(column, n)),
      [true, true, false],
    );
  assert.deepEqual(
    [5, 6, 20].map((n) => comparesRows('wallet', n)),
    [true, false, false],
  );
});
