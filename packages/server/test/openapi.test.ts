import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { defineMetric, memory, Swapfold } from '@swapfold/core';
import { operations } from '@swapfold/core/host';
import { openApiDocument } from '../src/index.ts';
import { type Described, describedBy } from './described.ts';
import { ANN, asked, at, BASE, KEY, labelAnn, type Service, startService, T, U } from './service.ts';

let service: Service;
let described: Described;
// biome-ignore lint/suspicious/noExplicitAny: a document of any shape, walked by the tests.
let document: any;
before(async () => {
  service = await startService();
  await labelAnn(service.dex);
  await service.dex.wallets.upsert([{ address: ANN, labels: ['of-the-registry'] }]);
  described = await describedBy(service);
  document = described.document;
});
after(() => service.close());

const faults = (value: unknown, pointer: readonly string[]): string => described.faults(value, pointer);

const json = ['content', 'application/json', 'schema'];
const requestAt = (path: string) => ['paths', BASE + path, 'post', 'requestBody', ...json];
const answerAt = (path: string) => ['paths', BASE + path, 'post', 'responses', '200', ...json];

test('the document is valid OpenAPI 3.1', async () => {
  const result = await new Validator().validate(document);
  assert.deepEqual(result.errors ?? [], []);
  assert.equal(result.valid, true);
  assert.equal(document.openapi, '3.1.0');
});

test('it is what openApiDocument gives', () => {
  assert.deepEqual(document, JSON.parse(JSON.stringify(openApiDocument(service.dex))));
});

test('it has every operation of the table, each behind the key, and the open routes without', () => {
  const paths = asked.map(({ path }) => BASE + path);
  assert.deepEqual(Object.keys(document.paths), [...paths, '/healthz', '/readyz', '/openapi.json', '/asyncapi.json']);
  for (const path of paths) assert.deepEqual(document.paths[path].post.security, [{ ApiKey: [] }]);
  assert.deepEqual(document.components.securitySchemes.ApiKey, { type: 'apiKey', in: 'header', name: 'X-Api-Key' });
  assert.deepEqual(document.paths['/healthz'].get.security, []);
});

test('a server that asks for no key says so', () => {
  const open = JSON.parse(JSON.stringify(openApiDocument(service.dex, { hasKeys: false })));
  assert.equal(open.components.securitySchemes, undefined);
  assert.deepEqual(open.paths[`${BASE}/prices/get-price`].post.security, []);
  assert.equal(open.paths[`${BASE}/prices/get-price`].post.responses[401], undefined);
});

/** The answer with an undescribed field, and without its first described one: neither may fit. */
function strayed(answer: unknown): unknown[] {
  const changes = [
    (item: object) => ({ ...item, stray: 1 }),
    (item: object) => Object.fromEntries(Object.entries(item).slice(1)),
  ];
  return changes.map((change) => {
    const copy = structuredClone(answer) as { data?: object[] } | object[];
    const list = Array.isArray(copy) ? copy : copy.data;
    if (list === undefined) return change(copy);
    list[0] = change(list[0]!);
    return copy;
  });
}

