import assert from 'node:assert/strict';
import { and, between, compare, compareMostly, everything, isIn, not, or, type Predicate } from '@swapfold/core/engine';
import { numbersOf, type Sample, type StorageSuite, samplesBatch, samplesTable, withStore } from './storage-test.ts';

const great = 2 ** 53 - 1;

/** U+1F600 comes after U+FF5E by code point and before it by UTF-16 unit. */
export const samples: readonly Sample[] = [
  [1, 5, 10, 1.5, 'apple', '|smart|whale|'],
  [2, -1, null, null, null, null],
  [3, 7, -3, -0, 'Apple', '|whale|'],
  [4, 5, great, 1e308, 'app', '|'],
  [5, 0, 0, 1e-300, '', '|smart|'],
  [6, 2 ** 31 - 1, -great, -1e308, '\u{1f600}', '|smarter|'],
  [7, 9, 10, 0.1, '\uff5e', null],
  [8, 9, 11, 0, 'a\'b"c%_\\', "|it's|"],
];

type Case = readonly [title: string, predicate: Predicate, rows: readonly number[]];

const all = [1, 2, 3, 4, 5, 6, 7, 8];
const missing = (column: string): Predicate => ({ kind: 'missing', column });
const contains = (text: string): Predicate => ({ kind: 'contains', column: 'text', text });
const startsWith = (text: string): Predicate => ({ kind: 'startsWith', column: 'text', text });
const has = (label: string): Predicate => ({ kind: 'has', column: 'labels', label });

