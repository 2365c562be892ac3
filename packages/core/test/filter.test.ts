import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SwapfoldError } from '../src/errors.ts';
import { compilePredicate } from '../src/storage/evaluate.ts';
import { filterContext, type Profile, parseFilter, profileRows } from './search-fixtures.ts';

const profiles: readonly Profile[] = [
  {
    token_address: 'A',
    labels: ['hot', 'new'],
    updated_at: '2024-01-05T00:00:00Z',
    'metadata.created_at': '2024-01-04T00:00:00Z',
    'metadata.symbol': 'BONK',
    'metadata.name': 'Ｂｏｎｋ Straße',
    'metadata.verified': true,
    'market.price': 5,
    'metrics.7d.pnl': 1,
  },
  {
    token_address: 'B',
    labels: ['hot'],
    updated_at: '2024-01-05T00:00:01Z',
    'metadata.created_at': '2024-01-04T23:59:59Z',
    'metadata.symbol': 'bonk',
    'metadata.verified': false,
    'market.price': 0,
    'metrics.7d.pnl': -1,
  },
  { token_address: 'C', updated_at: '2024-01-05T00:00:02Z', 'metadata.symbol': '' },
  { token_address: 'D', updated_at: '2024-01-05T00:00:03Z', 'metadata.symbol': '😀', 'market.price': 7 },
];
const rows = profileRows('tokens', profiles);

function select(filter: unknown): string {
  const holds = compilePredicate(parseFilter(filter, filterContext('tokens')), rows);
  return profiles
    .filter((_, row) => holds(row))
    .map((profile) => profile.token_address)
    .join('');
}

function failure(filter: unknown, path?: string): SwapfoldError {
  try {
    parseFilter(filter, { ...filterContext('tokens'), ...(path === undefined ? {} : { path }) });
  } catch (error) {
    assert.ok(error instanceof SwapfoldError, String(error));
    assert.equal(error.status, 400);
    return error;
  }
  throw new assert.AssertionError({ message: `accepted ${JSON.stringify(filter)?.slice(0, 200)}` });
}

