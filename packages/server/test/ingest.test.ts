import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { memory, Swapfold, type SwapInput } from '@swapfold/core';
import { createHandler } from '../src/index.ts';
import { ANN, BOB, KEY, type Service, START, startService, swaps, T, USDC } from './service.ts';

const PUSH = 'key-that-may-push';
const ALL = 'key-that-may-all-of-it';
const keys = [
  KEY,
  { key: PUSH, operations: ['ingest'] },
  { key: ALL, operations: ['ingest', 'ingest.rollback', 'ingest.refresh', 'swaps.list'], name: 'indexer' },
];
const BASE = '/v1/solana/ingest';

let count = 0;
const swap = (given: Partial<SwapInput> = {}): SwapInput => ({
  tx_hash: `pushed${++count}`,
  swap_index: 0,
  block_time: START + 20_000 + count,
  block_slot: 100_000 + count,
  wallet: ANN,
  token_in: USDC,
  token_amount_in: 40,
  token_out: T,
  token_amount_out: 10,
  ...given,
});

async function withService(
  use: (service: Service) => Promise<void>,
  options: Parameters<typeof startService>[0] = {},
): Promise<void> {
  const service = await startService({ keys, ingest: true, ...options });
  try {
    await use(service);
  } finally {
    await service.close();
  }
}

type Sent = string | Uint8Array | object;

function push(service: Service, path: string, body: Sent, headers: Record<string, string> = {}) {
  return service.request(BASE + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': ALL, ...headers },
    body: typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
  });
}

test('swaps come in as an array, as NDJSON, and by gzip; a second time they are known', () =>
  withService(async (service) => {
    const rows = [swap(), swap({ token_amount_in: 0.5 }), swap({ protocol: 'ö, "[{' })];
    const lines = rows.map((row) => JSON.stringify(row)).join('\n');
    const as_of = START + 20_003;
    const first = await push(service, '/swaps', rows);
    assert.deepEqual(first.json, {
      added: 3,
      duplicate: 0,
      conflicting: 0,
      rejected: 0,
      rows: [],
      unknown_fields: [],
      as_of,
    });
    const known = { added: 0, duplicate: 3, conflicting: 0, rejected: 0, rows: [], unknown_fields: [], as_of };
    const ndjson = { 'content-type': 'application/x-ndjson' };
    for (const [body, headers] of [
      [lines, ndjson],
      [`\ufeff${lines.replaceAll('\n', '\r\n\r\n')}\n`, ndjson],
      [gzipSync(lines), { ...ndjson, 'content-encoding': 'gzip' }],
      [gzipSync(JSON.stringify(rows, null, 2)), { 'content-encoding': 'gzip' }],
      [lines, { 'content-type': 'application/json; charset=utf-8' }],
    ] as const) {
      const { status, json } = await push(service, '/swaps', body, headers);
      assert.deepEqual([status, json], [200, known]);
    }
    assert.deepEqual((await push(service, '/swaps', [])).json, { ...known, duplicate: 0 });
    const { data } = await service.dex.swaps.list({ limit: 1 });
    assert.equal(data[0]?.protocol, 'ö, "[{');
  }));

test('fields that no swap has are named, with the field that may be meant; their rows are stored without them', () =>
  withService(async (service) => {
    const misspelt = { ...swap(), usd_amout_in: 40, block_slot: undefined, blok_slot: 7 };
    const { status, json } = await push(service, '/swaps', [misspelt, { ...swap(), usd_amout_in: 41 }, swap()]);
    assert.equal(status, 200);
    assert.deepEqual([json.added, json.rejected], [3, 0]);
    assert.deepEqual(json.unknown_fields, [
      { field: 'usd_amout_in', rows: 2, nearest: 'usd_amount_in' },
      { field: 'blok_slot', rows: 1, nearest: 'block_slot' },
    ]);
  }));

