import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SwapfoldError } from '../src/errors.ts';
import { memory } from '../src/memory/memory.ts';
import type { EntityKind } from '../src/records/profile-fields.ts';
import type { SearchPage } from '../src/search/page.ts';
import type { SearchRequest } from '../src/search/plan.ts';
import { storedRows } from '../src/search/rows.ts';
import { type Profile, profileRows, searchContext, searchProfiles, tableOf } from './search-fixtures.ts';

const tokens: readonly Profile[] = [
  {
    token_address: 'T1',
    'metadata.symbol': 'BONK',
    'metadata.name': 'Bonk',
    'market.liquidity': 10,
    'metrics.1d.volume': 5,
  },
  {
    token_address: 'T2',
    'metadata.symbol': 'BONKINU',
    'metadata.name': 'Bonk Inu',
    'market.liquidity': 90,
    'metrics.1d.volume': 5,
  },
  {
    token_address: 'T3',
    'metadata.symbol': 'MB',
    'metadata.name': 'Magic Bonk',
    'market.liquidity': 50,
    'metrics.1d.volume': 9,
  },
  {
    token_address: 'T4',
    'metadata.symbol': 'MB2',
    'metadata.name': 'Magic Bonk',
    'metadata.verified': true,
    'market.liquidity': 1,
  },
  { token_address: 'T5', 'metadata.symbol': 'bonk', 'metadata.name': 'Fake', 'metadata.verified': false },
  { token_address: 'T6', 'metadata.symbol': 'BNOK', 'metadata.name': 'Typo', 'metrics.1d.volume': 7 },
  { token_address: 'T7', 'metadata.symbol': '???', 'metadata.name': 'Café 🚀 柴犬币', 'metrics.1d.volume': 0 },
];

const wallets: readonly Profile[] = [
  { wallet_address: 'W2', 'metadata.twitter_username': 'crypto_whale', 'metrics.7d.pnl': 1 },
  { wallet_address: 'W1', 'metadata.name': 'Whale', 'metrics.7d.pnl': 1 },
  { wallet_address: 'W3', 'metrics.7d.pnl': -5, labels: ['smart'] },
  { wallet_address: 'W4' },
];

async function search(kind: EntityKind, request: SearchRequest): Promise<SearchPage> {
  const store = memory();
  await store.open({ tables: [tableOf[kind]] });
  await store.write((writer) => writer.append(tableOf[kind], profileRows(kind, kind === 'tokens' ? tokens : wallets)));
  return store.snapshot((reader) => searchProfiles(storedRows(reader, tableOf[kind]), request, searchContext(kind)));
}

async function found(kind: EntityKind, request: SearchRequest): Promise<string> {
  const { rows, count } = await search(kind, request);
  const addresses = rows.columns[kind === 'tokens' ? 'token_address' : 'wallet_address'] as string[];
  assert.equal(count, rows.length);
  return addresses.join(' ');
}

