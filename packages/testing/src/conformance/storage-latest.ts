import assert from 'node:assert/strict';
import { compare, type Latest, newBatch, not, type Reader } from '@swapfold/core/engine';
import { eventsTable, rowsOf, type StorageSuite, withStore } from './storage-test.ts';

type Query = Omit<Latest<typeof eventsTable>, 'table' | 'columns' | 'key'>;

const hasPrice = not({ kind: 'missing', column: 'price' });

/** seq, wallet, token, price. Token 3 has two rows of its greatest seq; token 5 has no price. */
const events: readonly (readonly [number, number, number, number | null])[] = [
  [10, 1, 1, 1],
  [11, 1, 2, 20],
  [12, 2, 1, 3],
  [13, 2, 1, null],
  [14, 1, 3, 5],
  [14, 2, 3, 4],
  [9, 9, 3, 6],
  [15, 1, 5, null],
  [16, 1, 4, 0],
];

const cases: readonly (readonly [title: string, query: Query, rows: readonly (readonly number[])[]])[] = [
  [
    'the last row of each key',
    { keys: Int32Array.of(1, 2), by: 'seq' },
    [
      [1, 13],
      [2, 11],
    ],
  ],
  ['a key without a row is absent', { keys: Int32Array.of(2, 77), by: 'seq' }, [[2, 11]]],
  ['a key given twice answers once', { keys: Int32Array.of(2, 2), by: 'seq' }, [[2, 11]]],
  [
    'keys as doubles',
    { keys: Float64Array.of(2, 4), by: 'seq' },
    [
      [2, 11],
      [4, 16],
    ],
  ],
  ['the last row that holds', { keys: Int32Array.of(1, 5), by: 'seq', where: hasPrice }, [[1, 12]]],
  ['until includes its own seq', { keys: Int32Array.of(1), by: 'seq', until: 12 }, [[1, 12]]],
  ['until excludes what comes after', { keys: Int32Array.of(1), by: 'seq', until: 11.5 }, [[1, 10]]],
  ['nothing is at or before a time before all', { keys: Int32Array.of(1), by: 'seq', until: 5 }, []],
  [
    'until and where together',
    { keys: Int32Array.of(1), by: 'seq', until: 13, where: compare('price', 'lt', 2) },
    [[1, 10]],
  ],
  [
    'the last two rows of each key, by key and oldest first',
    { keys: Int32Array.of(2, 1), by: 'seq', most: 2 },
    [
      [1, 12],
      [1, 13],
      [2, 11],
    ],
  ],
  [
    'the last two that hold, of those up to a seq',
    { keys: Int32Array.of(5, 1, 4), by: 'seq', most: 2, until: 15, where: hasPrice },
    [
      [1, 10],
      [1, 12],
    ],
  ],
  [
    'of rows with equal values those with the greatest key come last',
    { keys: Int32Array.of(3), by: 'seq', most: 2 },
    [
      [3, 14],
      [3, 14],
    ],
  ],
  ['a null of by does not count', { keys: Int32Array.of(1, 5), by: 'price' }, [[1, 12]]],
  ['no keys answer nothing', { keys: new Int32Array(0), by: 'seq' }, []],
];

/** Rows of another token, so that an engine that keeps batches apart has its answer to find in two of them. */
const others = Array.from({ length: 100 }, (_, i) => [1000 + i, 1, 99, 1] as const);

export function testLatest(suite: StorageSuite): void {
  suite.test('latest gives the row with the greatest value for each key', () =>
    withStore(suite, async (store) => {
      await store.write(async (writer) => {
        await writer.append(eventsTable, eventsBatch([...others, ...events.slice(0, 3)]));
        await writer.append(eventsTable, eventsBatch(events.slice(3)));
      });
      await store.snapshot(async (reader) => {
        for (const [title, query, rows] of cases) assert.deepEqual(await latest(reader, query), rows, title);
      });
    }),
  );

  suite.test('of rows with equal values, latest gives the one with the greatest key', () =>
    withStore(suite, async (store) => {
      await store.write((writer) => writer.append(eventsTable, eventsBatch(events)));
      const batch = await store.snapshot((reader) =>
        reader.latest({
          table: eventsTable,
          columns: ['wallet', 'price'],
          key: 'token',
          keys: Int32Array.of(3),
          by: 'seq',
        }),
      );
      assert.deepEqual(rowsOf(batch, ['wallet', 'price']), [[2, 4]]);
    }),
  );
}

function eventsBatch(rows: typeof events) {
  const batch = newBatch(eventsTable, rows.length);
  rows.forEach(([seq, wallet, token, price], i) => {
    batch.columns.seq[i] = seq;
    batch.columns.wallet[i] = wallet;
    batch.columns.token[i] = token;
    batch.columns.price[i] = price ?? Number.NaN;
  });
  return batch;
}

async function latest(reader: Reader, query: Query): Promise<unknown[][]> {
  const batch = await reader.latest({ ...query, table: eventsTable, columns: ['token', 'seq'], key: 'token' });
  return rowsOf(batch, ['token', 'seq']).sort(([a], [b]) => Number(a) - Number(b));
}