const cases: readonly Case[] = [
  ['an id equals', compare('code', 'eq', 5), [1, 4]],
  ['the id of nothing is less than any other', compare('code', 'lt', 5), [2, 5]],
  ['an id is at most', compare('code', 'lte', 5), [1, 2, 4, 5]],
  ['an id is greater', compare('code', 'gt', 7), [6, 7, 8]],
  ['an id is at least', compare('code', 'gte', 7), [3, 6, 7, 8]],
  ['no id is a fraction', compare('code', 'eq', 5.5), []],
  ['an id is greater than a fraction', compare('code', 'gt', 5.5), [3, 6, 7, 8]],
  ['an id is less than a fraction', compare('code', 'lt', 5.5), [1, 2, 4, 5]],
  ['every id is less than three billion', compare('code', 'lt', 3e9), all],
  ['no id is greater than three billion', compare('code', 'gt', 3e9), []],
  ['no id equals three billion', compare('code', 'eq', 3e9), []],
  ['the greatest id equals itself', compare('code', 'eq', 2 ** 31 - 1), [6]],
  ['no id is greater than the greatest', compare('code', 'gt', 2 ** 31 - 1), []],
  ['every id is greater than the least integer', compare('code', 'gte', -(2 ** 31)), all],
  ['the id of nothing is missing', missing('code'), [2]],
  ['ids in a list with a repetition', isIn('code', [5, 9, 5]), [1, 4, 7, 8]],
  ['ids in an Int32Array', isIn('code', Int32Array.of(0, 7, 1)), [3, 5]],
  ['ids in a Float64Array with fractions and NaN', isIn('code', Float64Array.of(0.5, Number.NaN, 9, 3e9)), [7, 8]],
  ['ids in a list of one', isIn('code', [7]), [3]],
  ['no id is in an empty list', isIn('code', []), []],

  ['a whole equals', compare('whole', 'eq', 10), [1, 7]],
  ['a whole is less', compare('whole', 'lt', 0), [3, 6]],
  ['a whole is at most', compare('whole', 'lte', 0), [3, 5, 6]],
  ['a whole is greater', compare('whole', 'gt', 10), [4, 8]],
  ['a whole is at least', compare('whole', 'gte', 10), [1, 4, 7, 8]],
  ['the greatest whole equals itself', compare('whole', 'eq', great), [4]],
  ['no whole is the neighbour of the greatest', compare('whole', 'eq', great - 1), []],
  ['a whole is less than a fraction', compare('whole', 'lt', 10.5), [1, 3, 5, 6, 7]],
  ['a whole is greater than a negative fraction', compare('whole', 'gt', -3.5), [1, 3, 4, 5, 7, 8]],
  [
    'a whole that is not null is less than infinity',
    compare('whole', 'lte', Number.POSITIVE_INFINITY),
    [1, 3, 4, 5, 6, 7, 8],
  ],
  ['no whole is greater than infinity', compare('whole', 'gt', Number.POSITIVE_INFINITY), []],
  ['a whole that is not null is greater than -1e300', compare('whole', 'gt', -1e300), [1, 3, 4, 5, 6, 7, 8]],
  ['no whole compares with NaN', compare('whole', 'lte', Number.NaN), []],
  ['a whole is missing', missing('whole'), [2]],
  ['wholes in a list', isIn('whole', [10, -3, 12]), [1, 3, 7]],
  ['wholes in a Float64Array', isIn('whole', Float64Array.of(great, -great, 0.5)), [4, 6]],
  ['wholes in an Int32Array', isIn('whole', Int32Array.of(10, 11)), [1, 7, 8]],
  ['wholes between two, ends included', between('whole', -3, 10), [1, 3, 5, 7]],

  ['0 and -0 equal 0', compare('amount', 'eq', 0), [3, 8]],
  ['0 and -0 equal -0', compare('amount', 'eq', -0), [3, 8]],
  ['-0 is not less than 0', compare('amount', 'lt', 0), [6]],
  ['an amount is at least 0', compare('amount', 'gte', 0), [1, 3, 4, 5, 7, 8]],
  ['the least amounts are greater than 0', compare('amount', 'gt', 0), [1, 4, 5, 7]],
  ['an amount is at most 1e-300', compare('amount', 'lte', 1e-300), [3, 5, 6, 8]],
  ['an amount equals the double next to 1/10', compare('amount', 'eq', 0.1), [7]],
  ['no amount equals the double after that', compare('amount', 'eq', 0.10000000000000002), []],
  ['an amount is less than infinity', compare('amount', 'lt', Number.POSITIVE_INFINITY), [1, 3, 4, 5, 6, 7, 8]],
  ['no amount compares with NaN', compare('amount', 'gt', Number.NaN), []],
  ['an amount is missing', missing('amount'), [2]],
  ['amounts in a list', isIn('amount', [0, 1.5, 1e308]), [1, 3, 4, 8]],
  ['amounts in a Float64Array with -0 and 1e-300', isIn('amount', Float64Array.of(-0, 1e-300)), [3, 5, 8]],
  ['NaN and infinity in a list match nothing', isIn('amount', [Number.NaN, 0.1, Number.POSITIVE_INFINITY]), [7]],

  ['a text equals', compare('text', 'eq', 'apple'), [1]],
  ['the empty text is no null', compare('text', 'eq', ''), [5]],
  ['texts compare by code point, capitals first', compare('text', 'lt', 'app'), [3, 5, 8]],
  ['a text is at most itself', compare('text', 'lte', 'app'), [3, 4, 5, 8]],
  ['an astral character is greater than U+FF5E', compare('text', 'gt', '\uff5e'), [6]],
  ['U+FF5E is at least itself', compare('text', 'gte', '\uff5e'), [6, 7]],
  ['U+FF5E is less than an astral character', compare('text', 'lt', '\u{1f600}'), [1, 3, 4, 5, 7, 8]],
  ['a text is missing', missing('text'), [2]],
  ['texts in a list', isIn('text', ['app', '\u{1f600}', 'nothing']), [4, 6]],
  ['texts in a list with quotes', isIn('text', ['a\'b"c%_\\', '']), [5, 8]],
  ['a text contains', contains('pp'), [1, 3, 4]],
  ['every text contains the empty text', contains(''), [1, 3, 4, 5, 6, 7, 8]],
  ['% is a character like others', contains('%'), [8]],
  ['_ is a character like others', contains('_'), [8]],
  ['\\ is a character like others', contains('\\'), [8]],
  ['a quote is a character like others', contains('\'b"'), [8]],
  ['contains tells capitals apart', contains('A'), [3]],
  ['a text starts with', startsWith('app'), [1, 4]],
  ['every text starts with the empty text', startsWith(''), [1, 3, 4, 5, 6, 7, 8]],
  ['a text does not start with what it ends with', startsWith('ple'), []],
  ['a text starts with an astral character', startsWith('\u{1f600}'), [6]],
  ['% is no wildcard at the start', startsWith('a%'), []],

  ['a label set has a label', has('whale'), [1, 3]],
  ['a label is no prefix of another', has('smart'), [1, 5]],
  ['a label with a quote', has("it's"), [8]],
  ['no label set has a label that nobody has', has('shark'), []],

  ['the empty and is true', everything, all],
  ['the empty or is false', or(...([] as Predicate[])), []],
  ['and over two columns', and(compare('whole', 'eq', 10), compare('amount', 'lt', 1)), [7]],
  ['or over two columns', or(missing('text'), has('whale')), [1, 2, 3]],
  ['not over an or with a null in it', not(or(compare('whole', 'gt', 0), compare('amount', 'gt', 0))), [2, 3, 6]],
  ['not over an and with a null in it', not(and(compare('whole', 'gte', 0), compare('amount', 'gte', 0))), [2, 3, 6]],
  [
    'and, or and not in one another',
    and(or(not(missing('labels')), compare('code', 'eq', 9)), not(and(has('whale'), not(compare('code', 'eq', 5))))),
    [1, 4, 5, 6, 7, 8],
  ],
];