const orders: readonly (readonly [sentence: string, kind: EntityKind, request: SearchRequest, order: string])[] = [
  ['tokens come by volume of a day, missing last, ties by address', 'tokens', {}, 'T3 T6 T1 T2 T7 T4 T5'],
  ['wallets come by pnl of 7 days', 'wallets', {}, 'W1 W2 W3 W4'],
  [
    'missing values are last in ascending order too',
    'tokens',
    { sort: { field: 'market.liquidity', direction: 'asc' } },
    'T4 T1 T3 T2 T5 T6 T7',
  ],
  ['direction is desc by default', 'tokens', { sort: { field: 'market.liquidity' } }, 'T2 T3 T1 T4 T5 T6 T7'],
  [
    'the second key decides between equals of the first',
    'tokens',
    { sort: [{ field: 'metrics.1d.volume' }, { field: 'market.liquidity' }] },
    'T3 T6 T2 T1 T7 T4 T5',
  ],
  [
    'text sorts by code point',
    'tokens',
    { sort: { field: 'metadata.symbol', direction: 'asc' } },
    'T7 T6 T1 T2 T3 T4 T5',
  ],
  [
    'the alias of pnl sorts',
    'wallets',
    { sort: { field: 'metrics.7d.cumulative_pnl', direction: 'asc' } },
    'W3 W1 W2 W4',
  ],
  [
    'exact comes before prefix before others, verified first, then the more liquid',
    'tokens',
    { query: { text: 'bonk' } },
    'T1 T5 T2 T4 T3',
  ],
  ['a word of two letters matches as a whole word', 'tokens', { query: { text: 'mb' } }, 'T3'],
  ['autocomplete matches the beginning of a word', 'tokens', { query: { text: 'mb', autocomplete: true } }, 'T3 T4'],
  ['every word must match, in any order and field', 'tokens', { query: { text: 'mb2 bonk magic' } }, 'T4'],
  ['fields narrow the match', 'tokens', { query: { text: 'bonk', fields: ['metadata.symbol'] } }, 'T1 T5'],
  [
    'a typo matches with fuzzy only, after the rest',
    'tokens',
    { query: { text: 'bonk', fuzzy: true } },
    'T1 T5 T2 T4 T3 T6',
  ],
  [
    'a query can be sorted otherwise',
    'tokens',
    { query: { text: 'bonk' }, sort: { field: 'metadata.symbol', direction: 'asc' } },
    'T1 T2 T3 T4 T5',
  ],
  [
    'a fuzzy query can be sorted otherwise',
    'tokens',
    { query: { text: 'bonk', fuzzy: true }, sort: { field: 'metadata.symbol' } },
    'T5 T4 T3 T2 T1 T6',
  ],
  [
    'a query and a filter must both hold',
    'tokens',
    { query: { text: 'bonk' }, filter: { 'metadata.verified': true } },
    'T4',
  ],
  ['accents do not matter', 'tokens', { query: { text: 'cafe' } }, 'T7'],
  ['characters of a script without spaces match inside a run', 'tokens', { query: { text: '犬币' } }, 'T7'],
  ['and only next to each other', 'tokens', { query: { text: '柴币' } }, ''],
  ['a pictograph is a word', 'tokens', { query: { text: '🚀' } }, 'T7'],
  ['punctuation alone matches a whole field', 'tokens', { query: { text: '???' } }, 'T7'],
  ['punctuation alone matches no beginning of a field', 'tokens', { query: { text: '??' } }, ''],
  [
    'punctuation alone matches the beginning of a field with autocomplete',
    'tokens',
    { query: { text: '??', autocomplete: true } },
    'T7',
  ],
  ['an address is a word', 'tokens', { query: { text: 't3' } }, 'T3'],
  ['the names of wallets are searched', 'wallets', { query: { text: '@Crypto_Whale' } }, 'W2'],
  ['wallets that match equally come by address', 'wallets', { query: { text: 'whale' } }, 'W1 W2'],
];

for (const [sentence, kind, request, order] of orders)
  test(sentence, async () => assert.equal(await found(kind, request), order));

for (const [name, request] of [
  ['a sorted search', { sort: [{ field: 'metrics.1d.volume', direction: 'asc' }] }],
  ['a search by relevance', { query: { text: 'bonk', fuzzy: true } }],
] as const) {
  test(`the pages of ${name} hold every row once, in order`, async () => {
    const whole = await found('tokens', request);
    for (const limit of [1, 2, 3, 100]) {
      const pages: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await search('tokens', { ...request, limit, ...(cursor === undefined ? {} : { cursor }) });
        assert.equal(page.count, whole.split(' ').length);
        pages.push(...(page.rows.columns.token_address as string[]));
        assert.ok(pages.length <= page.count, 'rows are repeated');
        cursor = page.cursor;
      } while (cursor !== undefined);
      assert.equal(pages.join(' '), whole);
    }
  });
}

test('a page that ends with the last row has no cursor', async () => {
  const { count, cursor } = await search('tokens', { limit: 7 });
  assert.deepEqual({ count, cursor }, { count: 7, cursor: undefined });
});

test('dynamic labels name what holds for each row of the page', async () => {
  const request = {
    dynamic_labels: { liquid: { 'market.liquidity': { $gte: 50 } }, named: { 'metadata.name': { $contains: 'BONK' } } },
    limit: 3,
  };
  const { dynamic_labels: labels } = await search('tokens', request);
  assert.deepEqual(labels, [['liquid', 'named'], [], ['named']]);
});

test('a request without dynamic labels has none in its answer', async () => {
  assert.equal('dynamic_labels' in (await search('tokens', { dynamic_labels: {} })), false);
});