const selections: readonly (readonly [sentence: string, filter: unknown, selected: string])[] = [
  ['an empty filter holds for every profile', {}, 'ABCD'],
  ['a value means equality', { 'market.price': 5 }, 'A'],
  ['every key must hold', { 'market.price': { $gte: 0 }, 'metadata.symbol': 'bonk' }, 'B'],
  ['every operator of a field must hold', { 'market.price': { $gt: 0, $lt: 6 } }, 'A'],
  ['$gt leaves out the bound', { 'market.price': { $gt: 5 } }, 'D'],
  ['$gte takes the bound', { 'market.price': { $gte: 5 } }, 'AD'],
  ['$lt leaves out the bound', { 'market.price': { $lt: 5 } }, 'B'],
  ['$lte takes the bound', { 'market.price': { $lte: 5 } }, 'AB'],
  [
    'a missing value satisfies no ordering',
    { $or: [{ 'market.price': { $gt: -1e308 } }, { 'market.price': { $lte: -1e308 } }] },
    'ABD',
  ],
  ['a missing value equals null', { 'market.price': null }, 'C'],
  ['a missing value is $ne of anything else', { 'market.price': { $ne: 5 } }, 'BCD'],
  ['$ne null asks for a value', { 'market.price': { $ne: null } }, 'ABD'],
  ['$in holds for any of its items', { 'market.price': { $in: [5, 7, 9] } }, 'AD'],
  ['$in with null takes missing values', { 'market.price': { $in: [5, null] } }, 'AC'],
  ['$in of nothing holds for nothing', { 'market.price': { $in: [] } }, ''],
  ['$nin takes missing values', { 'market.price': { $nin: [5] } }, 'BCD'],
  ['$nin with null leaves missing values out', { 'market.price': { $nin: [5, null] } }, 'BD'],
  ['$nin of nothing holds for everything', { 'market.price': { $nin: [] } }, 'ABCD'],
  ['$exists true asks for a value', { 'market.price': { $exists: true } }, 'ABD'],
  ['$exists false asks for none', { 'market.price': { $exists: false } }, 'C'],
  ['$not takes what its filter fails, missing values among them', { $not: { 'market.price': { $gt: 4 } } }, 'BC'],
  ['$nor takes what all of its filters fail', { $nor: [{ 'market.price': 5 }, { 'market.price': null }] }, 'BD'],
  ['$or takes what any of its filters holds for', { $or: [{ 'market.price': 5 }, { 'market.price': 7 }] }, 'AD'],
  ['$and takes what all of its filters hold for', { $and: [{ 'market.price': { $gte: 5 } }, { labels: 'hot' }] }, 'A'],
  ['0 equals -0', { 'market.price': -0 }, 'B'],
  ['text equality tells case', { 'metadata.symbol': 'BONK' }, 'A'],
  [
    'text compares by code point, so that an astral character comes after U+FFFD',
    { 'metadata.symbol': { $gt: '\ufffd' } },
    'D',
  ],
  ['lower case comes after upper case', { 'metadata.symbol': { $gt: 'BONK', $lt: '\uffff' } }, 'B'],
  ['$contains ignores case', { 'metadata.symbol': { $contains: 'oNk' } }, 'AB'],
  ['$contains unifies compatibility forms', { 'metadata.name': { $contains: 'bonk STRASSE' } }, 'A'],
  ['$startsWith ignores case', { 'metadata.symbol': { $startsWith: 'Bo' } }, 'AB'],
  ['$contains of nothing asks for a text', { 'metadata.name': { $contains: '' } }, 'A'],
  ['an empty text is a text', { 'metadata.symbol': '' }, 'C'],
  ['$contains takes a wildcard for itself', { 'metadata.symbol': { $contains: '%' } }, ''],
  ['a boolean equals itself', { 'metadata.verified': true }, 'A'],
  ['a boolean that is missing is not false', { 'metadata.verified': false }, 'B'],
  ['$ne true takes false and missing', { 'metadata.verified': { $ne: true } }, 'BCD'],
  ['labels equal means has this label', { labels: 'hot' }, 'AB'],
  ['$in on labels means has one of these', { labels: { $in: ['new', 'popular'] } }, 'A'],
  ['$all on labels means has all of these', { labels: { $all: ['new', 'hot'] } }, 'A'],
  ['$all of no labels holds for nothing, as in MongoDB', { labels: { $all: [] } }, ''],
  ['$ne on labels means has not', { labels: { $ne: 'new' } }, 'BCD'],
  ['$nin on labels means has none of these', { labels: { $nin: ['new', 'hot'] } }, 'CD'],
  ['labels are never missing', { $or: [{ labels: null }, { labels: { $exists: false } }] }, ''],
  ['a label with a bar is none', { labels: 'hot|new' }, ''],
  ['an empty label is none', { labels: '' }, ''],
  ['part of a label is not the label', { labels: 'ho' }, ''],
  ['a date equals the same instant in another offset', { updated_at: '2024-01-05T02:00:01+02:00' }, 'B'],
  ['a fraction of zero is the whole second', { updated_at: '2024-01-05T00:00:01.000Z' }, 'B'],
  ['a date with a fraction equals no stored time', { updated_at: '2024-01-05T00:00:01.0000001Z' }, ''],
  ['a fraction lies after its second', { updated_at: { $gt: '2024-01-05T00:00:01.0001Z' } }, 'CD'],
  ['$gte of a fraction leaves its second out', { updated_at: { $gte: '2024-01-05T00:00:01.0001Z' } }, 'CD'],
  ['$lt of a fraction takes its second', { updated_at: { $lt: '2024-01-05T00:00:01.0001Z' } }, 'AB'],
  ['$lte of a fraction takes its second', { updated_at: { $lte: '2024-01-05T00:00:01.0001Z' } }, 'AB'],
  [
    'a list of dates skips the fraction',
    { updated_at: { $in: ['2024-01-05T00:00:01.5Z', '2024-01-05T00:00:02Z'] } },
    'C',
  ],
  ['age counts to the as-of time', { 'metadata.age': 86_400 }, 'A'],
  ['age is greater for the older', { 'metadata.age': { $gt: 1 } }, 'A'],
  ['$gte of an age takes the bound', { 'metadata.age': { $gte: 1 } }, 'AB'],
  ['an age between two seconds is greater than the earlier', { 'metadata.age': { $gt: 0.5, $lt: 1.5 } }, 'B'],
  ['no age equals a fraction', { 'metadata.age': { $in: [1.5, 86_400.5] } }, ''],
  ['an age is missing where the date is', { 'metadata.age': null }, 'CD'],
  ['a huge age compares', { 'metadata.age': { $lt: 1e300, $gt: -1e300 } }, 'AB'],
  ['cumulative_pnl is pnl', { 'metrics.7d.cumulative_pnl': { $gt: 0 } }, 'A'],
];