test('rows at fault are answered by their place, field and reason, the first hundred; the others are stored', () =>
  withService(async (service) => {
    const conflicting = { ...swaps[0]!, token_amount_in: 1 };
    const late = swap({ block_time: Math.floor(Date.now() / 1000) + 3600 });
    const { json } = await push(service, '/swaps', [swap(), swap({ wallet: '0' }), 7, conflicting, late]);
    assert.deepEqual([json.added, json.rejected, json.conflicting], [1, 3, 1]);
    assert.deepEqual(
      json.rows.map((row: { row: number; field: string }) => [row.row, row.field]),
      [
        [1, 'wallet'],
        [2, 'tx_hash'],
        [3, 'tx_hash'],
        [4, 'block_time'],
      ],
    );
    const many = await service.client(ALL).ingest.swaps(Array.from({ length: 250 }, () => ({}) as SwapInput));
    assert.deepEqual([many.rejected, many.rows.length], [250, 100]);
  }));

test('a time more than maxAhead past the clock is rejected, one within it is stored', () =>
  withService(
    async (service) => {
      const now = Math.floor(Date.now() / 1000);
      const { json } = await push(service, '/swaps', [swap({ block_time: now + 90 }), swap({ block_time: now + 900 })]);
      assert.deepEqual([json.added, json.rejected], [1, 1]);
      assert.match(json.rows[0].reason, /must be at most .*, the time of now and what may be ahead of it, not /);
    },
    { maxAhead: 100 },
  ));

test('registry rows, a rollback and a refresh', () =>
  withService(async (service) => {
    const { ingest, tokens } = service.client(ALL);
    const { upserted, rejected, rows } = await ingest.tokens([
      { address: T, symbol: 'TEA' },
      { address: T, decimals: -1 },
      { address: T, decimals: 6.5 },
      { address: T, decimals: 1e30 },
    ]);
    assert.deepEqual(
      [upserted, rejected, rows],
      [
        1,
        3,
        [
          { row: 1, field: 'decimals', reason: 'expected a number from 0' },
          { row: 2, field: 'decimals', reason: 'expected a whole number' },
          { row: 3, field: 'decimals', reason: 'expected a number up to 255' },
        ],
      ],
    );
    const wallets = await push(service, '/wallets', `{"address":"${BOB}","name":"Bob"}`, {
      'content-type': 'application/x-ndjson',
    });
    assert.equal(wallets.json.upserted, 1);
    const fields = ['as_of', 'positions', 'tokens', 'wallets'];
    assert.deepEqual(Object.keys(await ingest.refresh({ scope: 'traded' })).sort(), fields);
    await assert.rejects(tokens.get({ token: T }), { code: 'forbidden' });
    assert.equal((await service.client().tokens.get({ token: T })).metadata?.symbol, 'TEA');
    assert.equal((await push(service, '/refresh', '')).status, 200);
    const rolled = await ingest.rollback({ from_block_slot: 1003 });
    assert.deepEqual(rolled, { swaps: 23, transactions: 23, as_of: START + 60 });
  }));

test('what a key may push is what its operations say; a key without operations asks everything and pushes nothing', () =>
  withService(async (service) => {
    const cases: readonly (readonly [key: string | undefined, path: string, body: Sent, status: number])[] = [
      [undefined, '/swaps', [], 401],
      ['another-key', '/swaps', [], 401],
      [KEY, '/swaps', [], 403],
      [KEY, '/tokens', [], 403],
      [KEY, '/refresh', {}, 403],
      [PUSH, '/swaps', [], 200],
      [PUSH, '/tokens', [], 200],
      [PUSH, '/wallets', [], 200],
      [PUSH, '/rollback', { from_block_slot: 1e9 }, 403],
      [PUSH, '/refresh', {}, 403],
      [ALL, '/rollback', { from_block_slot: 1e9 }, 200],
    ];
    for (const [key, path, body, status] of cases) {
      const { 'x-api-key': _, ...bare } = { 'x-api-key': '' };
      const answer = await service.request(BASE + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(key === undefined ? bare : { 'x-api-key': key }) },
        body: JSON.stringify(body),
      });
      assert.equal(answer.status, status, `${key} ${path}: ${answer.text}`);
      if (status === 403) assert.match(answer.json.error, /takes a key whose "operations" name "ingest\./);
    }
    assert.equal((await service.post('/swaps/get-swaps', {}, { 'x-api-key': PUSH })).status, 403);
  }));

