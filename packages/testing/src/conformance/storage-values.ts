import assert from 'node:assert/strict';
import { compare, isIn } from '@swapfold/core/engine';
import { createRandom } from './random.ts';
import { numbersOf, type Sample, type StorageSuite, samplesBatch, samplesTable, withStore } from './storage-test.ts';

const SEED = 7;

const texts = [
  '',
  ' ',
  "'",
  '"',
  '`',
  "'; drop table samples; --",
  '"; drop table samples; --',
  '?',
  '$1',
  ':name',
  '%',
  '\\',
  '\n\r\t',
  '\u0001\u001f\u007f',
  '[1, 2]',
  '{"a": null}',
  'null',
  'NULL',
  '0',
  '007',
  '1e5',
  'nan',
  'é',
  'e\u0301',
  '\ufeff',
  '\ufeff\ufeffmark and a text longer than twelve bytes',
  '\u{1f469}\u200d\u{1f680}',
  'twelve bytes',
  'thirteen byte',
  '漢字かな交じり文',
  'x'.repeat(100_000),
  '\u{1f600}'.repeat(5000),
];

const amounts = [
  0,
  -0,
  1,
  -1,
  0.1,
  1 / 3,
  5e-324,
  -5e-324,
  2.2250738585072014e-308,
  1e-300,
  1e-12,
  123_456_789.123_456_79,
  2 ** 31,
  2 ** 53 - 1,
  2 ** 53,
  2 ** 63,
  1e22,
  1e300,
  1e308,
  -1e308,
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
  Number.EPSILON,
];

const wholes = [
  0,
  1,
  -1,
  255,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31),
  2 ** 32 - 1,
  2 ** 32,
  2 ** 32 + 1,
  -(2 ** 32),
  -(2 ** 32) - 1,
];

export function testValues(suite: StorageSuite): void {
  suite.test('any text is stored and found as it is', () =>
    withStore(suite, async (store) => {
      const rows = texts.map((text, i): Sample => [i, 0, null, null, text, null]);
      await store.write((writer) => writer.append(samplesTable, samplesBatch(rows)));
      await store.snapshot(async (reader) => {
        const scan = {
          table: samplesTable,
          columns: ['text'],
          order: [{ column: 'number', direction: 'asc' }],
        } as const;
        assert.deepEqual((await reader.read(scan)).columns.text, texts);
        for (const [i, text] of texts.entries()) {
          const said = JSON.stringify(text.slice(0, 40));
          assert.deepEqual(await numbersOf(reader, compare('text', 'eq', text)), [i], said);
          assert.deepEqual(await numbersOf(reader, isIn('text', [text, 'no text of these'])), [i], said);
        }
      });
    }),
  );

  suite.test('any finite double is stored to the bit, and found', () =>
    withStore(suite, async (store) => {
      const rows = amounts.map((amount, i): Sample => [i, 0, null, amount, null, null]);
      await store.write((writer) => writer.append(samplesTable, samplesBatch(rows)));
      await store.snapshot(async (reader) => {
        const scan = {
          table: samplesTable,
          columns: ['amount'],
          order: [{ column: 'number', direction: 'asc' }],
        } as const;
        assert.deepEqual(bits((await reader.read(scan)).columns.amount), bits(Float64Array.from(amounts)));
        for (const [i, amount] of amounts.entries()) {
          const expected = amount === 0 ? [0, 1] : [i];
          assert.deepEqual(await numbersOf(reader, compare('amount', 'eq', amount)), expected, String(amount));
          assert.deepEqual(await numbersOf(reader, isIn('amount', [amount, 42.5])), expected, String(amount));
        }
      });
    }),
  );

  suite.test(`doubles of random bits are stored to the bit, and found in a list (seed ${SEED})`, () =>
    withStore(suite, async (store) => {
      const doubles = randomDoubles(20_000);
      const batch = samplesBatch([...doubles].map((amount, i): Sample => [i, 0, null, amount, null, null]));
      await store.write((writer) => writer.append(samplesTable, batch));
      await store.snapshot(async (reader) => {
        const scan = {
          table: samplesTable,
          columns: ['amount'],
          order: [{ column: 'number', direction: 'asc' }],
        } as const;
        assert.deepEqual(bits((await reader.read(scan)).columns.amount), bits(doubles));
        assert.equal(await reader.count(samplesTable, isIn('amount', doubles)), doubles.length);
      });
    }),
  );

  suite.test('whole numbers around the bounds of 32 and 53 bits are stored and found', () =>
    withStore(suite, async (store) => {
      const values = [...wholes, 2 ** 53 - 1, -(2 ** 53) + 1, 1_700_000_000 * 2 ** 20 + 3];
      const rows = values.map((whole, i): Sample => [i, 0, whole, null, null, null]);
      await store.write((writer) => writer.append(samplesTable, samplesBatch(rows)));
      await store.snapshot(async (reader) => {
        const scan = {
          table: samplesTable,
          columns: ['whole'],
          order: [{ column: 'number', direction: 'asc' }],
        } as const;
        assert.deepEqual([...(await reader.read(scan)).columns.whole], values);
        for (const [i, whole] of values.entries()) {
          assert.deepEqual(await numbersOf(reader, compare('whole', 'eq', whole)), [i], String(whole));
          assert.deepEqual(await numbersOf(reader, isIn('whole', [whole, 42])), [i], String(whole));
        }
      });
    }),
  );
}

function bits(values: Float64Array): string[] {
  const view = new BigUint64Array(values.slice().buffer);
  return Array.from(view, (value) => value.toString(16));
}

function randomDoubles(count: number): Float64Array {
  const random = createRandom(SEED);
  const doubles = new Float64Array(count);
  const words = new Uint32Array(doubles.buffer);
  for (let i = 0; i < count; i++) {
    do {
      words[i * 2] = random() * 2 ** 32;
      words[i * 2 + 1] = random() * 2 ** 32;
    } while (!Number.isFinite(doubles[i]));
  }
  return doubles;
}