for (const [sentence, filter, selected] of selections) test(sentence, () => assert.equal(select(filter), selected));

const refusals: readonly (readonly [sentence: string, filter: unknown, code: string, path: string, message: RegExp])[] =
  [
    [
      'an unknown field names the nearest',
      { 'market.liqidity': 1 },
      'unknown-field',
      'filter.market.liqidity',
      /^Unknown field "market\.liqidity" in filter\. Did you mean "market\.liquidity"\?$/,
    ],
    [
      'an unknown field far from all lists the sections',
      { zzzzzzzzzzzzzzzz: 1 },
      'unknown-field',
      'filter.zzzzzzzzzzzzzzzz',
      /in filter\. Known: updated_at, .*metadata\.\*, market\.\*, metrics\.7d\.\*, .*metrics\.1m\.\*\.$/,
    ],
    ['a section is not a field', { market: { price: 1 } }, 'unknown-field', 'filter.market', /Unknown field "market"/],
    ['a metric alone is not a path', { 'metrics.7d': 1 }, 'unknown-field', 'filter.metrics.7d', /Unknown field/],
    [
      'a window that tokens lack is unknown',
      { 'metrics.30d.pnl': 1 },
      'unknown-field',
      'filter.metrics.30d.pnl',
      /Did you mean "metrics\.\w+\.pnl"/,
    ],
    [
      '__proto__ is an unknown field',
      JSON.parse('{"__proto__": 1}'),
      'unknown-field',
      'filter.__proto__',
      /Unknown field "__proto__"/,
    ],
    [
      'constructor is an unknown field',
      { constructor: 1 },
      'unknown-field',
      'filter.constructor',
      /Unknown field "constructor"/,
    ],
    [
      'a path with brackets is unknown',
      { 'market[price]': 1 },
      'unknown-field',
      'filter.market[price]',
      /Did you mean "market\.price"/,
    ],
    [
      'SQL is an unknown field',
      { '"; drop table meta; --': 1 },
      'unknown-field',
      'filter."; drop table meta; --',
      /Unknown field/,
    ],
    [
      'an unknown operator names the nearest',
      { 'market.price': { $gtt: 1 } },
      'unknown-operator',
      'filter.market.price.$gtt',
      /^Unknown operator "\$gtt" for "market\.price" in filter\. Did you mean "\$gte?"\?$/,
    ],
    [
      'an operator without its sign names the operator',
      { 'market.price': { gt: 1 } },
      'unknown-operator',
      'filter.market.price.gt',
      /Did you mean "\$gt"/,
    ],
    [
      '__proto__ is an unknown operator',
      { 'market.price': JSON.parse('{"__proto__": 1}') },
      'unknown-operator',
      'filter.market.price.__proto__',
      /Unknown operator "__proto__"/,
    ],
    [
      'an unknown group operator names the nearest',
      { $ors: [] },
      'unknown-operator',
      'filter.$ors',
      /Did you mean "\$or"/,
    ],
    [
      'a field operator outside a field says where it goes',
      { $gt: 5 },
      'unknown-operator',
      'filter.$gt',
      /stands inside a field/,
    ],
    [
      '$not inside a field says how to negate',
      { 'market.price': { $not: { $gt: 5 } } },
      'unknown-operator',
      'filter.market.price.$not',
      /\{"\$not": \{"market\.price"/,
    ],
    [
      '$contains does not suit a number',
      { 'market.price': { $contains: 'a' } },
      'unknown-operator',
      'filter.market.price.$contains',
      /does not suit "market\.price" \(number\).*\$gt/,
    ],
    [
      'booleans have no order',
      { 'metadata.verified': { $gt: false } },
      'unknown-operator',
      'filter.metadata.verified.$gt',
      /does not suit.*boolean/,
    ],
    [
      'labels have no order',
      { labels: { $lt: 'a' } },
      'unknown-operator',
      'filter.labels.$lt',
      /does not suit.*labels/,
    ],
    [
      '$all suits labels only',
      { 'metadata.symbol': { $all: ['a'] } },
      'unknown-operator',
      'filter.metadata.symbol.$all',
      /does not suit/,
    ],
    [
      'a number does not compare with a text',
      { 'market.price': { $gt: '5' } },
      'invalid-filter',
      'filter.market.price.$gt',
      /^"\$gt" of "market\.price" in filter takes a finite number, not "5"\.$/,
    ],
    [
      'a number does not equal a text',
      { 'market.price': '5' },
      'invalid-filter',
      'filter.market.price',
      /takes a finite number or null, not "5"/,
    ],
    [
      'a text does not equal a number',
      { 'metadata.symbol': 5 },
      'invalid-filter',
      'filter.metadata.symbol',
      /takes a text/,
    ],
    [
      'a boolean does not equal 1',
      { 'metadata.verified': 1 },
      'invalid-filter',
      'filter.metadata.verified',
      /takes true or false or null, not 1/,
    ],
    [
      'a date is RFC 3339',
      { updated_at: { $gt: 'yesterday' } },
      'invalid-filter',
      'filter.updated_at.$gt',
      /RFC 3339 time such as "2024-01-05T00:00:00Z", not "yesterday"/,
    ],
    [
      'a date is not a number',
      { updated_at: { $gt: 1_704_412_800 } },
      'invalid-filter',
      'filter.updated_at.$gt',
      /RFC 3339/,
    ],
    [
      '30 February is no date',
      { updated_at: '2024-02-30T00:00:00Z' },
      'invalid-filter',
      'filter.updated_at',
      /RFC 3339/,
    ],
    [
      'ordering against null is refused',
      { 'market.price': { $gte: null } },
      'invalid-filter',
      'filter.market.price.$gte',
      /takes a finite number, not null/,
    ],
    [
      'Infinity is refused',
      { 'market.price': { $lt: Number.POSITIVE_INFINITY } },
      'invalid-filter',
      'filter.market.price.$lt',
      /not Infinity/,
    ],
    ['NaN is refused', { 'market.price': Number.NaN }, 'invalid-filter', 'filter.market.price', /not NaN/],
    ['a bigint is refused', { 'market.price': 5n }, 'invalid-filter', 'filter.market.price', /not 5n/],
    [
      'undefined is refused, not skipped',
      { 'market.price': undefined },
      'invalid-filter',
      'filter.market.price',
      /^"\$eq" of "market\.price" in filter is required: a finite number or null\.$/,
    ],
    [
      'a lone surrogate is refused',
      { 'metadata.symbol': '\ud800' },
      'invalid-filter',
      'filter.metadata.symbol',
      /lone surrogates/,
    ],
    [
      'a NUL is refused',
      { 'metadata.symbol': { $contains: 'a\0b' } },
      'invalid-filter',
      'filter.metadata.symbol.$contains',
      /NUL/,
    ],
    [
      'an array for a value hints at $in',
      { 'market.price': [5] },
      'invalid-filter',
      'filter.market.price',
      /not an array of 1/,
    ],
    [
      'an array of labels hints at $in and $all',
      { labels: ['hot'] },
      'invalid-filter',
      'filter.labels',
      /use \$in or \$all/,
    ],
    [
      'an empty object of operators is refused',
      { 'market.price': {} },
      'invalid-filter',
      'filter.market.price',
      /not an empty object/,
    ],
    [
      '$in takes an array',
      { 'market.price': { $in: 5 } },
      'invalid-filter',
      'filter.market.price.$in',
      /takes an array, each item a finite number or null, not 5/,
    ],
    [
      'an item of the wrong type is named by its place',
      { 'market.price': { $in: [1, 'a'] } },
      'invalid-filter',
      'filter.market.price.$in.1',
      /not "a"/,
    ],
    ['$all takes no null', { labels: { $all: [null] } }, 'invalid-filter', 'filter.labels.$all.0', /not null/],
    [
      '$exists takes a boolean',
      { 'market.price': { $exists: 1 } },
      'invalid-filter',
      'filter.market.price.$exists',
      /takes true or false, not 1/,
    ],
    [
      'a filter is an object',
      [],
      'invalid-filter',
      'filter',
      /^filter must be an object of conditions .*, not an array of 0\.$/,
    ],
    ['null is no filter', null, 'invalid-filter', 'filter', /not null/],
    ['an instance of a class is no filter', new Date(0), 'invalid-filter', 'filter', /not an object/],
    [
      '$and takes an array',
      { $and: {} },
      'invalid-filter',
      'filter.$and',
      /takes an array of one or more filters, not an object/,
    ],
    ['an empty $or is refused', { $or: [] }, 'invalid-filter', 'filter.$or', /one or more filters, not an array of 0/],
    ['$not takes a filter, not an array', { $not: [{}] }, 'invalid-filter', 'filter.$not', /must be an object/],
    [
      'a fault deep inside is named by its path',
      { $and: [{ $or: [{}, { 'market.price': { $gt: 'x' } }] }] },
      'invalid-filter',
      'filter.$and.0.$or.1.market.price.$gt',
      /not "x"/,
    ],
  ];

for (const [sentence, filter, code, path, message] of refusals) {
  test(sentence, () => {
    const error = failure(filter);
    assert.equal(error.code, code);
    assert.equal(error.details[0]?.path, path);
    assert.match(error.message, message);
    assert.equal(error.details[0]?.message, error.message);
  });
}

test('every fault of a filter is listed', () => {
  const error = failure({ 'market.prise': 1, 'market.price': { $gt: 'a', $foo: 1 } });
  assert.deepEqual(
    error.details.map(({ path }) => path),
    ['filter.market.prise', 'filter.market.price.$gt', 'filter.market.price.$foo'],
  );
});

test('a fault in a dynamic label is named by the label', () => {
  const error = failure({ 'market.prise': 1 }, 'dynamic_labels.cheap');
  assert.equal(error.details[0]?.path, 'dynamic_labels.cheap.market.prise');
  assert.match(error.message, /in dynamic_labels\.cheap\./);
});

function nested(levels: number): unknown {
  let filter: unknown = { 'market.price': 5 };
  for (let i = 1; i < levels; i++) filter = i % 2 === 0 ? { $not: filter } : { $and: [filter] };
  return filter;
}

test('a filter of 8 levels is read, one of 9 is refused', () => {
  assert.equal(select(nested(8)).length > 0, true);
  assert.match(failure(nested(9)).message, /nests deeper than 8 levels/);
  assert.equal(failure(nested(9)).code, 'invalid-filter');
});

test('10,000 levels are refused without a stack overflow, wherever they stand', () => {
  let array: unknown = 1;
  for (let i = 0; i < 10_000; i++) array = [array];
  failure(nested(10_000));
  failure(array);
  failure({ 'market.price': array });
  failure({ 'market.price': { $in: array } });
  failure({ 'market.price': { $gt: nested(10_000) } });
});

test('64 conditions are read, 65 are refused', () => {
  const many = (count: number): unknown => ({ $or: Array.from({ length: count }, (_, i) => ({ 'market.price': i })) });
  assert.equal(select(many(64)), 'ABD');
  assert.match(failure(many(65)).message, /more than 64 conditions/);
  assert.match(failure({ $and: Array.from({ length: 65 }, () => ({})) }).message, /more than 64 conditions/);
});

test('256 items of a list are read, 257 are refused', () => {
  const items = (count: number): unknown => ({ 'market.price': { $in: Array.from({ length: count }, (_, i) => i) } });
  assert.equal(select(items(256)), 'ABD');
  assert.match(failure(items(257)).message, /"\$in" in filter holds 257 items; at most 256 may be/);
  assert.match(failure({ $or: Array.from({ length: 257 }, () => ({})) }).message, /at most 256/);
});

test('addresses compare in lower case where the chain does', () => {
  const evm = { ...filterContext('tokens'), addressFormat: 'evm' as const };
  assert.deepEqual(parseFilter({ token_address: '0xAB', 'metadata.symbol': 'AB' }, evm), {
    kind: 'and',
    of: [
      { kind: 'compare', column: 'token_address', op: 'eq', value: '0xab' },
      { kind: 'compare', column: 'metadata.symbol', op: 'eq', value: 'AB' },
    ],
  });
});

test('wallets have idle and no age', () => {
  const wallets = filterContext('wallets');
  assert.deepEqual(parseFilter({ 'metadata.idle': { $lt: 60 } }, wallets), {
    kind: 'compare',
    column: 'metadata.last_trade_at',
    op: 'gt',
    value: 1_704_412_740,
  });
  assert.throws(() => parseFilter({ 'metadata.age': 1 }, wallets), { code: 'unknown-field' });
});

test('a metric in a group is a path', () => {
  assert.deepEqual(
    parseFilter({ 'metrics.30d.token_roi_distribution.gt_500': { $gte: 1 } }, filterContext('wallets')),
    {
      kind: 'compare',
      column: 'metrics.30d.token_roi_distribution.gt_500',
      op: 'gte',
      value: 1,
    },
  );
});
