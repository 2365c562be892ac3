import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { memory, Swapfold } from '@swapfold/core';
import { serve } from '../src/index.ts';
import { ANN, at, BASE, type Service, startService, swaps, T } from './service.ts';

let service: Service;
before(async () => {
  service = await startService();
});
after(() => service.close());

const TOKENS = '/profiles/tokens/search-profiles';
const WALLETS = '/profiles/wallets/search-profiles';

const severalFaults: readonly (readonly [because: string, path: string, body: object, code: string, at: string[]])[] = [
  [
    'of every part of a search, up to the sixteenth',
    WALLETS,
    {
      limit: 0,
      optons: {},
      options: { include_metrics: ['2d'], include_market: true },
      filter: { 'metrics.7d.pnll': 1, labels: 'smrt', 'metrics.7d.pnl': { $gt: 'a' } },
      query: { txt: 'bonk', fuzzy: 1 },
      dynamic_labels: { a: { foo: 1 }, b: [] },
      sort: [{ field: 'nothing' }, { feld: 'updated_at', direction: 'up' }],
      cursor: 'abc',
    },
    'invalid-request',
    [
      'options.include_metrics.0',
      'options.include_market',
      'limit',
      'optons',
      'filter.metrics.7d.pnll',
      'filter.metrics.7d.pnl.$gt',
      'query.txt',
      'query.text',
      'query.fuzzy',
      'dynamic_labels.a.foo',
      'dynamic_labels.b',
      'sort.0.field',
      'sort.1.feld',
      'sort.1.direction',
      'sort.1.field',
      // The sixteenth: of 17 faults the unknown label is left out.
      'cursor',
    ],
  ],
  [
    'of the labels that filters ask for, beside the others',
    WALLETS,
    {
      filter: { $or: [{ labels: { $in: ['kol', 'whalle'] } }, { 'metrics.7d.pnll': 1 }] },
      dynamic_labels: { a: { labels: 'x' } },
    },
    'unknown-field',
    ['filter.$or.1.metrics.7d.pnll', 'filter.$or.0.labels.$in.1', 'dynamic_labels.a.labels'],
  ],
  [
    'of a range and of its fields',
    '/prices/get-price-candles',
    { token: 'x', interval: 0, from: at(60), to: at(0), count: 3, fil: true },
    'invalid-request',
    ['token', 'interval', 'fil', 'count', 'from'],
  ],
  [
    'of a range of history and of its fields',
    '/prices/get-price-history',
    { tokens: [], interval: 60, from: at(60), to: at(0) },
    'invalid-request',
    ['tokens', 'from'],
  ],
  [
    'of a history',
    '/profiles/wallets/get-history',
    { wallet: ANN, interval: 60, metrics: ['x'], from: at(60), to: at(0) },
    'invalid-request',
    ['metrics.0', 'from'],
  ],
  ['of a page', '/swaps/get-swaps', { limit: 0, cursor: 'abc' }, 'invalid-request', ['limit', 'cursor']],
  [
    'of several unknown keys',
    '/trades/get-trades',
    { walet: ANN, tokn: T, a: 1 },
    'unknown-field',
    ['walet', 'tokn', 'a'],
  ],
];
for (const [because, path, body, code, paths] of severalFaults) {
  test(`every fault ${because} comes at once`, async () => {
    const { status, json } = await service.post(path, body);
    assert.deepEqual([status, json.code], [400, code]);
    assert.deepEqual(
      json.details.map((detail: { path: string }) => detail.path),
      paths,
    );
    assert.match(json.error, new RegExp(`\\(and ${paths.length - 1} more\\)\\.$`));
  });
}

const nearest: readonly (readonly [kind: string, given: string, meant: string])[] = [
  [WALLETS, 'pnl', 'metrics.7d.pnl'],
  [WALLETS, 'metrics.pnl', 'metrics.7d.pnl'],
  [WALLETS, '30d.pnl', 'metrics.30d.pnl'],
  [WALLETS, 'pnll', 'metrics.7d.pnl'],
  [WALLETS, 'metrics.7d.voume', 'metrics.7d.volume'],
  [WALLETS, 'PNL', 'metrics.7d.pnl'],
  [WALLETS, 'lt_neg50_0', 'metrics.7d.token_roi_distribution.lt_neg50_0'],
  [TOKENS, 'price', 'market.price'],
  [TOKENS, 'market.volume', 'metrics.7d.volume'],
  [TOKENS, 'symbol', 'metadata.symbol'],
  [TOKENS, 'metrics.30d.volume', 'metrics.7d.volume'],
  [TOKENS, 'token_adress', 'token_address'],
];
for (const [path, given, meant] of nearest) {
  test(`${given} in a filter and a sort of ${path} is taken for ${meant}`, async () => {
    const { json } = await service.post(path, { filter: { [given]: { $gt: 1 } }, sort: { field: given } });
    assert.deepEqual(
      json.details.map((detail: { message: string }) => detail.message),
      ['filter', 'sort'].map((part) => `Unknown field "${given}" in ${part}. Did you mean "${meant}"?`),
    );
  });
}