test('bodies that cannot be read are refused with their codes, and store nothing', () =>
  withService(async (service) => {
    const row = JSON.stringify(swap());
    const ndjson = { 'content-type': 'application/x-ndjson' };
    const gzip = { 'content-encoding': 'gzip' };
    const cases: readonly (readonly [Sent, Record<string, string>, number, string, RegExp])[] = [
      ['5', {}, 400, 'invalid-json', /Expected a JSON array of rows, or NDJSON/],
      [`[${row}, ${row},]`, {}, 400, 'invalid-json', /a row is missing before or after a comma/],
      [`[,${row}]`, {}, 400, 'invalid-json', /a row is missing/],
      [`[${row}`, {}, 400, 'invalid-json', /the list ends too early/],
      [`[${row}] 1`, {}, 400, 'invalid-json', /something follows/],
      [`[${row}, {"a" 1}]`, {}, 400, 'invalid-json', /Row 1 is not JSON: unexpected "1" at line 1, column/],
      [`${row}\n{"a`, ndjson, 400, 'invalid-json', /Row 1 is not JSON: it ends too early/],
      [`[{"a": ${'['.repeat(100)}1${']'.repeat(100)}}]`, {}, 400, 'invalid-json', /deeper than 64 levels/],
      [`[{"a": "${'x'.repeat(70_000)}"}]`, {}, 400, 'invalid-request', /Row 0 is over 65536 bytes/],
      [Buffer.from([0x7b, 0xff, 0x7d]), {}, 400, 'invalid-json', /not UTF-8/],
      ['not gzip', gzip, 400, 'invalid-request', /not gzip/],
      [gzipSync(`[${row}]`).subarray(0, 40), gzip, 400, 'invalid-request', /cut short/],
      [row, { 'content-type': 'text/csv' }, 415, 'unsupported-media-type', /application\/x-ndjson, not "text\/csv"/],
      [row, { 'content-encoding': 'br' }, 415, 'unsupported-media-type', /as it is, or by gzip/],
      [`[${'{},'.repeat(100_000)}{}]`, {}, 413, 'body-too-large', /more than 100000 rows/],
      [new Uint8Array(16 * 1024 * 1024 + 1), {}, 413, 'body-too-large', /over 16777216 bytes/],
      [gzipSync(Buffer.alloc(129 * 1024 * 1024, ' ')), gzip, 413, 'body-too-large', /unpacks to more than 134217728/],
    ];
    for (const [body, headers, status, code, message] of cases) {
      const { json, ...answer } = await push(service, '/swaps', body, headers);
      assert.deepEqual([answer.status, json.code], [status, code], JSON.stringify(json));
      assert.match(json.error, message);
    }
    for (const [path, body, message] of [
      ['/rollback', {}, /"from_block_slot": is required/],
      ['/rollback', { from_slot: 1 }, /from_block_slot/],
      ['/rollback', { from_block_slot: 1.5 }, /expected a whole number from 0/],
      ['/refresh', { scope: 'some' }, /expected "traded" or "all"/],
    ] as const) {
      const { status, json } = await push(service, path, body);
      assert.deepEqual([status, json.code !== 'internal'], [400, true], JSON.stringify(json));
      assert.match(json.error, message);
    }
    assert.equal((await service.dex.swaps.list()).count, swaps.length);
  }));

test('a body larger than the budget is 503 with Retry-After, and its bytes are given back', () =>
  withService(
    async (service) => {
      const rows = Array.from({ length: 300 }, () => swap());
      const { status, headers } = await push(service, '/swaps', rows);
      assert.deepEqual([status, headers.get('retry-after')], [503, '1']);
      for (let i = 0; i < 20; i++) assert.equal((await push(service, '/swaps', rows.slice(0, 100))).status, 200);
    },
    { limits: { pushBytes: 40_000 } },
  ));

