import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { AskedStore, PluggedRequest, PluggedRoute, ServeOptions } from '@swapfold/server';
import { ANN, KEY, openStore, type Service, startService, T, WRONG } from '../../server/test/service.ts';
import { mcpRoute } from '../src/index.ts';
import { type Agent, agentOf } from './agent.ts';

async function withServer(options: ServeOptions, use: (service: Service) => Promise<void>): Promise<void> {
  const service = await startService({ routes: [mcpRoute()], ...options });
  try {
    await use(service);
  } finally {
    await service.close();
  }
}

/** The client of the SDK over HTTP, with a key and other headers. */
async function connect({ url }: Service, key: string | undefined, more: Record<string, string> = {}): Promise<Client> {
  const headers = { ...(key === undefined ? {} : { 'X-Api-Key': key }), ...more };
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return client;
}

const agentAt = async (service: Service, key?: string): Promise<Agent> => agentOf(await connect(service, key ?? KEY));

const asked = (method: string, params: object = {}) => ({
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'x-api-key': KEY,
  },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
});

const statusOf =
  (status: number) =>
  (error: unknown): boolean =>
    (error as { code?: number }).code === status;

test('an agent lists, searches, mistypes and is corrected, pages and asks for an explanation over HTTP', () =>
  withServer({}, async (service) => {
    const agent = await agentAt(service);
    const wrong = await agent.refused('find_wallets', { where: [{ field: 'pnll', is: 'above', value: 1 }] });
    assert.match(wrong.error, /mean "pnl"/);
    const { data } = await agent.ask('find_wallets', { where: [{ field: 'pnl', is: 'above', value: 1 }] });
    assert.equal(data[0].wallet_address, ANN);
    const first = await agent.ask('trades', { wallet: ANN, limit: 1 });
    const second = await agent.ask('trades', { wallet: ANN, limit: 1, cursor: first.cursor });
    assert.deepEqual([first.data[0].direction, second.data[0].direction, second.cursor], ['sell', 'buy', undefined]);
    assert.equal((await agent.ask('explain_number', { wallet: ANN, metric: 'pnl' })).value, 50);
    await agent.client.close();
  }));

test('without a key, or with an unknown one, nothing is answered', () =>
  withServer({}, async (service) => {
    await assert.rejects(connect(service, undefined), statusOf(401));
    await assert.rejects(connect(service, WRONG), statusOf(401));
  }));

test('a key that may call some operations may call the tools that ask those', () =>
  withServer({ keys: [{ key: KEY, operations: ['trades.list'] }] }, async (service) => {
    const agent = await agentAt(service);
    assert.equal((await agent.ask('trades', { wallet: ANN })).count, 2);
    const refusal = await agent.refused('find_wallets');
    assert.equal(refusal.code, 'forbidden');
    assert.match(refusal.error, /may not call wallets\.search/);
    assert.equal((await agent.ask('store_info')).swaps, 25);
  }));

test('a call costs one request of the rate, and one for each operation after its first', () =>
  withServer({ keys: [KEY], rate: { perSecond: 0.001, burst: 4 } }, async ({ request }) => {
    const call = (name: string, args: object) => request('/mcp', asked('tools/call', { name, arguments: args }));
    const left = ({ headers }: { headers: Headers }) => /r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1];
    assert.equal(left(await call('trades', {})), '3');
    // Two operations.
    assert.equal((await call('token_summary', { token: T })).json.result.isError, undefined);
    assert.equal(left(await call('store_info', {})), '0');
    const spent = await request('/mcp', asked('tools/list'));
    assert.deepEqual([spent.status, spent.json.code], [429, 'rate-limited']);
  }));

test('many calls in one body are paid one by one', () =>
  withServer({ keys: [KEY], rate: { perSecond: 0.001, burst: 3 } }, async ({ request }) => {
    const call = (id: number) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'trades', arguments: {} },
    });
    const body = JSON.stringify(Array.from({ length: 10 }, (_, id) => call(id)));
    const { json } = await request('/mcp', { ...asked(''), body });
    const answered = [json]
      .flat()
      .filter(({ result }: { result?: { isError?: true } }) => result?.isError === undefined);
    assert.ok(answered.length <= 3, String(answered.length));
  }));

test('pages of other sites are refused, unless the operator lists them', () =>
  withServer({ cors: ['https://app.example'] }, async (service) => {
    await assert.rejects(connect(service, KEY, { Origin: 'https://evil.example' }), statusOf(403));
    const listed = await connect(service, KEY, { Origin: 'https://app.example' });
    assert.ok((await listed.listTools()).tools.length > 0);
    const own = await connect(service, KEY, { Origin: service.url });
    assert.ok((await own.listTools()).tools.length > 0);
    const preflight = await service.request('/mcp', {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,mcp-protocol-version,x-api-key',
      },
    });
    const allowed = preflight.headers.get('access-control-allow-headers')!.toLowerCase();
    for (const name of ['content-type', 'mcp-protocol-version', 'x-api-key']) assert.ok(allowed.includes(name), name);
  }));