test('a field like no other is answered with the sections that there are', async () => {
  const { json } = await service.post(WALLETS, { filter: { qqqqqqqqqqqqqqqq: 1 } });
  assert.equal(
    json.error,
    'Unknown field "qqqqqqqqqqqqqqqq" in filter. Known: updated_at, synced_at, wallet_address, labels, metadata.*, identity.*, lifetime.*, holding.*, metrics.30d.*, metrics.14d.*, metrics.7d.*, metrics.3d.*, metrics.1d.*.',
  );
});

const unknownLabels: readonly (readonly [because: string, path: string, filter: object, says: RegExp])[] = [
  [
    'with the nearest',
    WALLETS,
    { labels: 'smrt' },
    /^Unknown label "smrt" in filter\. Did you mean "smart"\? Known: kol, trencher, .*holder\.$/,
  ],
  ['in another case', WALLETS, { labels: { $ne: 'KOL' } }, /Did you mean "kol"\?/],
  ['of $all', WALLETS, { labels: { $all: ['whale', 'snipper'] } }, /Did you mean "sniper"\?/],
  [
    'of the other kind of profile',
    TOKENS,
    { labels: { $nin: ['kol'] } },
    /Unknown label "kol" in filter\. .*Known: trending, hot, new, popular\.$/,
  ],
];
for (const [because, path, filter, says] of unknownLabels) {
  test(`an unknown label in a filter is refused: ${because}`, async () => {
    const { status, json } = await service.post(path, { filter });
    assert.deepEqual([status, json.code], [400, 'unknown-field']);
    assert.match(json.error, says);
  });
}

test('a label is known that the interface names, a rule gives or the registry holds, until the registry loses it', async () => {
  const rule = { label: 'busy', rule: 'one', filter: { 'metrics.7d.trade_count': { $gte: 2 } } };
  const dex = await Swapfold.open({ storage: memory(), config: { labels: { wallets: [rule] } } });
  await dex.ingest([...swaps]);
  await dex.wallets.upsert([{ address: ANN, labels: ['team'] }]);
  await dex.refresh();
  const countOf = async (label: string) => (await dex.wallets.search({ filter: { labels: label } } as never)).count;
  assert.deepEqual([await countOf('kol'), await countOf('team'), await countOf('team')], [0, 1, 1]);
  // Ann has two trades, Cat 22.
  assert.equal(await countOf('busy'), 2);
  await dex.wallets.upsert([{ address: ANN, labels: [] }]);
  await assert.rejects(countOf('team'), { code: 'unknown-field', status: 400 });
  await dex.close();
});

test('a search on a store that was never refreshed says so, one on an empty store finds nothing', async () => {
  const dex = await Swapfold.open({ storage: memory() });
  assert.deepEqual(await dex.wallets.search(), { count: 0, data: [] });
  await dex.ingest([...swaps]);
  await assert.rejects(dex.wallets.search(), {
    code: 'not-refreshed',
    message: /no refresh has run: call refresh\(\)/,
  });
  const server = await serve(dex, { port: 0, keys: 'none' });
  const search = () =>
    fetch(`${server.url}${BASE}${TOKENS}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
  const refused = await search();
  const { error, code } = (await refused.json()) as { error: string; code: string };
  assert.deepEqual([refused.status, code], [503, 'unavailable']);
  assert.match(error, /^There are no profiles to search yet: the operator of this server/);
  assert.ok(refused.headers.get('retry-after'));
  await dex.refresh();
  assert.equal((await search()).status, 200);
  await server.close();
  await dex.close();
});

const sixteen: readonly (readonly [because: string, path: string, body: object, first: string, last: string])[] = [
  ['tokens of no form', '/prices/get-price', { tokens: Array(1000).fill('?') }, 'tokens.0', 'tokens.15'],
  [
    'unknown fields',
    '/prices/get-price',
    { tokens: [T], ...Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`a${i}`, 0])) },
    'a0',
    'a15',
  ],
  [
    'branches that are no filters',
    WALLETS,
    { filter: { $or: [{ $or: Array(200).fill(0) }, { $or: Array(200).fill(0) }] } },
    'filter.$or.0.$or.0',
    'filter.$or.0.$or.15',
  ],
  [
    'branches in branches',
    WALLETS,
    { filter: { $and: Array(200).fill({ $nor: [0, 0, 0] }) } },
    'filter.$and.0.$nor.0',
    // Three a branch: the sixteenth is the first of the sixth.
    'filter.$and.5.$nor.0',
  ],
  [
    'windows',
    WALLETS,
    { options: { include_metrics: ['a', 'b', 'c', 'd', 'e'] }, ...many(16) },
    'options.include_metrics.0',
    'n10',
  ],
];
function many(count: number): object {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`n${i}`, 0]));
}
for (const [because, path, body, first, last] of sixteen)
  test(`of many faults the first sixteen are listed: ${because}`, async () => {
    const { status, json } = await service.post(path, body);
    const paths = json.details.map((detail: { path: string }) => detail.path);
    assert.deepEqual([status, paths.length, paths[0], paths[15]], [400, 16, first, last]);
    assert.match(json.error, /\(and 15 more\)\.$/);
  });
