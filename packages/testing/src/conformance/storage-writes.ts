import assert from 'node:assert/strict';
import { type Batch, compare, everything, isIn, newBatch, not } from '@swapfold/core/engine';
import { samples } from './storage-predicates.ts';
import {
  eventsTable,
  numbersOf,
  rowsOf,
  type Sample,
  type StorageSuite,
  samplesBatch,
  samplesTable,
  suiteSchema,
  withStore,
} from './storage-test.ts';

const columns = ['number', 'code', 'whole', 'amount', 'text', 'labels'] as const;

export function testWrites(suite: StorageSuite): void {
  suite.test('all columns come back as they were appended, nulls as NaN and null', () =>
    withStore(suite, async (store) => {
      const batch = samplesBatch(samples);
      await store.write((writer) => writer.append(samplesTable, batch));
      const order = [{ column: 'number', direction: 'asc' }] as const;
      const read = await store.snapshot((reader) => reader.read({ table: samplesTable, columns: columns, order }));
      assert.deepEqual(rowsOf(read, columns), rowsOf(batch, columns));
      assert.ok(read.columns.code instanceof Int32Array);
      assert.ok(read.columns.whole instanceof Float64Array);
      assert.ok(read.columns.amount instanceof Float64Array);
      assert.ok(Array.isArray(read.columns.text));
    }),
  );

  suite.test(
    'a read that is repeated sees rows of another kind than those there were: nulls, larger numbers, other texts',
    () =>
      withStore(suite, async (store) => {
        const plain = samplesBatch(samples.slice(0, 1));
        const conditions = [
          { kind: 'missing', column: 'amount' },
          not({ kind: 'missing', column: 'amount' }),
          compare('number', 'lt', 5),
          compare('number', 'gt', 5),
          { kind: 'missing', column: 'text' },
        ] as const;
        const ask = () =>
          store.snapshot(async (reader) => {
            const counts = [];
            for (const where of conditions) {
              counts.push(await reader.count(samplesTable, where));
              counts.push((await reader.read({ table: samplesTable, columns: ['number'], where })).length);
            }
            return [...counts, await reader.max(samplesTable, 'number')];
          });
        await store.write((writer) => writer.append(samplesTable, plain));
        await ask();
        await ask();
        await store.write(async (writer) => {
          await writer.remove(samplesTable, everything);
          await writer.append(samplesTable, samplesBatch(samples));
        });
        // Sample 2 alone has no amount and no text.
        const expected = [1, 7, 4, 3, 1];
        assert.deepEqual(await ask(), [...expected.flatMap((n) => [n, n]), samples.length]);
      }),
  );

  suite.test('an empty table and an empty batch answer with typed columns of no rows', () =>
    withStore(suite, async (store) => {
      await store.write((writer) => writer.append(samplesTable, newBatch(samplesTable, 0)));
      await store.snapshot(async (reader) => {
        const read = await reader.read({ table: samplesTable, columns: columns });
        assert.equal(read.length, 0);
        assert.deepEqual(read.columns.code, new Int32Array(0));
        assert.deepEqual(read.columns.amount, new Float64Array(0));
        assert.deepEqual(read.columns.text, []);
        for await (const batch of reader.stream({ table: samplesTable, columns: columns }))
          assert.fail(`${batch.length} rows`);
        assert.equal(await reader.count(samplesTable), 0);
      });
    }),
  );

  suite.test('a batch that the caller changes after the append stays as it was', () =>
    withStore(suite, async (store) => {
      const batch = samplesBatch(samples);
      await store.write(async (writer) => {
        await writer.append(samplesTable, batch);
        batch.columns.number.fill(0);
      });
      assert.deepEqual(await store.snapshot((reader) => numbersOf(reader)), [1, 2, 3, 4, 5, 6, 7, 8]);
    }),
  );

  suite.test('the arrays of an answer are the caller’s to change', () =>
    withStore(suite, async (store) => {
      await store.write((writer) => writer.append(samplesTable, samplesBatch(samples)));
      await store.snapshot(async (reader) => {
        const read = await reader.read({ table: samplesTable, columns: ['number'] });
        read.columns.number.fill(0);
        for await (const batch of reader.stream({ table: samplesTable, columns: ['number'] }))
          batch.columns.number.fill(0);
        assert.deepEqual(await numbersOf(reader), [1, 2, 3, 4, 5, 6, 7, 8]);
      });
    }),
  );

  suite.test('a batch that lacks a column, has a wrong type or unequal lengths is refused and changes nothing', () =>
    withStore(suite, async (store) => {
      const { number, ...others } = samplesBatch(samples).columns;
      const bad: readonly (readonly [RegExp, Record<string, unknown>])[] = [
        [/lacks column "number"/, others],
        [/"number" .* is no long column/, { ...others, number: new Int32Array(8) }],
        [/"number" .* has 7 rows/, { ...others, number: number.slice(1) }],
      ];
      for (const [message, columns] of bad) {
        const batch = { length: 8, columns } as unknown as Batch<typeof samplesTable>;
        await assert.rejects(
          store.write((writer) => writer.append(samplesTable, batch)),
          message,
        );
      }
      assert.equal(await store.snapshot((reader) => reader.count(samplesTable)), 0);
    }),
  );

  suite.test('remove takes exactly the rows that hold', () =>
    withStore(suite, async (store) => {
      await store.write((writer) => writer.append(samplesTable, samplesBatch(samples)));
      const left = async (): Promise<number[]> => store.snapshot((reader) => numbersOf(reader));
      await store.write((writer) => writer.remove(samplesTable, isIn('code', [5, 100])));
      assert.deepEqual(await left(), [2, 3, 5, 6, 7, 8]);
      await store.write((writer) => writer.remove(samplesTable, not(compare('whole', 'lt', 10))));
      assert.deepEqual(await left(), [3, 5, 6]);
      await store.write((writer) => writer.remove(samplesTable, compare('number', 'eq', 99)));
      assert.deepEqual(await left(), [3, 5, 6]);
      await store.write((writer) => writer.remove(samplesTable, everything));
      assert.deepEqual(await left(), []);
      await store.write((writer) => writer.append(samplesTable, samplesBatch(samples)));
      assert.deepEqual(await left(), [1, 2, 3, 4, 5, 6, 7, 8]);
    }),
  );

  suite.test('rows removed and appended again in one write are there once', () =>
    withStore(suite, async (store) => {
      await store.write((writer) => writer.append(samplesTable, samplesBatch(samples)));
      await store.write(async (writer) => {
        await writer.remove(samplesTable, isIn('number', [1, 2, 3]));
        await writer.append(
          samplesTable,
          samplesBatch([
            [1, 0, 1, 1, 'new', null],
            [3, 0, 3, 3, 'new', null],
          ]),
        );
        await writer.remove(samplesTable, compare('number', 'eq', 3));
      });
      await store.snapshot(async (reader) => {
        assert.deepEqual(await numbersOf(reader), [1, 4, 5, 6, 7, 8]);
        assert.deepEqual(await numbersOf(reader, compare('text', 'eq', 'new')), [1]);
      });
    }),
  );

  suite.test('replace stores each row in the place of the one with its key, and leaves the others', () =>
    withStore(suite, async (store) => {
      await store.write((writer) => writer.append(samplesTable, samplesBatch(samples)));
      const others = samples.filter(([number]) => number !== 2 && number !== 7);
      const rows: Sample[] = [
        [7, -1, null, null, null, null],
        [9, 3, 9, 0.5, 'new', '|a|'],
        [2, 4, 2, -0, 'other', null],
      ];
      await store.write(async (writer) => {
        await writer.replace(samplesTable, samplesBatch(rows));
        await writer.replace(samplesTable, samplesBatch([]));
        assert.equal(await writer.count(samplesTable), 9);
      });
      const order = [{ column: 'number', direction: 'asc' }] as const;
      await store.snapshot(async (reader) => {
        const read = await reader.read({ table: samplesTable, columns, order });
        const expected = [...others, ...rows].sort((a, b) => a[0] - b[0]);
        assert.deepEqual(rowsOf(read, columns), rowsOf(samplesBatch(expected), columns));
        // As its indexes find it.
        assert.deepEqual(await numbersOf(reader, compare('code', 'eq', 4)), [2]);
      });
      await assert.rejects(
        store.write(async (writer) => {
          await writer.replace(samplesTable, samplesBatch([[1, 0, 0, 0, 'gone', null]]));
          throw new Error('undone');
        }),
        /undone/,
      );
      assert.deepEqual(await store.snapshot((reader) => numbersOf(reader, compare('text', 'eq', 'gone'))), []);
    }),
  );

  suite.test('recreate empties a table and gives it the columns of the record', () =>
    withStore(suite, async (store) => {
      await store.write(async (writer) => {
        await writer.append(samplesTable, samplesBatch(samples));
        await writer.append(eventsTable, newBatch(eventsTable, 1));
      });
      const changed = {
        name: 'samples',
        columns: { text: 'text', number: 'long', extra: 'double' },
        key: ['number'],
        indexes: [['text']],
        derived: false,
      } as const;
      const batch = { length: 1, columns: { text: ['a'], number: Float64Array.of(1), extra: Float64Array.of(2.5) } };
      await store.write(async (writer) => {
        await writer.recreate(changed);
        assert.equal(await writer.count(changed), 0);
        await writer.append(changed, batch);
      });
      assert.deepEqual((await store.tables()).get('samples'), ['text', 'number', 'extra']);
      await store.snapshot(async (reader) => {
        const read = await reader.read({ table: changed, columns: ['number', 'text', 'extra'] });
        assert.deepEqual(rowsOf(read, ['number', 'text', 'extra']), [[1, 'a', 2.5]]);
        assert.equal(await reader.count(eventsTable), 1);
      });
    }),
  );

  suite.test('tables names the tables, and the columns of each in their order', () =>
    withStore(suite, async (store) => {
      const tables = await store.tables();
      for (const { name, columns: of } of suiteSchema.tables) assert.deepEqual(tables.get(name), Object.keys(of));
      assert.equal(tables.has('nothing'), false);
    }),
  );
}