const refused: readonly (readonly [because: string, init: RequestInit, status: number])[] = [
  ['there are no streams', { method: 'GET', headers: { accept: 'text/event-stream', 'x-api-key': KEY } }, 405],
  ['there are no sessions', { method: 'DELETE', headers: { 'x-api-key': KEY } }, 405],
  ['a body that is no JSON', { ...asked('ping'), body: '{"jsonrpc":' }, 400],
  ['a body that is no message', { ...asked('ping'), body: '{}' }, 400],
  ['a body without a type', { ...asked('ping'), headers: { 'x-api-key': KEY, accept: '*/*' } }, 415],
  [
    'a message with 257 fields',
    { ...asked('ping'), body: `{${Array.from({ length: 257 }, (_, i) => `"f${i}":0`)}}` },
    400,
  ],
  [
    'a batch of eleven',
    {
      ...asked('ping'),
      body: `[${Array.from({ length: 11 }, (_, id) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`)}]`,
    },
    400,
  ],
  [
    'a batch with a message that is none',
    { ...asked('ping'), body: '[{"jsonrpc":"2.0","id":1,"method":"ping"},0]' },
    400,
  ],
  ['a batch of notices', { ...asked('ping'), body: '[{"jsonrpc":"2.0","method":"notifications/initialized"}]' }, 202],
  [
    'a list of tools by a client that takes no JSON',
    { ...asked('tools/list'), headers: { 'content-type': 'application/json', accept: 'text/html', 'x-api-key': KEY } },
    406,
  ],
  ['a body over 1 MiB', { ...asked('ping'), body: `"${'x'.repeat(1024 * 1024)}"` }, 413],
];
for (const [because, init, status] of refused)
  test(`${because}: ${status}`, () =>
    withServer({}, async ({ request }) => {
      assert.equal((await request('/mcp', init)).status, status);
    }));

test('a server without the route answers 404', async () => {
  const service = await startService();
  const { status } = await service.request('/mcp', asked('ping'));
  await service.close();
  assert.equal(status, 404);
});

test('an open server asks for no key', () =>
  withServer({ keys: 'none' }, async (service) => {
    const client = await connect(service, undefined);
    assert.ok((await client.listTools()).tools.length > 0);
  }));

test('calls at once are each answered with what they asked for', () =>
  withServer({}, async (service) => {
    const agent = await agentAt(service);
    const limits = Array.from({ length: 20 }, (_, i) => i + 1);
    const answers = await Promise.all(limits.map((limit) => agent.ask('trades', { limit })));
    assert.deepEqual(
      answers.map(({ data }) => data.length),
      limits,
    );
  }));

test('a server that closes answers the calls it has and refuses new ones', async () => {
  const service = await startService({ routes: [mcpRoute()] });
  const agent = await agentAt(service);
  const { dex } = service;
  const call = dex.call.bind(dex);
  let answer: () => void;
  const begun = new Promise<void>((resolve) => {
    const held = new Promise<void>((go) => {
      answer = go;
    });
    Object.assign(dex, {
      async call(...args: Parameters<typeof call>) {
        resolve();
        await held;
        return call(...args);
      },
    });
  });
  const running = agent.ask('trades', { wallet: ANN });
  await begun;
  const closed = service.close();
  answer!();
  assert.equal((await running).count, 2);
  await closed;
  await assert.rejects(agent.ask('find_wallets'));
});

test('what fails inside is in the log under the id of the request, and the agent learns only that something failed', () => {
  const lines: { message: string; err?: unknown; request_id?: string }[] = [];
  const keep = (fields: object, message: string) => void lines.push({ ...fields, message });
  return withServer({ logger: { info: () => undefined, error: keep } }, async (service) => {
    const agent = await agentAt(service);
    const { dex } = service;
    const call = dex.call.bind(dex);
    Object.assign(dex, { call: () => Promise.reject(new Error('the disk at /secret is gone')) });
    const { error, code } = await agent.refused('trades');
    assert.equal(code, 'internal');
    assert.ok(!error.includes('secret'));
    assert.ok(lines.some(({ err, request_id }) => String(err).includes('/secret') && request_id !== undefined));
    Object.assign(dex, { call });
  });
});

test('metrics count the route by its path', () =>
  withServer({ metrics: { port: 0 } }, async (service) => {
    await (await agentAt(service)).ask('store_info');
    const text = await (await fetch(service.metricsUrl!)).text();
    assert.match(text, /swapfold_http_requests_total\{route="\/mcp",status="200"\} \d/);
  }));

test('a batch that cancels its own request is answered as if it did not', () =>
  withServer({}, async (service) => {
    const { body: _, ...given } = asked('ping');
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const signal = AbortSignal.timeout(5000);
    const answer = await fetch(`${service.url}/mcp`, { ...given, signal, body: JSON.stringify([ping, cancelled]) });
    assert.equal(answer.status, 200);
    const [result] = [await answer.json()].flat() as { id: number; result: object }[];
    assert.deepEqual([result!.id, result!.result], [1, {}]);
  }));

interface Message {
  readonly id: number | string;
  readonly result?: { readonly tools?: readonly { readonly name: string }[] };
  readonly error?: { readonly code: number };
}

test('each message of a batch is answered in its place, and each list of tools is the one that a client lists', () =>
  withServer({}, async (service) => {
    const { request } = service;
    const messages = [
      { jsonrpc: '2.0', id: 'first', method: 'tools/list' },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} },
      { jsonrpc: '2.0', id: 3, method: 'nothing' },
      { jsonrpc: '2.0', id: 4, method: 'tools/call', params: { name: 'trades', arguments: { limit: 1 } } },
      { jsonrpc: '2.0', id: 5, method: 'ping' },
    ];
    const { status, json } = await request('/mcp', { ...asked(''), body: JSON.stringify(messages) });
    const answers = json as readonly Message[];
    assert.deepEqual([status, answers.map(({ id }) => id)], [200, ['first', 2, 3, 4, 5]]);
    const client = await connect(service, KEY);
    const { tools } = await client.listTools();
    assert.equal(tools.length, 14);
    for (const i of [0, 1]) assert.deepEqual(answers[i]!.result!.tools, tools);
    assert.equal(answers[2]!.error!.code, -32601);
    assert.deepEqual(answers[4]!.result, {});
  }));

test('a server takes so many requests for a plugged route as for operations, and refuses others before their body', async () => {
  let free: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    free = resolve;
  });
  let begun = 0;
  const slow: PluggedRoute = {
    path: '/slow',
    async answer() {
      begun++;
      await held;
      return { status: 200, type: 'application/json', text: '{}' };
    },
  };
  const [anna, ben] = ['key-of-anna', 'key-of-ben'];
  const service = await startService({ keys: [anna, ben], routes: [slow], limits: { working: 1, waiting: 0 } });
  const ask = (key: string) =>
    service.request('/slow', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: '{}',
    });
  const first = ask(anna);
  while (begun < 1) await setImmediate();
  const refusal = await ask(anna);
  assert.deepEqual([refusal.status, refusal.json.code], [503, 'unavailable']);
  // A key with nothing in work is begun beside hers.
  const other = ask(ben);
  while (begun < 2) await setImmediate();
  free();
  assert.deepEqual([(await first).status, (await other).status], [200, 200]);
  // What it asks of the store has places of its own.
  assert.equal((await ask(anna)).status, 200);
  await service.close();
});

test('a batch goes on in turns: between two of its messages a look-up that comes is answered', async () => {
  const log: string[] = [];
  const turning: PluggedRoute = {
    path: '/turning',
    async answer({ turn }) {
      // As long as the look-up is under way, and no longer: each piece is a turn of its own.
      for (let i = 0; !log.includes('look-up'); i++) {
        await turn();
        if (i === 0) log.push('begun');
      }
      log.push('ended');
      return { status: 200, type: 'application/json', text: '{}' };
    },
  };
  const service = await startService({ routes: [turning] });
  const headers = { 'content-type': 'application/json', 'x-api-key': KEY };
  const long = service.request('/turning', { method: 'POST', headers, body: '{}' });
  while (log.length === 0) await setImmediate();
  assert.equal((await service.post('/prices/get-price', { tokens: [T] })).status, 200);
  log.push('look-up');
  assert.equal((await long).status, 200);
  assert.deepEqual(log, ['begun', 'look-up', 'ended']);
  await service.close();
});

test('the tools of a store are made each in a turn of its own, once, and two first callers get the same list', async () => {
  const { config, metrics } = await openStore();
  let turns = 0;
  const request = (turn: () => Promise<void>) => ({
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    store: { config, metrics } as unknown as AskedStore,
    turn,
  });
  const route = mcpRoute();
  const ask = () =>
    route.answer(
      request(async () => {
        turns++;
        await setImmediate();
      }) as unknown as PluggedRequest,
    );
  const [one, other] = await Promise.all([ask(), ask()]);
  assert.equal(one.status, 200);
  assert.equal(one.text, other.text);
  const { tools } = (JSON.parse(one.text) as { result: { tools: { name: string }[] } }).result;
  assert.ok(tools.length > 5);
  assert.equal(new Set(tools.map(({ name }) => name)).size, tools.length);
  assert.ok(turns >= tools.length, `${turns} turns for ${tools.length} tools`);
  turns = 0;
  assert.equal((await ask()).text, one.text);
  assert.equal(turns, 0);
});
