import assert from 'node:assert/strict';
import { newBatch } from '../records/columns.ts';
import { and, compare, isIn, not } from '../storage/predicate.ts';
import { type StorageSuite, samplesTable, withStore } from './storage-test.ts';

const ROWS = 200_000;
const COLUMNS = ['number', 'code', 'whole', 'amount', 'text'] as const;

/** Every seventh amount and every fifth text is null; the codes of neighbours differ. */
function bigBatch() {
  const batch = newBatch(samplesTable, ROWS);
  const { number, code, whole, amount, text } = batch.columns;
  for (let i = 0; i < ROWS; i++) {
    number[i] = i;
    code[i] = (i * 7919) % 1000;
    whole[i] = i * 2 ** 30 - 2 ** 47;
    amount[i] = i % 7 === 0 ? Number.NaN : i / 3;
    text[i] = i % 5 === 0 ? null : `text ${i}`;
  }
  return batch;
}

export function testScale(suite: StorageSuite): void {
  suite.test('200,000 rows in one batch come back in order, in pieces of bounded size, as they were', () =>
    withStore(suite, async (store) => {
      const batch = bigBatch();
      await store.write((writer) => writer.append(samplesTable, batch));
      await store.snapshot(async (reader) => {
        const order = [{ column: 'number', direction: 'desc' }] as const;
        let next = ROWS - 1;
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
        assert.equal(read.length, ROWS);
        assert.deepEqual(read.columns.amount, batch.columns.amount);
      });
    }),
  );

  suite.test('lists of 100,000 values find their rows, in every type, and not in them finds the others', () =>
    withStore(suite, async (store) => {
      const batch = bigBatch();
      const { number, code, whole, amount, text } = batch.columns;
      await store.write((writer) => writer.append(samplesTable, batch));
      const half = ROWS / 2;
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
      const expected = [half, half, (half * 4) / 5, amounts, ROWS / 10];
      await store.snapshot(async (reader) => {
        for (const [i, where] of lists.entries()) {
          assert.equal(await reader.count(samplesTable, where), expected[i], where.kind === 'in' ? where.column : '');
          assert.equal(await reader.count(samplesTable, not(where)), ROWS - expected[i]!);
        }
        assert.equal(await reader.count(samplesTable, and(lists[0]!, compare('code', 'eq', code[1]!))), half / 1000);
      });
    }),
  );

  suite.test('rows removed by a long list are gone, and 1,000 small writes add up', () =>
    withStore(suite, async (store) => {
      const batch = bigBatch();
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
      assert.equal(await store.snapshot((reader) => reader.count(samplesTable)), ROWS / 2);
      await store.write(async (writer) => {
        for (let i = 0; i < 1000; i++) {
          const one = newBatch(samplesTable, 1);
          one.columns.number[0] = ROWS + i;
          await writer.append(samplesTable, one);
        }
      });
      await store.snapshot(async (reader) => {
        assert.equal(await reader.count(samplesTable), ROWS / 2 + 1000);
        assert.equal(await reader.max(samplesTable, 'number'), ROWS + 999);
        const last = {
          table: samplesTable,
          columns: ['number'],
          order: [{ column: 'number', direction: 'desc' }],
          limit: 2,
        } as const;
        assert.deepEqual([...(await reader.read(last)).columns.number], [ROWS + 999, ROWS + 998]);
      });
    }),
  );
}
