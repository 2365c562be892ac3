import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { SwapfoldError } from '@swapfold/core';
import { ANN, at, type Service, startService, strangers, T } from './service.ts';

let service: Service;
before(async () => {
  service = await startService();
});
after(() => service.close());

interface Refused {
  readonly because: string;
  readonly body: unknown;
  /** `path` of the first detail. */
  readonly field: string;
  readonly says: RegExp;
  readonly code?: string;
}

const address = /expected an address \(base58, 32 to 44 characters\), received/;

function addressFaults(field: string): Refused[] {
  return [
    { because: `${field} that is a number`, body: { [field]: 5 }, field, says: address },
    { because: `${field} that is null`, body: { [field]: null }, field, says: address },
    { because: `${field} that is a list`, body: { [field]: [T] }, field, says: address },
    { because: `${field} that is empty`, body: { [field]: '' }, field, says: address },
    { because: `${field} of 31 characters`, body: { [field]: 'A'.repeat(31) }, field, says: address },
    { because: `${field} of 45 characters`, body: { [field]: 'A'.repeat(45) }, field, says: address },
    { because: `${field} with a 0, which base58 lacks`, body: { [field]: '0'.repeat(44) }, field, says: address },
    { because: `${field} of another chain`, body: { [field]: `0x${'a'.repeat(40)}` }, field, says: address },
    { because: `${field} with a space around it`, body: { [field]: ` ${'A'.repeat(40)}` }, field, says: address },
  ];
}

function pageFaults(): Refused[] {
  const says = (received: string) => new RegExp(`expected a whole number from 1 to 100, received ${received}`);
  return [
    { because: 'limit 0', body: { limit: 0 }, field: 'limit', says: says('0') },
    { because: 'limit 101', body: { limit: 101 }, field: 'limit', says: says('101') },
    { because: 'limit -1', body: { limit: -1 }, field: 'limit', says: says('-1') },
    { because: 'limit 1.5', body: { limit: 1.5 }, field: 'limit', says: says('1.5') },
    { because: 'limit as a text', body: { limit: '20' }, field: 'limit', says: says('"20"') },
    { because: 'limit null', body: { limit: null }, field: 'limit', says: says('null') },
    { because: 'limit true', body: { limit: true }, field: 'limit', says: says('true') },
    { because: 'a cursor that is a number', body: { cursor: 1 }, field: 'cursor', says: /expected string, received 1/ },
    {
      because: 'a cursor of no response',
      body: { cursor: 'abc' },
      field: 'cursor',
      says: /damaged/,
      code: 'invalid-cursor',
    },
    { because: 'an empty cursor', body: { cursor: '' }, field: 'cursor', says: /damaged/, code: 'invalid-cursor' },
    {
      because: 'a cursor too long for one',
      body: { cursor: 'a'.repeat(8193) },
      field: 'cursor',
      says: /longer than any/,
    },
    {
      because: 'an unknown field, with the nearest known one',
      body: { limt: 1 },
      field: 'limt',
      says: /^Unknown field "limt"\. Did you mean "limit"\? Known: (wallet, token|query, filter)/,
      code: 'unknown-field',
    },
  ];
}

function tokensFaults(most: number, rest: object = {}): Refused[] {
  const list = new RegExp(`expected an array of 1 to ${most} addresses, received`);
  return [
    { because: 'no tokens', body: { ...rest }, field: 'tokens', says: /"tokens": is required/ },
    { because: 'tokens that are one text', body: { tokens: T, ...rest }, field: 'tokens', says: list },
    { because: 'tokens null', body: { tokens: null, ...rest }, field: 'tokens', says: list },
    { because: 'tokens as an object', body: { tokens: { 0: T }, ...rest }, field: 'tokens', says: list },
    { because: 'an empty list', body: { tokens: [], ...rest }, field: 'tokens', says: /received none/ },
    {
      because: `${most + 1} tokens`,
      body: { tokens: strangers(most + 1), ...rest },
      field: 'tokens',
      says: new RegExp(`expected 1 to ${most} addresses, received ${most + 1}`),
    },
    {
      because: `${most + 1} times the same token`,
      body: { tokens: Array(most + 1).fill(T), ...rest },
      field: 'tokens',
      says: new RegExp(`received ${most + 1}`),
    },
    { because: 'a token that is no address', body: { tokens: [T, 'x'], ...rest }, field: 'tokens.1', says: address },
    { because: 'a token that is null', body: { tokens: [null], ...rest }, field: 'tokens.0', says: address },
  ];
}