const first = await search('tokens', { limit: 1 });
const second = await search('tokens', { limit: 1, query: { text: 'bonk' } });
const flipped = `${first.cursor!.slice(0, 20)}${first.cursor![20] === 'A' ? 'B' : 'A'}${first.cursor!.slice(21)}`;

const refusals: readonly (readonly [
  sentence: string,
  request: SearchRequest,
  code: string,
  path: string,
  message: RegExp,
])[] = [
  ['a filter is an object', { filter: [] }, 'invalid-filter', 'filter', /must be an object/],
  ['a filter of null is refused', { filter: null }, 'invalid-filter', 'filter', /not null/],
  ['a sort of null is refused', { sort: null }, 'invalid-request', 'sort', /not null/],
  ['a query of null is refused', { query: null }, 'invalid-request', 'query', /not null/],
  [
    'five sort keys are refused',
    { sort: Array(5).fill({ field: 'market.price' }) },
    'invalid-request',
    'sort',
    /1 to 4, not an array of 5/,
  ],
  ['no sort keys are refused', { sort: [] }, 'invalid-request', 'sort', /not an array of 0/],
  [
    'a sort is no text',
    { sort: 'market.price' },
    'invalid-request',
    'sort',
    /\{field, direction\}, not "market\.price"/,
  ],
  [
    'an unknown sort field names the nearest',
    { sort: { field: 'market.prise' } },
    'unknown-field',
    'sort.field',
    /Did you mean "market\.price"/,
  ],
  [
    'an unknown key of a sort names the nearest',
    { sort: { field: 'market.price', order: 'asc' } },
    'unknown-field',
    'sort.order',
    /Unknown field "order" in sort/,
  ],
  [
    'a sort direction is asc or desc',
    { sort: [{ field: 'market.price', direction: 'up' }] },
    'invalid-request',
    'sort.0.direction',
    /"asc" or "desc", not "up"/,
  ],
  [
    'a sort without a field is refused',
    { sort: {} },
    'invalid-request',
    'sort.field',
    /^"sort\.field" is required: a field path/,
  ],
  [
    'booleans cannot be sorted by',
    { sort: { field: 'metadata.verified' } },
    'invalid-request',
    'sort.field',
    /has no order/,
  ],
  ['labels cannot be sorted by', { sort: { field: 'labels' } }, 'invalid-request', 'sort.field', /has no order/],
  ['a query is an object', { query: 'bonk' }, 'invalid-request', 'query', /such as \{"text": "bonk"\}, not "bonk"/],
  ['a query has a text', { query: {} }, 'invalid-request', 'query.text', /^"query\.text" is required: a text of 1/],
  ['a blank text is refused', { query: { text: ' \t' } }, 'invalid-request', 'query.text', /not blank/],
  [
    'a text of 201 characters is refused',
    { query: { text: 'a'.repeat(201) } },
    'invalid-request',
    'query.text',
    /1 to 200 characters/,
  ],
  [
    'a lone surrogate in a text is refused',
    { query: { text: 'a\udc00' } },
    'invalid-request',
    'query.text',
    /lone surrogates/,
  ],
  [
    'an unknown key of a query names the nearest',
    { query: { text: 'a', autocomplet: true } },
    'unknown-field',
    'query.autocomplet',
    /Did you mean "autocomplete"/,
  ],
  [
    'query fields are an array',
    { query: { text: 'a', fields: 'metadata.name' } },
    'invalid-request',
    'query.fields',
    /array of one or more/,
  ],
  [
    'query fields are not empty',
    { query: { text: 'a', fields: [] } },
    'invalid-request',
    'query.fields',
    /not an array of 0/,
  ],
  ['query fields are texts', { query: { text: 'a', fields: [1] } }, 'invalid-request', 'query.fields.0', /not 1/],
  [
    'query fields are those that text is searched in',
    { query: { text: 'a', fields: ['market.price'] } },
    'unknown-field',
    'query.fields.0',
    /searched in token_address, metadata\.name, metadata\.symbol/,
  ],
  [
    'autocomplete is a boolean',
    { query: { text: 'a', autocomplete: 1 } },
    'invalid-request',
    'query.autocomplete',
    /true or false, not 1/,
  ],
  ['fuzzy is a boolean', { query: { text: 'a', fuzzy: null } }, 'invalid-request', 'query.fuzzy', /not null/],
  [
    'dynamic labels are an object',
    { dynamic_labels: [] },
    'invalid-request',
    'dynamic_labels',
    /object of filters by label/,
  ],
  [
    '17 dynamic labels are refused',
    { dynamic_labels: Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`l${i}`, {}])) },
    'invalid-request',
    'dynamic_labels',
    /17 labels; at most 16/,
  ],
  [
    'a label of 65 characters is refused',
    { dynamic_labels: { ['a'.repeat(65)]: {} } },
    'invalid-request',
    'dynamic_labels',
    /1 to 64 characters/,
  ],
  [
    'a label without a name is refused',
    { dynamic_labels: { '': {} } },
    'invalid-request',
    'dynamic_labels',
    /1 to 64 characters/,
  ],
  [
    'a fault in a label is named by it',
    { dynamic_labels: { cheap: { 'market.prise': 1 } } },
    'unknown-field',
    'dynamic_labels.cheap.market.prise',
    /in dynamic_labels\.cheap/,
  ],
  ['a cursor is a text', { cursor: 5 }, 'invalid-cursor', 'cursor', /damaged/],
  ['a cursor of nonsense is refused', { cursor: 'bm9uc2Vuc2U' }, 'invalid-cursor', 'cursor', /damaged/],
  ['a cursor with a character changed is refused', { cursor: flipped }, 'invalid-cursor', 'cursor', /damaged/],
  ['a cursor with a character more is refused', { cursor: `${first.cursor}!` }, 'invalid-cursor', 'cursor', /damaged/],
  [
    'a cursor of another query is refused',
    { cursor: second.cursor },
    'invalid-cursor',
    'cursor',
    /belongs to another request/,
  ],
  [
    'a cursor with another filter is refused',
    { cursor: first.cursor, filter: { labels: 'hot' } },
    'invalid-cursor',
    'cursor',
    /belongs to another request/,
  ],
];

