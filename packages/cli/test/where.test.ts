import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SwapfoldError } from '@swapfold/core';
import { parseWhere } from '../src/questions/where.ts';

const parse = (text: string) => parseWhere(text, (name) => `at.${name}`);

test('conditions become the filter that they say', () => {
  const cases: readonly (readonly [string, object])[] = [
    ['pnl > 10000', { 'at.pnl': { $gt: 10_000 } }],
    ['pnl>=-1.5k', { 'at.pnl': { $gte: -1500 } }],
    ['winrate >= 60%', { 'at.winrate': { $gte: 60 } }],
    ['volume < 2M', { 'at.volume': { $lt: 2_000_000 } }],
    ['roi != null', { 'at.roi': { $ne: null } }],
    ['metadata.verified = true', { 'at.metadata.verified': { $eq: true } }],
    ['identity.name = "5"', { 'at.identity.name': { $eq: '5' } }],
    ["labels has 'fresh wallet'", { 'at.labels': { $all: ['fresh wallet'] } }],
    ['a > 1 and b > 2 AND c > 3', { $and: [{ 'at.a': { $gt: 1 } }, { 'at.b': { $gt: 2 } }, { 'at.c': { $gt: 3 } }] }],
    // "and" binds closer than "or".
    [
      'a > 1 or b > 2 and c > 3',
      { $or: [{ 'at.a': { $gt: 1 } }, { $and: [{ 'at.b': { $gt: 2 } }, { 'at.c': { $gt: 3 } }] }] },
    ],
    [
      '(a > 1 or b > 2) and c > 3',
      { $and: [{ $or: [{ 'at.a': { $gt: 1 } }, { 'at.b': { $gt: 2 } }] }, { 'at.c': { $gt: 3 } }] },
    ],
    ['not labels has bot', { $not: { 'at.labels': { $all: ['bot'] } } }],
    ['not (a > 1)', { $not: { 'at.a': { $gt: 1 } } }],
    ['updated_at > 2025-01-01T00:00:00Z', { 'at.updated_at': { $gt: '2025-01-01T00:00:00Z' } }],
    ["name = 'and'", { 'at.name': { $eq: 'and' } }],
  ];
  for (const [text, filter] of cases) assert.deepEqual(parse(text), filter, text);
});

test('what is no condition is refused with what was expected', () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ['', /expected the name of a field, not the end, in ""/],
    ['pnl', /expected one of >, >=, <, <=, =, !=, has, not the end/],
    ['pnl 5', /expected one of .*, not "5"/],
    ['pnl >', /expected a value, not the end/],
    ['pnl > > 5', /expected a value, not ">"/],
    ['pnl > 5 winrate > 3', /expected "and", "or" or the end, not "winrate"/],
    ['(pnl > 5', /expected "\)", not the end/],
    ['pnl > 5)', /expected "and", "or" or the end, not "\)"/],
    ['> 5', /expected the name of a field, not ">"/],
    ['pnl > "5', /cannot be read from ""5" on/],
  ];
  for (const [text, message] of cases)
    assert.throws(
      () => parse(text),
      (error: SwapfoldError) =>
        error instanceof SwapfoldError && error.code === 'invalid-input' && message.test(error.message),
      text,
    );
});