function timeFaults(field: string, rest: object): Refused[] {
  const says = /expected an RFC 3339 time such as "2024-01-05T00:00:00Z", received/;
  const texts = [
    '',
    'yesterday',
    '2024-01-05',
    '2024-01-05T00:00:00',
    '2024-02-30T00:00:00Z',
    '2024-01-05T24:00:00Z',
    '1704412800',
  ];
  return [
    ...texts.map(
      (text): Refused => ({
        because: `${field} ${JSON.stringify(text)}`,
        body: { ...rest, [field]: text },
        field,
        says,
      }),
    ),
    { because: `${field} in Unix seconds`, body: { ...rest, [field]: 1_704_412_800 }, field, says },
    { because: `${field} null`, body: { ...rest, [field]: null }, field, says },
  ];
}

function intervalFaults(rest: object): Refused[] {
  const says = /expected a whole number from 1 to 2592000, received/;
  return [
    { because: 'no interval', body: rest, field: 'interval', says: /"interval": is required/ },
    ...[0, -60, 0.5, 2_592_001, '60', null].map(
      (interval): Refused => ({
        because: `interval ${JSON.stringify(interval)}`,
        body: { ...rest, interval },
        field: 'interval',
        says,
      }),
    ),
  ];
}

function optionsFaults(rest: object, windows: string, absentFlag?: string): Refused[] {
  const of = (options: unknown) => ({ ...rest, options });
  return [
    { because: 'options null', body: of(null), field: 'options', says: /expected an object, received null/ },
    { because: 'options that are a list', body: of([]), field: 'options', says: /expected an object, received \[\]/ },
    {
      because: 'a flag that is a text',
      body: of({ include_metadata: 'yes' }),
      field: 'options.include_metadata',
      says: /expected boolean, received "yes"/,
    },
    {
      because: 'windows that are one text',
      body: of({ include_metrics: '7d' }),
      field: 'options.include_metrics',
      says: /expected an array of at most \d of .*7d.*, received "7d"/,
    },
    {
      because: 'an unknown window',
      body: of({ include_metrics: ['7d', '2d'] }),
      field: 'options.include_metrics.1',
      says: new RegExp(`expected one of ${windows}, received "2d"`),
    },
    {
      because: 'an unknown option, with the nearest known one',
      body: of({ include_metric: ['7d'] }),
      field: 'options.include_metric',
      says: /^Unknown field "include_metric" in options\. Did you mean "include_metrics"\? Known: include_metadata, /,
      code: 'unknown-field',
    },
    ...(absentFlag === undefined
      ? []
      : [
          {
            because: `${absentFlag}, which these profiles do not have`,
            body: of({ [absentFlag]: true }),
            field: `options.${absentFlag}`,
            says: /^Unknown field/,
            code: 'unknown-field',
          },
        ]),
  ];
}

function searchFaults(): Refused[] {
  const unknown = (field: string, body: unknown, says: RegExp): Refused => ({
    because: `an unknown ${field}`,
    body,
    field,
    says,
    code: 'unknown-field',
  });
  return [
    {
      because: 'filters for filter',
      body: { filters: {} },
      field: 'filters',
      says: /Did you mean "filter"\?/,
      code: 'unknown-field',
    },
    {
      because: 'a filter that is a list',
      body: { filter: [] },
      field: 'filter',
      says: /an array of 0/,
      code: 'invalid-filter',
    },
    unknown(
      'filter.metrics.7d.voume',
      { filter: { 'metrics.7d.voume': { $gt: 1 } } },
      /Did you mean "metrics.7d.volume"\?/,
    ),
    {
      because: 'an unknown operator',
      body: { filter: { 'metrics.7d.volume': { $above: 1 } } },
      field: 'filter.metrics.7d.volume.$above',
      says: /Unknown operator "\$above".*\$gt/,
      code: 'unknown-operator',
    },
    {
      because: 'an empty $or',
      body: { filter: { $or: [] } },
      field: 'filter.$or',
      says: /\$or/,
      code: 'invalid-filter',
    },
    unknown('sort.field', { sort: { field: 'metrics.7d.volme' } }, /Did you mean "metrics.7d.volume"\?/),
    {
      because: 'a direction that is none',
      body: { sort: { field: 'metrics.7d.volume', direction: 'up' } },
      field: 'sort.direction',
      says: /"asc" or "desc", not "up"/,
    },
    { because: 'a query without text', body: { query: {} }, field: 'query.text', says: /1 to 200 characters/ },
    {
      because: 'a query text of 201 characters',
      body: { query: { text: 'a'.repeat(201) } },
      field: 'query.text',
      says: /1 to 200/,
    },
    { because: 'a query that is a text', body: { query: 'bonk' }, field: 'query', says: /\{"text": "bonk"\}/ },
    unknown('query.fields.0', { query: { text: 'a', fields: ['metadata.nam'] } }, /Did you mean "metadata.name"\?/),
    {
      because: 'dynamic labels that are a list',
      body: { dynamic_labels: [] },
      field: 'dynamic_labels',
      says: /an object of filters/,
    },
    {
      because: '17 dynamic labels',
      body: { dynamic_labels: Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`label${i}`, {}])) },
      field: 'dynamic_labels',
      says: /17 labels; at most 16/,
    },
  ];
}