test('bodies that unpack to gigabytes keep nobody from being answered', () =>
  withService(async (service) => {
    const piece = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));
    const order: string[] = [];
    // Two gigabytes of spaces, sent as two megabytes.
    const bomb = Buffer.concat(Array.from({ length: 32 }, () => piece));
    const bombs = Array.from({ length: 3 }, async () => {
      const { status } = await push(service, '/swaps', bomb, { 'content-encoding': 'gzip' });
      // Of several at once, the budget of all of them is used up first.
      order.push(status === 413 || status === 503 ? 'refused' : `answered ${status}`);
    });
    assert.equal((await service.client().prices.latest({ tokens: [T] })).length, 1);
    order.push('answered');
    await Promise.all(bombs);
    assert.deepEqual(order, ['answered', 'refused', 'refused', 'refused']);
  }));

test('who hangs up in the middle of a body stores nothing, and the server goes on', () =>
  withService(async (service) => {
    const { port } = new URL(service.url);
    const headers = { 'x-api-key': ALL, 'content-type': 'application/x-ndjson', 'content-length': '100000' };
    const request = httpRequest({ port, path: `${BASE}/swaps`, method: 'POST', headers });
    request.on('error', () => undefined);
    request.write(`${JSON.stringify(swap())}\n`, () => request.destroy());
    await new Promise((resolve) => request.on('close', resolve));
    const { json } = await push(service, '/swaps', [swap()]);
    assert.equal(json.added, 1);
    assert.equal((await service.dex.swaps.list()).count, swaps.length + 1);
  }));

test('without ingest there is no such route; with it, and no key that may push, the server does not start', async () => {
  const plain = await startService({ keys });
  assert.equal((await push(plain, '/swaps', [])).status, 404);
  assert.equal('/v1/solana/ingest/swaps' in (await plain.request('/openapi.json')).json.paths, false);
  await plain.close();
  const dex = await Swapfold.open({ storage: memory() });
  const message = /No key may push anything/;
  assert.throws(() => createHandler(dex, { ingest: true, keys: [KEY] }), message);
  assert.throws(() => createHandler(dex, { ingest: true, keys: 'none' }), message);
  assert.throws(() => createHandler(dex, { ingest: true }), message);
  assert.throws(() => createHandler(dex, { ingest: true, keys, maxAhead: -1 }), /"maxAhead": expected seconds from 0/);
  await dex.close();
});

test('what writes is no question: neither a call by name nor a route of another package runs it, whatever the key may', () =>
  withService(
    async ({ dex, request }) => {
      for (const name of ['ingest.swaps', '/ingest/swaps', 'ingest/swaps', 'swaps', 'ingest.refresh'])
        await assert.rejects(dex.call(name, []), { code: 'not-found' }, name);
      assert.equal('ingest' in dex.at(0), false);
      const headers = { 'content-type': 'application/json', 'x-api-key': ALL };
      const { status, json } = await request('/asking', { method: 'POST', headers, body: '{}' });
      assert.deepEqual([status, json.code], [404, 'not-found']);
    },
    {
      routes: [
        {
          path: '/asking',
          answer: async ({ store }) => ({
            status: 200,
            type: 'application/json',
            text: JSON.stringify(await store.call('ingest.refresh', {})),
          }),
        },
      ],
    },
  ));

