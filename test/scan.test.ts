import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultsOf } from './support/scan.ts';

/** Answers with one fault each, and where it is. */
const faulty: readonly (readonly [sentence: string, answer: unknown, fault: string])[] = [
  ['NaN', { data: [{ usd_amount: Number.NaN }] }, 'answer.data[0].usd_amount is NaN'],
  ['an infinity', [{ open: Number.NEGATIVE_INFINITY }], 'answer[0].open is -Infinity'],
  ['a negative zero', { metrics: { '1d': { pnl: -0 } } }, 'answer.metrics.1d.pnl is a negative zero'],
  ['a number as text', { value: '12.5' }, 'answer.value is the text "12.5"'],
  ['a word where a number belongs', { usd_price: 'NaN' }, 'answer.usd_price is the text "NaN"'],
  ['a number where text belongs', { wallet: 7 }, 'answer.wallet is a number where text belongs'],
  ['a date that is none', { updated_at: '1704412800' }, 'answer.updated_at is the text "1704412800"'],
  ['a missing value that is not null', { price: undefined }, 'answer.price is a value of type undefined'],
  ['an integer that JSON cannot carry', { block_slot: 5n }, 'answer.block_slot is a value of type bigint'],
];
for (const [sentence, answer, fault] of faulty)
  test(`the scan of an answer finds ${sentence}`, () => assert.deepEqual(faultsOf(answer), [fault]));

test('the scan of an answer finds nothing wrong with numbers, nulls, dates, names and labels', () => {
  const profile = {
    updated_at: '2024-01-05T00:00:00Z',
    labels: ['1'],
    matched_labels: { '1': ['2'] },
    metadata: { symbol: '42', verified: true, created_at: null },
    metrics: { '1d': { pnl: 0, sharpe_ratio: null, token_roi_distribution: { gt_500: 3 } } },
  };
  assert.deepEqual(faultsOf({ count: 1, cursor: '5', data: [profile] }), []);
});