const answered: readonly (readonly [path: string, body: object])[] = [
  ['/profiles/tokens/search-profiles', {}],
  [
    '/profiles/tokens/search-profiles',
    {
      query: { text: 'tee', fields: ['metadata.name'], autocomplete: true, fuzzy: true },
      filter: {
        'market.price': { $gt: 1, $lte: 5 },
        $or: [{ labels: 'hot' }, { $not: { 'metadata.verified': false } }],
      },
      sort: [{ field: 'metrics.1d.volume', direction: 'asc' }, { field: 'market.price' }],
      dynamic_labels: { dear: { 'market.price': { $in: [4, null] } } },
      options: { include_market: true, include_metrics: ['1d'] },
      limit: 1,
    },
  ],
  [
    '/profiles/tokens/search-profiles',
    {
      query: { text: 'tee' },
      filter: { $and: [{ 'market.price': { $gt: 1 } }, { $nor: [{ labels: { $all: ['hot', 'new'] } }] }] },
      dynamic_labels: { dear: { 'metadata.name': { $contains: 'nobody' } } },
      explain: true,
    },
  ],
  [
    '/profiles/wallets/search-profiles',
    { filter: { 'metrics.7d.cumulative_pnl': { $nin: [null, 5] }, labels: { $ne: 'of-the-registry' } }, explain: true },
  ],
  ['/profiles/tokens/get-profile', { token: T }],
  ['/profiles/tokens/get-profile', { token: U, options: {} }],
  ['/profiles/wallets/search-profiles', { limit: 1, sort: { field: 'metrics.7d.pnl', direction: 'desc' } }],
  ['/profiles/wallets/get-profile', { wallet: ANN }],
  ['/profiles/positions/get-profile', { wallet: ANN, token: T }],
  [
    '/profiles/positions/search-profiles',
    {
      filter: { wallet_address: ANN, labels: { $nin: ['bagholder'] } },
      sort: { field: 'holding.value' },
      explain: true,
    },
  ],
  ['/profiles/wallets/get-profile', { wallet: ANN, options: { include_labels: true, include_metadata: false } }],
  ['/swaps/get-swaps', {}],
  ['/swaps/get-swaps', { wallet: ANN, token: T, limit: 100 }],
  ['/trades/get-trades', { limit: 1 }],
  ['/prices/get-price', { tokens: [T] }],
  ['/prices/get-price-stats', { tokens: [T, U] }],
  ['/prices/get-price-candles', { token: T, interval: 60, from: at(0), to: at(3600), fill: true }],
  ['/prices/get-price-candles', { token: T, interval: 2_592_000, count: 5000 }],
  ['/prices/get-price-history', { tokens: [T], interval: 600, from: at(0), to: '2024-01-05T03:00:00+01:00' }],
  ['/profiles/wallets/get-history', { wallet: ANN, interval: 600, from: at(0), to: at(9000) }],
  ['/profiles/tokens/get-history', { token: T, interval: 600, metrics: ['price', 'volume'] }],
  ['/profiles/wallets/simulate', { wallet: ANN, size: 50, slots: 1, fee: { percent: 1 }, limit: 20, explain: true }],
  ['/portfolios/get-portfolio', { wallet: ANN }],
];
for (const [path, body] of answered) {
  test(`a request that is served fits the document, and so does its answer: ${path} ${JSON.stringify(body)}`, async () => {
    const { status, json } = await service.post(path, body);
    assert.equal(status, 200);
    assert.equal(faults(body, requestAt(path)), '');
    assert.equal(faults(json, answerAt(path)), '');
    for (const changed of strayed(json)) assert.notEqual(faults(changed, answerAt(path)), '');
  });
}

const refused: readonly (readonly [path: string, body: unknown])[] = [
  ['/swaps/get-swaps', { limit: 0 }],
  ['/swaps/get-swaps', { limit: 101 }],
  ['/swaps/get-swaps', { limit: 1.5 }],
  ['/swaps/get-swaps', { limit: '20' }],
  ['/swaps/get-swaps', { limt: 1 }],
  ['/swaps/get-swaps', []],
  ['/prices/get-price', {}],
  ['/prices/get-price', { tokens: [] }],
  ['/prices/get-price', { tokens: Array(1001).fill(T) }],
  ['/prices/get-price-history', { tokens: Array(101).fill(T), interval: 60, from: at(0) }],
  ['/profiles/wallets/get-history', { wallet: ANN }],
  ['/profiles/tokens/get-history', { token: T, interval: 60, metrics: ['equity'] }],
  ['/prices/get-price-candles', { token: T, interval: 0 }],
  ['/prices/get-price-candles', { token: T, interval: 60, from: 'yesterday' }],
  ['/prices/get-price-candles', { token: T, interval: 60, count: 5001 }],
  ['/profiles/tokens/get-profile', { token: T, options: { include_metrics: ['30d'] } }],
  ['/profiles/wallets/get-profile', { wallet: ANN, options: { include_market: true } }],
  ['/profiles/tokens/search-profiles', { query: { text: '' } }],
  ['/profiles/tokens/search-profiles', { sort: { field: 'market.price', direction: 'up' } }],
  ['/profiles/tokens/search-profiles', { sort: [] }],
  ['/profiles/tokens/search-profiles', { filter: { $or: [] } }],
  ['/profiles/tokens/search-profiles', { filter: [] }],
  ['/profiles/tokens/search-profiles', { filter: { 'market.pric': 1 } }],
  ['/profiles/tokens/search-profiles', { filter: { 'market.price': {} } }],
  ['/profiles/tokens/search-profiles', { filter: { 'market.price': { $contains: 'x' } } }],
  ['/profiles/tokens/search-profiles', { filter: { $not: { 'market.price': '5' } } }],
  ['/profiles/tokens/search-profiles', { filter: { wallet_address: ANN } }],
  ['/profiles/tokens/search-profiles', { sort: { field: 'metadata.verified' } }],
  ['/profiles/wallets/search-profiles', { query: { text: 'ann', fields: ['metadata.symbol'] } }],
  ['/profiles/wallets/search-profiles', { dynamic_labels: { dear: { 'market.price': 1 } } }],
];
for (const [path, body] of refused) {
  test(`a request that is refused does not fit the document: ${path} ${JSON.stringify(body).slice(0, 60)}`, async () => {
    assert.equal((await service.post(path, body)).status, 400);
    assert.notEqual(faults(body, requestAt(path)), '');
  });
}