const bodyFaults: readonly Refused[] = [
  { because: 'a list for a body', body: [], field: '', says: /must be a JSON object, not \[\]/ },
  { because: 'null for a body', body: 'null', field: '', says: /must be a JSON object, not null/ },
  { because: 'a number for a body', body: '1', field: '', says: /must be a JSON object, not 1/ },
  { because: 'a text for a body', body: '"x"', field: '', says: /must be a JSON object, not "x"/ },
  {
    because: 'a __proto__ of its own',
    body: '{"__proto__": {"limit": 1}}',
    field: '__proto__',
    says: /^Unknown field "__proto__"/,
    code: 'unknown-field',
  },
  {
    because: 'the name of a built-in property',
    body: '{"toString": 1}',
    field: 'toString',
    says: /^Unknown field "toString"/,
    code: 'unknown-field',
  },
];

const candles = { token: T, interval: 60 };
const history = { tokens: [T], interval: 60, from: at(0) };

const tables: Readonly<Record<string, readonly Refused[]>> = {
  '/profiles/tokens/search-profiles': [
    ...pageFaults(),
    ...searchFaults(),
    ...optionsFaults({}, '7d, 1d, 6h, 1h, 5m, 1m'),
    ...bodyFaults,
  ],
  '/profiles/tokens/get-profile': [
    { because: 'no token', body: {}, field: 'token', says: /"token": is required/ },
    ...addressFaults('token'),
    ...optionsFaults({ token: T }, '7d, 1d, 6h, 1h, 5m, 1m'),
  ],
  '/profiles/wallets/search-profiles': [
    ...pageFaults(),
    ...searchFaults(),
    ...optionsFaults({}, '30d, 14d, 7d, 3d, 1d', 'include_market'),
  ],
  '/profiles/wallets/get-profile': [
    { because: 'no wallet', body: {}, field: 'wallet', says: /"wallet": is required/ },
    ...addressFaults('wallet'),
    ...optionsFaults({ wallet: ANN }, '30d, 14d, 7d, 3d, 1d', 'include_market'),
  ],
  '/swaps/get-swaps': [...pageFaults(), ...addressFaults('wallet'), ...addressFaults('token'), ...bodyFaults],
  '/trades/get-trades': [...pageFaults(), ...addressFaults('wallet'), ...addressFaults('token')],
  '/prices/get-price': tokensFaults(1000),
  '/prices/get-price-stats': tokensFaults(1000),
  '/prices/get-price-candles': [
    { because: 'no token', body: { interval: 60 }, field: 'token', says: /"token": is required/ },
    ...addressFaults('token').map((row) => ({ ...row, body: { interval: 60, ...(row.body as object) } })),
    ...intervalFaults({ token: T }),
    ...timeFaults('from', candles),
    ...timeFaults('to', candles),
    ...[0, 5001, 1.5, '3', null].map(
      (count): Refused => ({
        because: `count ${JSON.stringify(count)}`,
        body: { ...candles, count },
        field: 'count',
        says: /expected a whole number from 1 to 5000, received/,
      }),
    ),
    { because: 'fill as a text', body: { ...candles, fill: 'yes' }, field: 'fill', says: /expected boolean/ },
    {
      because: 'from with count',
      body: { ...candles, from: at(0), count: 2 },
      field: 'count',
      says: /"from" and "count" exclude each other: send "from" and "to", or "count" and "to"/,
      code: 'invalid-range',
    },
    {
      because: 'from with count and to',
      body: { ...candles, from: at(0), to: at(60), count: 2 },
      field: 'count',
      says: /exclude each other/,
      code: 'invalid-range',
    },
    {
      because: 'from after to',
      body: { ...candles, from: at(60), to: at(0) },
      field: 'from',
      says: /"from" \(2024-01-05T00:01:00Z\) is after "to" \(2024-01-05T00:00:00Z\); swap them/,
      code: 'invalid-range',
    },
    {
      because: '5001 candles between from and to',
      body: { token: T, interval: 1, from: at(0), to: at(5001) },
      field: 'interval',
      says: /holds 5001 candles, the limit is 5000; use an interval of at least 2 seconds, or a range of at most 5000/,
      code: 'too-many-points',
    },
    {
      because: 'too many candles between from and now',
      body: { token: T, interval: 1, from: at(0) },
      field: 'interval',
      says: /holds 9001 candles/,
      code: 'too-many-points',
    },
  ],
  '/prices/get-price-history': [
    ...tokensFaults(100, { from: at(0), interval: 60 }),
    ...intervalFaults({ tokens: [T], from: at(0) }),
    { because: 'no from', body: { tokens: [T], interval: 60 }, field: 'from', says: /"from": is required/ },
    ...timeFaults('from', { tokens: [T], interval: 60 }),
    ...timeFaults('to', history),
    {
      because: 'from after to',
      body: { ...history, from: at(60), to: at(0) },
      field: 'from',
      says: /is after "to"/,
      code: 'invalid-range',
    },
    {
      because: '5001 points',
      body: { tokens: [T], interval: 1, from: at(0), to: at(5000) },
      field: 'interval',
      says: /5001 points .* limit of 5000 a token .* use an interval of at least 2 seconds/,
      code: 'too-many-points',
    },
    {
      because: '100,002 points on 21 tokens',
      body: { tokens: strangers(21), interval: 1, from: at(0), to: at(4761) },
      field: 'interval',
      says: /4762 points for each of 21 token.*100000 a request/,
      code: 'too-many-points',
    },
    {
      because: 'count, which only candles have',
      body: { ...history, count: 5 },
      field: 'count',
      says: /^Unknown field "count"/,
      code: 'unknown-field',
    },
  ],
  '/profiles/wallets/get-history': [
    { because: 'no wallet', body: { interval: 60 }, field: 'wallet', says: /"wallet": is required/ },
    ...addressFaults('wallet'),
    ...intervalFaults({ wallet: ANN }),
    ...timeFaults('from', { wallet: ANN, interval: 60 }),
    ...timeFaults('to', { wallet: ANN, interval: 60 }),
    {
      because: 'from after to',
      body: { wallet: ANN, interval: 60, from: at(60), to: at(0) },
      field: 'from',
      says: /is after "to"/,
      code: 'invalid-range',
    },
    {
      because: '5001 points',
      body: { wallet: ANN, interval: 1, from: at(0), to: at(5000) },
      field: 'interval',
      says: /^5001 points are over the limit of 5000; use an interval of at least 2 seconds/,
      code: 'too-many-points',
    },
    {
      because: 'too many points since the first trade',
      body: { wallet: ANN, interval: 1 },
      field: 'interval',
      says: /over the limit of 5000; use an interval of at least 2 seconds/,
      code: 'too-many-points',
    },
    {
      because: 'no metrics',
      body: { wallet: ANN, interval: 60, metrics: [] },
      field: 'metrics',
      says: /expected 1 to 13 of equity, .* received none/,
    },
    {
      because: 'a metric that points do not have',
      body: { wallet: ANN, interval: 60, metrics: ['pnl', 'volum'] },
      field: 'metrics.1',
      says: /expected one of equity, .* received "volum"; perhaps "volume"/,
    },
  ],
  '/profiles/tokens/get-history': [
    { because: 'no token', body: { interval: 60 }, field: 'token', says: /"token": is required/ },
    ...addressFaults('token'),
    ...intervalFaults({ token: T }),
    {
      because: '5001 points',
      body: { token: T, interval: 1, from: at(0), to: at(5000) },
      field: 'interval',
      says: /^5001 points/,
      code: 'too-many-points',
    },
    {
      because: 'a metric of wallets',
      body: { token: T, interval: 60, metrics: ['equity'] },
      field: 'metrics.0',
      says: /expected one of price, .* received "equity"/,
    },
  ],
  '/profiles/tokens/get-buyers': [
    { because: 'no token', body: {}, field: 'token', says: /"token": is required/ },
    ...addressFaults('token'),
    {
      because: 'a time before which that is none',
      body: { token: T, before: 1_700_000_000 },
      field: 'before',
      says: /"before": expected an RFC 3339 time .* received 1700000000/,
    },
    {
      because: '101 buyers a page',
      body: { token: T, limit: 101 },
      field: 'limit',
      says: /"limit": expected a whole number from 1 to 100, received 101/,
    },
  ],
  '/portfolios/get-portfolio': [
    { because: 'no wallet', body: {}, field: 'wallet', says: /"wallet": is required/ },
    ...addressFaults('wallet'),
    {
      because: 'a token, which it does not take',
      body: { wallet: ANN, token: T },
      field: 'token',
      says: /^Unknown field/,
      code: 'unknown-field',
    },
  ],
};

