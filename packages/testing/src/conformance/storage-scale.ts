import assert from 'node:assert/strict';
import { and, compare, isIn, newBatch, not } from '@swapfold/core/engine';
import { type StorageSuite, samplesTable, withStore } from './storage-test.ts';

const inWords = (count: number): string => count.toLocaleString('en');
const COLUMNS = ['number', 'code', 'whole', 'amount', 'text'] as const;

/** Every seventh amount and every fifth text is null; the codes of neighbours differ. */
function bigBatch(rows: number) {
  const batch = newBatch(samplesTable, rows);
  const { number, code, whole, amount, text } = batch.columns;
  for (let i = 0; i < rows; i++) {
    number[i] = i;
    code[i] = (i * 7919) % 1000;
    whole[i] = i * 2 ** 30 - 2 ** 47;
    amount[i] = i % 7 === 0 ? Number.NaN : i / 3;
    text[i] = i % 5 === 0 ? null : `text ${i}`;
  }
  return batch;
}

export function testScale(suite: StorageSuite): void {
  const { rows = 200_000 } = suite;
  const writes = rows / 200;
  suite.test(`${inWords(rows)} rows in one batch come back in order, in pieces of bounded size, as they were`, () =>
    withStore(suite, async (store) => {
      const batch = bigBatch(rows);
      await store.write((writer) => writer.append(samplesTable, batch));
      await store.snapshot(async (reader) => {
        const order = [{ column: 'number', direction: 'desc' }] as const;
        let next = rows - 1;
        for await (const piece of reader.stream({ table: samplesTable, columns: COLUMNS, order })) {
          assert.ok(piece.length > 0 && piece.length <= 65_536, `a piece of ${piece.length} rows`);
          for (let i = 0; i < piece.length; i++, next--) {
            for (const name of COLUMNS) {
              if (!Object.is(piece.columns[name][i], batch.columns[name][next])) {
                assert.deepEqual(piece.columns[name][i], batch.columns[name][next], `${name} of row ${next}`);
              }
            }
          }
        }
        assert.equal(next, -1);
        const read = await reader.read({
          table: samplesTable,
          columns: COLUMNS,
          order: [{ column: 'number', direction: 'asc' }],
        });
        assert.equal(read.length, rows);
        assert.deepEqual(read.columns.amount, batch.columns.amount);
      });
    }),
  );

  suite.test(
    `lists of ${inWords(rows / 2)} values find their rows, in every type, and not in them finds the others`,
    () =>
      withStore(suite, async (store) => {
        const batch = bigBatch(rows);
        const { number, code, whole, amount, text } = batch.columns;
        await store.write((writer) => writer.append(samplesTable, batch));
        const half = rows / 2;
        const lists = [
          isIn('number', number.subarray(0, half)),
          isIn('whole', whole.slice(0, half)),
          isIn(
            'text',
            text.slice(0, half).map((value, i) => value ?? `none ${i}`),
          ),
          isIn('amount', amount.slice(0, half)),
          isIn(
            'code',
            Int32Array.from({ length: half }, (_, i) => i * 10),
          ),
        ] as const;
        const amounts = half - Math.ceil(half / 7);
        const expected = [half, half, (half * 4) / 5, amounts, rows / 10];
        await store.snapshot(async (reader) => {
          for (const [i, where] of lists.entries()) {
            assert.equal(await reader.count(samplesTable, where), expected[i], where.kind === 'in' ? where.column : '');
            assert.equal(await reader.count(samplesTable, not(where)), rows - expected[i]!);
          }
          assert.equal(await reader.count(samplesTable, and(lists[0]!, compare('code', 'eq', code[1]!))), half / 1000);
        });
      }),
  );

  suite.test(`rows removed by a long list are gone, and ${inWords(writes)} small writes add up`, () =>
    withStore(suite, async (store) => {
      const batch = bigBatch(rows);
      await store.write(async (writer) => {
        await writer.append(samplesTable, batch);
        await writer.remove(
          samplesTable,
          isIn(
            'number',
            batch.columns.number.filter((value) => value % 2 === 0),
          ),
        );
      });
      assert.equal(await store.snapshot((reader) => reader.count(samplesTable)), rows / 2);
      await store.write(async (writer) => {
        for (let i = 0; i < writes; i++) {
          const one = newBatch(samplesTable, 1);
          one.columns.number[0] = rows + i;
          await writer.append(samplesTable, one);
        }
      });
      await store.snapshot(async (reader) => {
        assert.equal(await reader.count(samplesTable), rows / 2 + writes);
        assert.equal(await reader.max(samplesTable, 'number'), rows + writes - 1);
        const last = {
          table: samplesTable,
          columns: ['number'],
          order: [{ column: 'number', direction: 'desc' }],
          limit: 2,
        } as const;
        assert.deepEqual([...(await reader.read(last)).columns.number], [rows + writes - 1, rows + writes - 2]);
      });
    }),
  );
}