/** The properties of a request's schema, and of the objects in them. */
function propertiesOf(schema: object, path: string): [path: string, property: object][] {
  const { properties = {}, anyOf = [], items } = described.resolved(schema);
  return [
    ...Object.entries<object>(properties).flatMap(([name, property]): [string, object][] =>
      // The paths of a filter share the schemas of their types; a group of filters holds filters.
      /^(?:\$|.*\.)/.test(name) ? [] : [[`${path}.${name}`, property], ...propertiesOf(property, `${path}.${name}`)],
    ),
    ...anyOf.flatMap((part: object) => propertiesOf(part, path)),
    ...(items === undefined ? [] : propertiesOf(items, path)),
  ];
}

for (const { name, path, summary } of asked) {
  test(`${name} and all that its request may hold have a description and an example`, () => {
    const { description, requestBody } = document.paths[BASE + path].post;
    assert.ok(description.length > summary.length, description);
    const { schema, example } = requestBody.content['application/json'];
    assert.equal(faults(example, requestAt(path)), '');
    const properties = propertiesOf(schema, name);
    assert.ok(properties.length > 0);
    for (const [at, property] of properties) {
      const { description: meaning, examples = [] } = described.resolved(property);
      assert.ok(meaning && examples.length > 0, at);
    }
  });
}

test('the example of every operation is answered, on every format of addresses', async () => {
  for (const config of [{}, { preset: 'ethereum' }, { address_format: 'any' }] as const) {
    const dex = await Swapfold.open({ storage: memory(), config });
    await dex.refresh();
    for (const { name, example } of asked) {
      const answer = dex.call(name, example(dex.config));
      if (/\.(get|explain)$/.test(name) && name !== 'portfolios.get')
        await assert.rejects(answer, { code: 'not-found' });
      else await answer;
    }
    await dex.close();
  }
});

test('counts are whole numbers that are never null, means a day are not', () => {
  const { TokenMetrics, WalletMetrics, TokenProfile } = document.components.schemas;
  assert.equal(TokenMetrics.properties.makers_count.type, 'integer');
  assert.equal(WalletMetrics.properties.token_roi_distribution.properties.gt_500.type, 'integer');
  assert.deepEqual(WalletMetrics.properties.avg_daily_trade_count.type, ['number', 'null']);
  assert.equal(TokenProfile.properties.market.properties.holders.type, 'integer');
});

test('labels are those of the interface and of the rules; the registry may give wallets others', async () => {
  const rule = { label: 'of-ours', rule: 'ours', filter: { 'market.price': { $gt: 1 } } };
  const dex = await Swapfold.open({ storage: memory(), config: { labels: { tokens: [rule] } } });
  const { TokenLabel, WalletLabel } = JSON.parse(JSON.stringify(openApiDocument(dex))).components.schemas;
  await dex.close();
  assert.deepEqual(TokenLabel.enum, ['trending', 'hot', 'new', 'popular', 'of-ours']);
  assert.equal(WalletLabel.anyOf[0].enum[0], 'kol');
  assert.match('from-the-registry', new RegExp(WalletLabel.anyOf[1].pattern));
});

test("an embedder's metric is in the document, with its sentence and formula", async () => {
  const metric = defineMetric({
    name: 'luck',
    of: ['wallets'],
    unit: 'ratio',
    sentence: 'How lucky the wallet is.',
    formula: 'wins / coins',
    empty: null,
    value: () => null,
    examples: [],
    source: 'test',
  });
  const dex = await Swapfold.open({ storage: memory(), metrics: [metric], config: { api_keys: [KEY] } });
  const own = JSON.parse(JSON.stringify(openApiDocument(dex)));
  const { luck } = own.components.schemas.WalletMetrics.properties;
  assert.deepEqual(luck, {
    type: ['number', 'null'],
    description: 'How lucky the wallet is. Formula: wins / coins. Unit: ratio.',
  });
  assert.equal(own.components.schemas.TokenMetrics.properties.luck, undefined);
  await dex.close();
});

for (const preset of ['solana', 'ethereum', 'tron', 'sui'] as const)
  test(`${preset}: the examples of what is pushed are taken as they stand`, async () => {
    const dex = await Swapfold.open({ storage: memory(), config: { preset } });
    for (const { name, example, write } of operations) {
      if (write?.takesRows !== true) continue;
      const answer = await write.run(dex, example(dex.config), { maxAhead: 1e9 });
      assert.equal((answer as { rejected: number }).rejected, 0, `${name}: ${JSON.stringify(answer)}`);
    }
    await dex.close();
  });