for (const [path, rows] of Object.entries(tables)) {
  for (const { because, body, field, says, code = 'invalid-request' } of rows) {
    test(`${path} refuses ${because}`, async () => {
      const { status, json } = await service.post(path, body);
      assert.equal(status, 400, JSON.stringify(json));
      assert.match(json.error, says);
      assert.match(json.error, /[.?]$/);
      // Callers have neither our pages nor our sources, and no `undefined`.
      assert.doesNotMatch(JSON.stringify(json.details), /docs\/|\.md\b|undefined/);
      assert.equal(json.code, code);
      assert.equal(json.details[0].path, field);
      assert.deepEqual(Object.keys(json), ['error', 'code', 'details', 'request_id']);
    });
  }
}

test('a request with several faults names each of them in details', async () => {
  const { json } = await service.post('/prices/get-price-candles', { interval: 0, count: 0, form: at(0) });
  // That neither a token nor a pool is named shows in no field alone: it is found after what is wrong with single fields.
  assert.deepEqual(
    json.details.map((detail: { path: string }) => detail.path),
    ['interval', 'count', 'form', 'token'],
  );
  assert.match(json.error, /\(and 3 more\)\.$/);
});

test('a refused call says the same in-process', async () => {
  const body = { limit: 0, walet: ANN };
  const { json } = await service.post('/trades/get-trades', body);
  await assert.rejects(service.dex.call('trades.list', body), (error) => {
    assert.ok(error instanceof SwapfoldError);
    assert.deepEqual([error.message, error.code, error.details], [json.error, json.code, json.details]);
    return true;
  });
});

