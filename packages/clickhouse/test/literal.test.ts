import assert from 'node:assert/strict';
import test from 'node:test';
import { type Bound, fragment } from '@swapfold/sql';
import { withValues } from '../src/literal.ts';

const cases: readonly (readonly [title: string, value: Bound, sql: string])[] = [
  ['an id', { kind: 'value', type: 'id', value: -1 }, 'toInt32(-1)'],
  ['a whole number of 53 bits', { kind: 'value', type: 'long', value: 2 ** 53 }, 'toInt64(9007199254740992)'],
  [
    'a double, by its bytes',
    { kind: 'value', type: 'double', value: 1 },
    "reinterpretAsFloat64(unhex('000000000000f03f'))",
  ],
  ['a text, by its bytes', { kind: 'value', type: 'text', value: "'; drop" }, "unhex('273b2064726f70')"],
  ['ids', { kind: 'list', type: 'id', values: Int32Array.of(3, -1) }, "cast('[3,-1]' as Array(Int32))"],
  ['whole numbers', { kind: 'list', type: 'long', values: [-0, 2 ** 40] }, "cast('[0,1099511627776]' as Array(Int64))"],
  [
    'doubles, by their bits',
    { kind: 'list', type: 'double', values: [1, 2] },
    "(select reinterpret(arrayJoin(cast('[4607182418800017408,4611686018427387904]' as Array(UInt64))), 'Float64'))",
  ],
  [
    'both zeros where there is one',
    { kind: 'list', type: 'double', values: [-0] },
    "(select reinterpret(arrayJoin(cast('[9223372036854775808,0,9223372036854775808]' as Array(UInt64))), 'Float64'))",
  ],
  [
    'texts, by their bytes',
    { kind: 'list', type: 'text', values: ['é', ''] },
    "(select unhex(arrayJoin(splitByChar(',', 'c3a9,'))))",
  ],
];

test('a value stands in a statement in digits, with nothing to escape', () => {
  for (const [title, value, sql] of cases) assert.equal(withValues(fragment('x = ?', value)), `x = ${sql}`, title);
});

test('values stand in the order of their marks', () => {
  const numbers = [1, 2].map((value): Bound => ({ kind: 'value', type: 'id', value }));
  assert.equal(withValues(fragment('? < x and x < ?', ...numbers)), 'toInt32(1) < x and x < toInt32(2)');
  assert.equal(withValues(fragment('select 1')), 'select 1');
});
