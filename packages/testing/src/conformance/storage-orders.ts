import assert from 'node:assert/strict';
import { compare, isIn, type Order } from '@swapfold/core/engine';
import { samples } from './storage-predicates.ts';
import { type StorageSuite, samplesBatch, samplesTable, withStore } from './storage-test.ts';

const asc = (column: string): Order => ({ column, direction: 'asc' });
const desc = (column: string): Order => ({ column, direction: 'desc' });

const cases: readonly (readonly [title: string, order: readonly Order[], numbers: readonly number[]])[] = [
  ['wholes ascend with the null last', [asc('whole'), asc('number')], [6, 3, 5, 1, 7, 8, 4, 2]],
  ['wholes descend with the null last', [desc('whole'), asc('number')], [4, 8, 1, 7, 5, 3, 6, 2]],
  ['an index with a null in it, backwards', [desc('whole'), desc('number')], [4, 8, 7, 1, 5, 3, 6, 2]],
  ['0 and -0 tie, ascending', [asc('amount'), asc('number')], [6, 3, 8, 5, 7, 1, 4, 2]],
  ['0 and -0 tie, descending', [desc('amount'), asc('number')], [4, 1, 7, 5, 3, 8, 6, 2]],
  ['0 and -0 tie, against the order of the rows', [asc('amount'), desc('number')], [6, 8, 3, 5, 7, 1, 4, 2]],
  ['texts ascend by code point', [asc('text')], [5, 3, 8, 4, 1, 7, 6, 2]],
  ['texts descend by code point with the null last', [desc('text')], [6, 7, 1, 4, 8, 3, 5, 2]],
  ['ids ascend from the id of nothing', [asc('code'), desc('number')], [2, 5, 4, 1, 3, 8, 7, 6]],
  ['ids descend, ties ascend', [desc('code'), asc('number')], [6, 7, 8, 3, 1, 4, 5, 2]],
  ['the index backwards', [desc('code'), desc('number')], [6, 8, 7, 3, 4, 1, 5, 2]],
  ['the key ascends', [asc('number')], [1, 2, 3, 4, 5, 6, 7, 8]],
  ['the key descends', [desc('number')], [8, 7, 6, 5, 4, 3, 2, 1]],
];

export function testOrders(suite: StorageSuite): void {
  suite.test('rows come in the order asked for, nulls last, and a limit takes the first of them', () =>
    withStore(suite, async (store) => {
      await store.write((writer) => writer.append(samplesTable, samplesBatch(samples)));
      await store.snapshot(async (reader) => {
        for (const [title, order, numbers] of cases) {
          for (const limit of [undefined, 0, 1, 3, 8, 100]) {
            const { columns, length } = await reader.read({ table: samplesTable, columns: ['number'], order, limit });
            const expected = numbers.slice(0, limit ?? numbers.length);
            assert.deepEqual([...columns.number], expected, `${title}, limit ${limit}`);
            assert.equal(length, expected.length, title);
          }
        }
      });
    }),
  );

  suite.test('an order by a column that is not read, and one with a condition on an index, hold', () =>
    withStore(suite, async (store) => {
      await store.write((writer) => writer.append(samplesTable, samplesBatch(samples)));
      await store.snapshot(async (reader) => {
        const byWhole = {
          table: samplesTable,
          columns: ['text'],
          order: [desc('whole'), asc('number')],
          limit: 2,
        } as const;
        assert.deepEqual((await reader.read(byWhole)).columns.text, ['app', 'a\'b"c%_\\']);

        const where = isIn('code', [9, 5]);
        const byIndex = {
          table: samplesTable,
          columns: ['number'],
          where,
          order: [asc('code'), asc('number')],
        } as const;
        assert.deepEqual([...(await reader.read(byIndex)).columns.number], [1, 4, 7, 8]);
        const backwards = { ...byIndex, order: [desc('code'), desc('number')], limit: 3 } as const;
        assert.deepEqual([...(await reader.read(backwards)).columns.number], [8, 7, 4]);
        const inOne = { ...byIndex, where: compare('code', 'eq', 9), order: [desc('number')], limit: 1 } as const;
        assert.deepEqual([...(await reader.read(inOne)).columns.number], [8]);
        const inOneOfNulls = { ...inOne, where: compare('whole', 'eq', 10), limit: 2 } as const;
        assert.deepEqual([...(await reader.read(inOneOfNulls)).columns.number], [7, 1]);
      });
    }),
  );

  suite.test('max is the greatest value, and null over no row and over nulls alone', () =>
    withStore(suite, async (store) => {
      await store.write((writer) => writer.append(samplesTable, samplesBatch(samples)));
      await store.snapshot(async (reader) => {
        assert.equal(await reader.max(samplesTable, 'code'), 2 ** 31 - 1);
        assert.equal(await reader.max(samplesTable, 'whole'), 2 ** 53 - 1);
        assert.equal(await reader.max(samplesTable, 'amount'), 1e308);
        assert.equal(await reader.max(samplesTable, 'code', compare('number', 'eq', 2)), -1);
        assert.equal(await reader.max(samplesTable, 'whole', compare('number', 'eq', 2)), null);
        assert.equal(await reader.max(samplesTable, 'amount', compare('number', 'gt', 100)), null);
        assert.equal(await reader.max(samplesTable, 'code', compare('number', 'gt', 100)), null);
        assert.equal(await reader.max(samplesTable, 'whole', compare('whole', 'lt', 0)), -3);
      });
    }),
  );
}
