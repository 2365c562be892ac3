import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolvePath } from '../src/filter/reading.ts';
import { profileFields } from '../src/profiles/sections/sections.ts';
import { fixedPaths, type TokenFilter, type TokenSortField, type WalletFilter } from '../src/search/filter-types.ts';
import type { TokenSearch } from '../src/search/types.ts';
import { filterContext, parseFilter, planSearch, searchContext } from './search-fixtures.ts';

type Tokens = TokenFilter<'volume' | 'pnl'>;
type Wallets = WalletFilter<'pnl' | 'token_roi_distribution.gt_500'>;

const everyType: Tokens = {
  'market.price': { $gt: 1, $in: [1, null] },
  'metadata.symbol': { $contains: 'bonk', $gte: 'a' },
  updated_at: { $lt: '2024-01-05T00:00:00Z' },
  'metadata.verified': true,
  labels: { $all: ['hot'] },
  'metrics.5m.volume': null,
  'metrics.7d.cumulative_pnl': { $gt: 0 },
  $or: [{ 'metadata.age': { $lt: 60 } }, { $not: { labels: 'new' } }],
};

test('a filter that compiles is a filter that is read', () => {
  const group: Wallets = { 'metrics.30d.token_roi_distribution.gt_500': { $gte: 1 } };
  assert.doesNotThrow(() => parseFilter(everyType, filterContext('tokens')));
  assert.doesNotThrow(() => parseFilter(group, filterContext('wallets')));
});

test('what the compiler refuses, the filter refuses', () => {
  const wrong: readonly Tokens[] = [
    // @ts-expect-error: no such path
    { 'market.liqidity': 1 },
    // @ts-expect-error: tokens have no 30d window
    { 'metrics.30d.volume': 1 },
    // @ts-expect-error: no such metric
    { 'metrics.5m.volum': 1 },
    // @ts-expect-error: a number does not compare with a text
    { 'market.price': { $gt: '1' } },
    // @ts-expect-error: a number does not contain
    { 'market.price': { $contains: '1' } },
    // @ts-expect-error: booleans have no order
    { 'metadata.verified': { $gt: false } },
    // @ts-expect-error: $all is for labels
    { 'metadata.symbol': { $all: ['a'] } },
    // @ts-expect-error: no such operator
    { 'market.price': { $gtt: 1 } },
    // @ts-expect-error: a group needs a filter
    { $and: [] },
    // @ts-expect-error: paths are checked inside groups
    { $or: [{ 'market.prise': 1 }] },
  ];
  for (const filter of wrong) assert.throws(() => parseFilter(filter, filterContext('tokens')), { status: 400 });
  // @ts-expect-error: wallets have no market
  const market: Wallets = { 'market.price': 1 };
  assert.throws(() => parseFilter(market, filterContext('wallets')), { code: 'unknown-field' });
});

test('sort fields are the paths that have an order', () => {
  const fields: readonly TokenSortField<'volume'>[] = [
    'market.price',
    'metadata.symbol',
    'updated_at',
    'metadata.age',
    'metrics.1d.volume',
  ];
  // @ts-expect-error: booleans have no order
  const verified: TokenSortField<'volume'> = 'metadata.verified';
  assert.equal(fields.includes(verified), false);
});

test('a search that compiles is a search that is read, and the other way round', () => {
  const right: TokenSearch<'volume'> = {
    query: { text: 'bonk', fields: ['metadata.symbol'], fuzzy: true },
    filter: { 'metrics.5m.volume': { $gt: 1 } },
    sort: [{ field: 'metrics.5m.volume' }, { field: 'metadata.age', direction: 'asc' }],
    dynamic_labels: { hot: { labels: 'hot' } },
    limit: 5,
  };
  assert.doesNotThrow(() => planSearch(right, searchContext('tokens')));
  const wrong: readonly TokenSearch<'volume'>[] = [
    // @ts-expect-error: labels have no order
    { sort: { field: 'labels' } },
    // @ts-expect-error: not a field that text is searched in
    { query: { text: 'a', fields: ['market.price'] } },
    // @ts-expect-error: labels are filters
    { dynamic_labels: { hot: { 'market.prise': 1 } } },
  ];
  for (const request of wrong) assert.throws(() => planSearch(request, searchContext('tokens')), { status: 400 });
});

for (const kind of ['tokens', 'wallets'] as const) {
  test(`the types of ${kind} name every path of the catalogue, with its type`, () => {
    const fields = new Map(profileFields(kind, []).map((field) => [field.path, field]));
    const known = [...fields.keys()].map((path) => [path, resolvePath(path, fields)?.type]);
    assert.deepEqual(Object.fromEntries(known), fixedPaths[kind]);
  });
}