test('transfers come in as an array and as NDJSON, with the permission of all rows or their own; faults are named by row', () =>
  withService(
    async (service) => {
      const rows = [
        { tx_hash: 'moved1', transfer_index: 0, block_time: START, token: T, token_amount: 3, from: ANN, to: BOB },
        { tx_hash: 'moved2', block_time: START + 1, token: T, token_amount: 1, to: BOB, cost_usd: 4 },
      ];
      const lines = [...rows, { ...rows[0], kind: 'loan' }, { ...rows[1], token_amount: -1, kindd: 'x' }];
      const { status, json } = await push(service, '/transfers', rows);
      const counts = { duplicate: 0, conflicting: 0, rejected: 0, rows: [], unknown_fields: [] };
      assert.deepEqual([status, { ...json, as_of: 0 }], [200, { added: 2, ...counts, as_of: 0 }]);
      const again = await push(service, '/transfers', lines.map((row) => JSON.stringify(row)).join('\n'), {
        'content-type': 'application/x-ndjson',
      });
      assert.deepEqual(
        { ...again.json, as_of: 0, rows: again.json.rows.map(({ row, field }: Fault) => [row, field]) },
        {
          ...{ added: 0, duplicate: 2, conflicting: 1, rejected: 1, as_of: 0 },
          rows: [
            [2, 'tx_hash'],
            [3, 'token_amount'],
          ],
          unknown_fields: [{ field: 'kindd', rows: 1, nearest: 'kind' }],
        },
      );
      assert.equal((await push(service, '/transfers', rows, { 'x-api-key': PUSH })).status, 200);
      assert.equal((await push(service, '/transfers', rows, { 'x-api-key': 'key-of-transfers' })).status, 200);
      assert.equal((await push(service, '/swaps', [swap()], { 'x-api-key': 'key-of-transfers' })).status, 403);
      const { data } = await service.dex.transfers.list({ wallet: BOB });
      assert.deepEqual(
        data.map(({ tx_hash, from, cost_usd }) => [tx_hash, from, cost_usd]),
        [
          ['moved2', null, 4],
          ['moved1', ANN, null],
        ],
      );
    },
    { keys: [...keys, { key: 'key-of-transfers', operations: ['ingest.transfers'] }] },
  ));

interface Fault {
  readonly row: number;
  readonly field: string;
}

test('OpenAPI describes the routes, their permissions and their rows', () =>
  withService(async (service) => {
    const { paths, components, tags } = (await service.request('/openapi.json')).json;
    const described = Object.entries<{ post: { description: string } }>(paths).filter(([path]) =>
      path.startsWith(BASE),
    );
    assert.deepEqual(
      described.map(([path, { post }]) => [path.slice(BASE.length), /`(ingest\.\w+)`/.exec(post.description)?.[1]]),
      [
        ['/swaps', 'ingest.swaps'],
        ['/transfers', 'ingest.transfers'],
        ['/tokens', 'ingest.registry'],
        ['/wallets', 'ingest.registry'],
        ['/prices', 'ingest.prices'],
        ['/rollback', 'ingest.rollback'],
        ['/refresh', 'ingest.refresh'],
      ],
    );
    const { PushedSwap } = components.schemas;
    assert.deepEqual(PushedSwap.required.sort(), [
      'block_time',
      'swap_index',
      'token_amount_in',
      'token_amount_out',
      'token_in',
      'token_out',
      'tx_hash',
      'wallet',
    ]);
    assert.ok(tags.some(({ name }: { name: string }) => name === 'ingest'));
  }));

test('rows with lists and objects that no row has are rejected, and take no memory', () =>
  withService(async (service) => {
    const lists = `[${'[],'.repeat(20_000)}[]]`;
    const rows = [`{"address":"${T}","symbol":${lists}}`, `{"address":"${T}","name":{"a":{}}}`, lists];
    const { json } = await push(service, '/tokens', `[${rows.join(',')}]`);
    assert.deepEqual([json.upserted, json.rejected], [0, 3]);
    const fields = json.rows.map(({ field }: { readonly field: string }) => field);
    assert.deepEqual(fields, ['symbol', 'name', 'address']);
    const wallets = `{"address":"${BOB}","labels":["kol","smart"]}`;
    assert.equal((await push(service, '/wallets', `[${wallets}]`)).json.upserted, 1);
  }));

test('a push that wraps the native token passes the row over, and says so', () =>
  withService(async (service) => {
    const wrap = swap({
      token_in: '11111111111111111111111111111111',
      token_out: 'So11111111111111111111111111111111111111112',
    });
    const { json } = await push(service, '/swaps', [swap(), wrap]);
    const { added, rejected, passed_over } = json as Record<string, number>;
    assert.deepEqual([added, rejected, passed_over], [1, 0, 1]);
  }));