for (const [sentence, request, code, path, message] of refusals) {
  test(sentence, async () => {
    await assert.rejects(search('tokens', request), (error) => {
      assert.ok(error instanceof SwapfoldError, String(error));
      assert.equal(error.status, 400);
      assert.equal(error.code, code);
      assert.equal(error.details[0]?.path, path);
      assert.match(error.message, message);
      return true;
    });
  });
}

test('a cursor with another place written into it is refused', async () => {
  const [version, request, tuple, check] = JSON.parse(Buffer.from(first.cursor!, 'base64url').toString());
  assert.deepEqual(tuple, [9, 'T3']);
  for (const place of [[8, 'T3'], [9, 'T4'], ['9', 'T3'], [9], []]) {
    const cursor = Buffer.from(JSON.stringify([version, request, place, check])).toString('base64url');
    await assert.rejects(search('tokens', { cursor }), { code: 'invalid-cursor', message: /damaged/ });
  }
});

test('a cursor of another version says so', async () => {
  const [, ...rest] = JSON.parse(Buffer.from(first.cursor!, 'base64url').toString());
  const cursor = Buffer.from(JSON.stringify([0, ...rest])).toString('base64url');
  await assert.rejects(search('tokens', { cursor }), { code: 'invalid-cursor', message: /another version/ });
});

test('a cursor of tokens is refused for wallets', async () => {
  await assert.rejects(search('wallets', { cursor: first.cursor }), { code: 'invalid-cursor' });
});

test('the limit may change from page to page, and the order of keys', async () => {
  const filter = { 'market.liquidity': { $exists: true }, 'metadata.symbol': { $exists: true } };
  const page = await search('tokens', { filter, limit: 1 });
  const turned = { 'metadata.symbol': { $exists: true }, 'market.liquidity': { $exists: true } };
  const next = await search('tokens', { cursor: page.cursor, filter: turned, limit: 2 });
  assert.deepEqual(next.rows.columns.token_address, ['T1', 'T2']);
});

test('16 dynamic labels of 64 characters are read', async () => {
  const names = [...'abcdefghijklmno', '😀'].map((character) => character.repeat(64));
  const { dynamic_labels: labels } = await search('tokens', {
    dynamic_labels: Object.fromEntries(names.map((name) => [name, {}])),
    limit: 1,
  });
  assert.deepEqual(labels, [names]);
});