const longLists: readonly (readonly [path: string, body: object, status: number, says: RegExp])[] = [
  ['/prices/get-price', { tokens: Array(29_000).fill(1) }, 400, /received 29000/],
  ['/profiles/tokens/search-profiles', { options: { include_metrics: Array(29_000).fill(1) } }, 400, /received 29000/],
  ['/prices/get-price', { tokens: Array(500_000).fill(1) }, 413, /over 65536 bytes/],
  // Too many to be parsed in one turn.
  [
    '/profiles/tokens/search-profiles',
    { options: { include_metrics: Array(500_000).fill(1) } },
    400,
    /holds more than 30000 values/,
  ],
];
for (const [path, body, status, says] of longLists)
  test(`a list that is much too long is refused in a short answer: ${path}, ${says}`, async () => {
    const answer = await service.post(path, body);
    assert.equal(answer.status, status);
    assert.match(answer.json.error, says);
    assert.ok(answer.text.length < 1000, `${answer.text.length} bytes`);
  });

test('a field name a megabyte long is not repeated in the answer', async () => {
  const { status, text } = await service.post('/swaps/get-swaps', { ['k'.repeat(1_000_000)]: 1 });
  assert.equal(status, 400);
  assert.ok(text.length < 1000, `${text.length} bytes`);
});
