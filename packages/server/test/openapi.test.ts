import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { defineMetric, memory, operations, Swapfold } from '@swapfold/core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { openApiDocument } from '../src/index.ts';
import { ANN, at, BASE, KEY, type Service, startService, T, U } from './service.ts';

let service: Service;
// biome-ignore lint/suspicious/noExplicitAny: a document of any shape, walked by the tests.
let document: any;
let ajv: Ajv2020;
before(async () => {
  service = await startService();
  document = (await service.request('/openapi.json')).json;
  ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(document, 'openapi');
});
after(() => service.close());

/** What is wrong with `value` by the schema at `pointer` of the document. */
function faults(value: unknown, pointer: readonly string[]): string {
  const path = pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
  const validate = ajv.getSchema(`openapi#/${path}`);
  assert.ok(validate, `no schema at ${path}`);
  return validate(value) ? '' : ajv.errorsText(validate.errors);
}

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
  const paths = operations.map(({ path }) => BASE + path);
  assert.deepEqual(Object.keys(document.paths), [...paths, '/healthz', '/readyz', '/openapi.json']);
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
  ['/profiles/tokens/get-profile', { token: T }],
  ['/profiles/tokens/get-profile', { token: U, options: {} }],
  ['/profiles/wallets/search-profiles', { limit: 1, sort: { field: 'metrics.7d.pnl', direction: 'desc' } }],
  ['/profiles/wallets/get-profile', { wallet: ANN }],
  ['/profiles/wallets/get-profile', { wallet: ANN, options: { include_labels: true, include_metadata: false } }],
  ['/swaps/get-swaps', {}],
  ['/swaps/get-swaps', { wallet: ANN, token: T, limit: 100 }],
  ['/trades/get-trades', { limit: 1 }],
  ['/prices/get-price', { tokens: [T] }],
  ['/prices/get-price-stats', { tokens: [T, U] }],
  ['/prices/get-price-candles', { token: T, interval: 60, from: at(0), to: at(3600), fill: true }],
  ['/prices/get-price-candles', { token: T, interval: 2_592_000, count: 5000 }],
  ['/prices/get-price-history', { tokens: [T], interval: 600, from: at(0), to: '2024-01-05T03:00:00+01:00' }],
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
];
for (const [path, body] of refused) {
  test(`a request that is refused does not fit the document: ${path} ${JSON.stringify(body).slice(0, 60)}`, async () => {
    assert.equal((await service.post(path, body)).status, 400);
    assert.notEqual(faults(body, requestAt(path)), '');
  });
}

test('errors have the body that the document says, at a status that it lists', async () => {
  const answers = [
    await service.post('/prices/get-price', {}),
    await service.post('/prices/get-price', '{'),
    await service.post('/prices/get-price', {}, { 'x-api-key': 'wrong' }),
    await service.post('/prices/get-price', {}, { 'content-type': 'text/plain' }),
    await service.post('/prices/get-price', ' '.repeat(1024 * 1024 + 1)),
  ];
  const { responses } = document.paths[`${BASE}/prices/get-price`].post;
  for (const { status, json } of answers) {
    assert.ok(String(status) in responses, String(status));
    assert.equal(faults(json, ['components', 'schemas', 'Error']), '');
  }
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