export function testPredicates(suite: StorageSuite): void {
  suite.test(
    'each predicate holds for exactly its rows, its negation for exactly the others, and double negation changes nothing',
    () =>
      withStore(suite, async (store) => {
        await store.write((writer) => writer.append(samplesTable, samplesBatch(samples)));
        await store.snapshot(async (reader) => {
          for (const [title, predicate, rows] of cases) {
            const others = all.filter((row) => !rows.includes(row));
            assert.deepEqual(await numbersOf(reader, predicate), rows, title);
            assert.deepEqual(await numbersOf(reader, not(predicate)), others, `not: ${title}`);
            assert.deepEqual(await numbersOf(reader, not(not(predicate))), rows, `not not: ${title}`);
            assert.equal(await reader.count(samplesTable, predicate), rows.length, `count: ${title}`);
            if (predicate.kind !== 'compare') continue;
            const mostly = compareMostly(predicate.column, predicate.op, predicate.value);
            assert.deepEqual(await numbersOf(reader, mostly), rows, `said to hold for nearly all: ${title}`);
            assert.deepEqual(
              await numbersOf(reader, not(mostly)),
              others,
              `not, said to hold for nearly all: ${title}`,
            );
          }
        });
      }),
  );

  suite.test('a column that the table does not have is refused', () =>
    withStore(suite, async (store) => {
      await store.write((writer) => writer.append(samplesTable, samplesBatch(samples)));
      await store.snapshot(async (reader) => {
        await assert.rejects(reader.count(samplesTable, missing('nothing')), /no column "nothing"/);
        await assert.rejects(reader.count(samplesTable, missing('x" is null or "code')), /no column/);
      });
    }),
  );

  suite.test('a value of the wrong type is refused', () =>
    withStore(suite, async (store) => {
      await store.write((writer) => writer.append(samplesTable, samplesBatch(samples)));
      await store.snapshot(async (reader) => {
        await assert.rejects(reader.count(samplesTable, compare('amount', 'gt', '1')), /"amount" holds numbers/);
        await assert.rejects(reader.count(samplesTable, compare('text', 'gt', 1)), /"text" holds text/);
        await assert.rejects(
          reader.count(samplesTable, { kind: 'contains', column: 'whole', text: '1' }),
          /"whole" holds numbers/,
        );
      });
    }),
  );
}
