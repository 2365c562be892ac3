import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { SwapInput } from '@swapfold/core';
import { eventsOf, openSocket } from './live-client.ts';
import { ANN, BASE, BOB, exchange, KEY, type Service, START, startService, T, USDC, WRONG } from './service.ts';

let count = 0;
const swap = (wallet: string, given: Partial<SwapInput> = {}): SwapInput => ({
  tx_hash: `live${++count}`,
  swap_index: 0,
  block_time: START + 20_000 + count,
  block_slot: 100_000 + count,
  wallet,
  token_in: USDC,
  token_amount_in: 40,
  token_out: T,
  token_amount_out: 10,
  ...given,
});
const swaps = { method: 'subscribe', topic: 'solana.dex.swaps' } as const;
const codeOf = (body: unknown): string | undefined => (body as { code?: string }).code;
const withKey = { 'x-api-key': KEY };

async function withService(options: Parameters<typeof startService>[0], use: (service: Service) => Promise<void>) {
  const service = await startService(options);
  try {
    await use(service);
  } finally {
    await service.close();
  }
}

const openStream = (service: Service, body: unknown, headers: Record<string, string> = withKey) =>
  fetch(`${service.url}${BASE}/stream`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

test('a WebSocket is sent what it subscribes to, goes on after a cursor, and nothing once it has unsubscribed', () =>
  withService({}, async ({ dex, url }) => {
    const client = await openSocket(url, withKey);
    const request = { ...swaps, params: { wallets: [ANN] } };
    const { cursor, ...ok } = await client.ask(request);
    assert.deepEqual(ok, { method: 'subscribe', topic: 'solana.dex.swaps', ok: true });
    await dex.ingest([swap(ANN), swap(BOB)]);
    const message = await client.next();
    assert.deepEqual(Object.keys(message).sort(), ['cursor', 'data', 'topic']);
    assert.deepEqual(message.data, JSON.parse(JSON.stringify((await dex.swaps.list({ wallet: ANN, limit: 1 })).data)));
    const other = await openSocket(url, withKey);
    await other.ask({ ...request, after: cursor });
    assert.deepEqual(await other.next(), message);
    other.socket.close();
    assert.equal((await client.ask({ ...request, method: 'unsubscribe' })).ok, true);
    await dex.ingest([swap(ANN)]);
    assert.equal((await client.ask(swaps)).ok, true);
    client.socket.close();
  }));

test('two subscriptions of a topic are told apart by their ids', () =>
  withService({}, async ({ dex, url }) => {
    const client = await openSocket(url, withKey);
    const candles = (id: string, interval: number) => ({
      method: 'subscribe',
      topic: 'candles',
      id,
      params: { token: T, interval },
    });
    assert.equal((await client.ask(candles('a', 60))).id, 'a');
    assert.equal((await client.ask(candles('a', 3600))).code, 'invalid-request');
    assert.equal((await client.ask(candles('b', 3600))).ok, true);
    await dex.ingest([swap(ANN)]);
    const messages = [await client.next(), await client.next()].sort((x, y) => (x.id < y.id ? -1 : 1));
    assert.deepEqual(
      messages.map(({ id, topic, data }) => [id, topic, data[0].timestamp % 3600 === 0]),
      [
        ['a', 'solana.dex.candles', false],
        ['b', 'solana.dex.candles', true],
      ],
    );
    client.socket.close();
  }));

test('a browser sends its key first; who sends none in time, or a wrong one, is closed', () =>
  withService({ timeouts: { key: 0.3 } }, async ({ url }) => {
    const client = await openSocket(url);
    assert.deepEqual(await client.ask({ method: 'authenticate', key: KEY }), { method: 'authenticate', ok: true });
    assert.equal((await client.ask(swaps)).ok, true);
    const { error } = await client.ask({ method: 'ping' });
    assert.match(String(error), /^"method": expected "subscribe", "unsubscribe" or "authenticate", received "ping"\.$/);
    client.socket.close();
    const stranger = await openSocket(url);
    assert.equal((await stranger.ask(swaps)).code, 'unauthorized');
    assert.equal((await stranger.closed()).code, 1008);
    const guesser = await openSocket(url);
    assert.equal((await guesser.ask({ method: 'authenticate', key: WRONG })).code, 'unauthorized');
    assert.equal((await guesser.closed()).code, 1008);
    const silent = await openSocket(url);
    assert.deepEqual(await silent.closed(), { code: 1008, reason: 'no key came in time' });
  }));

/** The status line and code of a handshake. */
async function handshake(url: string, headers: Record<string, string>, path = '/v1/ws'): Promise<[number, string]> {
  const lines = {
    Host: new URL(url).host,
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    ...headers,
  };
  const text = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  const answer = await exchange(url, `GET ${path} HTTP/1.1\r\n${text.join('')}\r\n`);
  const body = answer.slice(answer.indexOf('\r\n\r\n') + 4);
  return [Number(answer.split(' ')[1]), body.startsWith('{') ? JSON.parse(body).code : body];
}

test('handshakes are refused with the status and code of a route: wrong key, foreign page, no such path', () =>
  withService({ cors: ['https://app.example'] }, async ({ url }) => {
    assert.deepEqual(await handshake(url, { 'X-Api-Key': WRONG }), [401, 'unauthorized']);
    assert.deepEqual(await handshake(url, { Origin: 'https://evil.example' }), [403, 'forbidden']);
    assert.deepEqual(await handshake(url, { Origin: 'null' }), [403, 'forbidden']);
    assert.deepEqual(await handshake(url, withKey, '/v1/wss'), [404, 'not-found']);
    assert.equal((await handshake(url, { 'Sec-WebSocket-Version': '7' }))[0], 400);
    for (const origin of ['https://app.example', url]) {
      const client = await openSocket(url, { ...withKey, origin });
      assert.equal((await client.ask(swaps)).ok, true);
      client.socket.close();
    }
  }));

test('a wrong request is answered with its code, and the connection goes on', () =>
  withService({ keys: [KEY, { key: 'prices-only', operations: ['prices.latest'] }] }, async ({ url }) => {
    const client = await openSocket(url, withKey);
    const codes: unknown[] = [];
    for (const request of [
      '{',
      '[]',
      { method: 'sing', topic: 'swaps' },
      { method: 'subscribe' },
      { method: 'subscribe', topic: 'swap' },
      { ...swaps, params: { wallets: ['x'] } },
      { ...swaps, after: 'x' },
      { ...swaps, after: '0123456789ab.3' },
      { method: 'unsubscribe', topic: 'swaps' },
      { method: 'subscribe', topic: 'profiles.wallet', params: { filter: { 'metrics.7d.pnll': 1 } } },
      { method: 'authenticate', key: KEY },
      { method: 'subscribe', topic: 'swaps', parms: {} },
    ])
      codes.push((await client.ask(request)).code);
    assert.deepEqual(codes, [
      'invalid-json',
      'invalid-request',
      'invalid-request',
      'invalid-request',
      'not-found',
      'invalid-request',
      'invalid-cursor',
      'cursor-expired',
      'not-found',
      'unknown-field',
      'invalid-request',
      'invalid-request',
    ]);
    assert.match((await client.ask(' ')).error, /^The message is blank/);
    assert.equal((await client.ask(swaps)).ok, true);
    client.socket.close();
    const limited = await openSocket(url, { 'x-api-key': 'prices-only' });
    assert.equal((await limited.ask(swaps)).code, 'forbidden');
    assert.equal((await limited.ask({ method: 'subscribe', topic: 'prices' })).ok, true);
    limited.socket.close();
  }));

test('a frame over 64 KiB closes the connection with 1009', () =>
  withService({}, async ({ url }) => {
    const client = await openSocket(url, withKey);
    const answer = client.ask({ ...swaps, params: { wallets: ['x'.repeat(70_000)] } });
    assert.equal((await Promise.race([client.closed(), answer])).code, 1009);
  }));

test('floods are refused: of subscriptions on a connection, of connections of a key, of requests above its rate', () =>
  withService({ limits: { subscriptions: 3, liveConnections: 2 } }, async (service) => {
    const { url } = service;
    const client = await openSocket(url, withKey);
    for (let i = 0; i < 3; i++) assert.equal((await client.ask({ ...swaps, id: `${i}` })).ok, true);
    assert.equal((await client.ask({ ...swaps, id: '4' })).code, 'too-many-subscriptions');
    const events = await openStream(service, { topics: [{ topic: 'swaps' }] });
    assert.equal(events.status, 200);
    const more = await openStream(service, { topics: [{ topic: 'swaps' }] });
    assert.deepEqual([more.status, codeOf(await more.json())], [429, 'too-many-subscriptions']);
    const refused = await openSocket(url, withKey);
    assert.deepEqual(await refused.closed(), { code: 1008, reason: 'too-many-subscriptions' });
    await events.body!.cancel();
    client.socket.close();
  }));

test('a flood of requests on a connection keeps nobody from an answer, and who takes none of its answers is cut off', () =>
  withService({ limits: { liveBytes: 65_536 }, metrics: { port: 0 } }, async ({ client, url, metricsUrl }) => {
    const flooder = await openSocket(url, withKey);
    let answered = 0;
    flooder.socket.on('message', () => answered++);
    const flood = (request: object, times: number): void => {
      for (let i = 0; i < times; i++) flooder.send(request);
    };
    flood({}, 2000);
    assert.equal((await client().prices.latest({ tokens: [T] })).length, 1);
    assert.ok(answered < 2000, 'the flood was answered first');
    (flooder.socket as unknown as { _socket: { pause(): void } })._socket.pause();
    // Each answer lists sixteen faults, in some 3 kB: all are more than the buffers between the two ends hold.
    flood({ ...swaps, params: { wallets: Array.from({ length: 16 }, () => 'x'.repeat(60)) } }, 5000);
    await untilCut(metricsUrl!, 1);
    flooder.socket.terminate();
  }));

test('connections without a key yet are counted by their address, and those with one are not among them', () =>
  withService({ limits: { liveConnections: 2 } }, async ({ url }) => {
    const strangers = [await openSocket(url), await openSocket(url)];
    assert.deepEqual(await handshake(url, {}), [429, 'too-many-subscriptions']);
    const known = await openSocket(url, withKey);
    assert.equal((await known.ask(swaps)).ok, true);
    assert.equal((await strangers[0]!.ask({ method: 'authenticate', key: KEY })).ok, true);
    const third = await openSocket(url);
    assert.equal((await third.ask({ method: 'authenticate', key: KEY })).code, 'too-many-subscriptions');
    for (const { socket } of [...strangers, known, third]) socket.close();
  }));

test('subscriptions count against the rate of a key', () =>
  withService({ rate: { perSecond: 0.001, burst: 2 } }, async ({ url }) => {
    const client = await openSocket(url, withKey);
    assert.equal((await client.ask({ ...swaps, id: 'a' })).ok, true);
    assert.equal((await client.ask({ ...swaps, id: 'b' })).ok, true);
    assert.equal((await client.ask({ ...swaps, id: 'c' })).code, 'rate-limited');
    client.socket.close();
  }));

test('ten clients that do not read are cut off with 1013, others are not held up, and each goes on without a gap', () =>
  withService({ limits: { liveBytes: 65_536 }, metrics: { port: 0 } }, async ({ dex, url, metricsUrl }) => {
    const slow = await Promise.all(Array.from({ length: 10 }, () => openSocket(url, withKey)));
    const read = await Promise.all(slow.map((client) => client.ask(swaps).then(reading)));
    const received = slow.map(() => 0);
    for (const [i, { socket }] of slow.entries()) {
      socket.on('message', () => received[i]!++);
      (socket as unknown as { _socket: { pause(): void } })._socket.pause();
    }
    const reader = await openSocket(url, withKey);
    const reads = reading(await reader.ask(swaps));
    const sent: string[] = [];
    const waits: number[] = [];
    for (let block = 0; block < 30; block++) {
      const rows = Array.from({ length: 500 }, () => swap(ANN));
      sent.push(...rows.map(({ tx_hash }) => tx_hash));
      await dex.ingest(rows);
      const begun = performance.now();
      reads.add(await reader.next());
      waits.push(performance.now() - begun);
    }
    assert.deepEqual(reads.hashes, sent);
    // The median: another process may take the processor meanwhile, though never of each.
    waits.sort((a, b) => a - b);
    assert.ok(waits[15]! < 900, `a reader waited ${waits}`);
    await untilCut(metricsUrl!, 10);
    for (const { socket } of slow) (socket as unknown as { _socket: { resume(): void } })._socket.resume();
    const ends = await Promise.all(slow.map((client) => client.closed()));
    // The close frame is behind what the client has not read: it sees the code, or the end of the connection.
    assert.ok(
      ends.every(({ code }) => code === 1013 || code === 1006),
      JSON.stringify(ends),
    );
    for (const [i, one] of read.entries()) {
      for (let n = 0; n < received[i]!; n++) one.add(await slow[i]!.next());
      assert.ok(one.hashes.length < sent.length, 'it had all before it was cut off');
      const again = await openSocket(url, withKey);
      await again.ask({ ...swaps, after: one.cursor });
      while (one.hashes.at(-1) !== sent.at(-1)) one.add(await again.next());
      assert.deepEqual(one.hashes, sent);
      again.socket.close();
    }
    reader.socket.close();
  }));

/** Waits until so many clients have been cut off. */
async function untilCut(metricsUrl: string, clients: number): Promise<void> {
  let count = 0;
  for (let i = 0; i < 200 && count < clients; i++) {
    await pause(50);
    count = Number(/^swapfold_live_cut_total (\d+)$/m.exec(await (await fetch(metricsUrl)).text())?.[1]);
  }
  assert.equal(count, clients);
}

/** What a client has of a subscription: the hashes that it was sent, and where it goes on. */
function reading({ cursor }: { cursor: string }) {
  return {
    cursor,
    hashes: [] as string[],
    add(message: { cursor: string; data: readonly SwapInput[] }): void {
      this.cursor = message.cursor;
      for (const { tx_hash } of message.data) this.hashes.push(tx_hash);
    },
  };
}

test('events have the messages of all topics; the id moves with the last message of a commit', () =>
  withService({}, async (service) => {
    const { dex } = service;
    const topics = [{ topic: 'swaps' }, { topic: 'prices', params: { tokens: [T] }, id: 'T' }];
    const response = await openStream(service, { topics }, { ...withKey, 'accept-encoding': 'gzip, br' });
    assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
    assert.equal(response.headers.get('content-encoding'), null);
    const next = eventsOf(response);
    const begun = await next();
    assert.match(begun!.id!, /^[0-9a-f]{12}\.\d+$/);
    await dex.ingest([swap(ANN)]);
    const [first, second] = [await next(), await next()];
    assert.deepEqual([first!.id, first!.data.topic], [undefined, 'solana.dex.swaps']);
    assert.deepEqual([second!.data.topic, second!.data.id], ['solana.dex.prices', 'T']);
    assert.equal(second!.id, second!.data.cursor);
    await response.body!.cancel().catch(() => undefined);
    const again = await openStream(service, { topics, after: begun!.id });
    const replay = eventsOf(again);
    await replay();
    assert.deepEqual((await replay())!.data, first!.data);
    await dex.rebuild();
    for (let event = await replay(); ; event = await replay()) {
      if (event?.event !== 'error') continue;
      assert.equal(event.data.code, 'cursor-expired');
      break;
    }
    assert.equal(await replay(), undefined);
  }));

test('a stream is refused with the status of its fault', () =>
  withService({}, async (service) => {
    const statusOf = async (body: unknown, headers?: Record<string, string>) => {
      const response = await openStream(service, body, headers);
      return [response.status, codeOf(await response.json())];
    };
    assert.deepEqual(await statusOf({ topics: [{ topic: 'swaps' }] }, {}), [401, 'unauthorized']);
    assert.deepEqual(await statusOf({}), [400, 'invalid-request']);
    assert.deepEqual(await statusOf({ topics: [] }), [400, 'invalid-request']);
    assert.deepEqual(await statusOf({ topics: [{ topic: 'swaps', param: {} }] }), [400, 'invalid-request']);
    assert.deepEqual(await statusOf({ topics: [{ topic: 'swap' }] }), [404, 'not-found']);
    assert.deepEqual(await statusOf({ topics: [{ topic: 'swaps' }], from: 1 }), [400, 'invalid-request']);
    assert.deepEqual(await statusOf({ topics: [{ topic: 'swaps' }], after: '0123456789ab.7' }), [
      410,
      'cursor-expired',
    ]);
    const get = await service.request(`${BASE}/stream?topics=[]`, { headers: withKey });
    assert.deepEqual([get.status, get.json.code], [401, 'unauthorized']);
  }));

test('an open server streams to EventSource by GET, which goes on after Last-Event-ID', () =>
  withService({ keys: 'none' }, async ({ dex, url }) => {
    const topics = encodeURIComponent(JSON.stringify([{ topic: 'swaps' }]));
    const open = (headers: Record<string, string> = {}) => fetch(`${url}${BASE}/stream?topics=${topics}`, { headers });
    const wrong = await fetch(`${url}${BASE}/stream?topics={bad`);
    assert.match(((await wrong.json()) as { error: string }).error, /^"topics" is not JSON/);
    const first = await open();
    const next = eventsOf(first);
    const { id } = (await next())!;
    await dex.ingest([swap(ANN)]);
    const { data } = (await next())!;
    await first.body!.cancel().catch(() => undefined);
    const second = await open({ 'last-event-id': id! });
    const replay = eventsOf(second);
    await replay();
    assert.deepEqual((await replay())!.data, data);
    await second.body!.cancel().catch(() => undefined);
  }));

test('closing the server ends sockets with 1001 and streams at a commit, soon', () =>
  withService({}, async (service) => {
    const client = await openSocket(service.url, withKey);
    await client.ask(swaps);
    const next = eventsOf(await openStream(service, { topics: [{ topic: 'swaps' }] }));
    await next();
    const begun = performance.now();
    await service.close();
    assert.equal((await client.closed()).code, 1001);
    assert.equal(await next(), undefined);
    assert.ok(performance.now() - begun < 3000);
  }));

test('keys that may call no more lose their live connections', () =>
  withService({}, async (service) => {
    const client = await openSocket(service.url, withKey);
    await client.ask(swaps);
    const next = eventsOf(await openStream(service, { topics: [{ topic: 'swaps' }] }));
    await next();
    service.setKeys(['another-key-than-before']);
    assert.equal((await client.closed()).code, 1008);
    assert.equal(await next(), undefined);
  }));

test('a request that offers HTTP/2 is answered as the request that it is', () =>
  withService({}, async ({ url }) => {
    const body = JSON.stringify({ tokens: [T] });
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const request = httpRequest(`${url}${BASE}/prices/get-price`, {
        method: 'POST',
        headers: {
          ...withKey,
          'content-type': 'application/json',
          'content-length': body.length,
          connection: 'Upgrade, HTTP2-Settings',
          upgrade: 'h2c',
          'http2-settings': 'AAMAAABkAAQAAP__',
        },
      });
      request.on('response', (response) => resolve(response.resume().statusCode));
      request.on('error', reject);
      request.end(body);
    });
    assert.equal(status, 200);
  }));

test('pages of listed origins may read answers, others may not', () =>
  withService({ cors: ['https://app.example'] }, async ({ request, post }) => {
    const preflight = {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
    };
    const allowed = await request(`${BASE}/prices/get-price`, preflight);
    assert.equal(allowed.status, 204);
    assert.match(allowed.headers.get('access-control-allow-headers')!, /X-Api-Key/);
    const read = await post('/prices/get-price', { tokens: [T] }, { origin: 'https://app.example' });
    assert.equal(read.headers.get('access-control-allow-origin'), 'https://app.example');
    assert.equal(read.headers.get('vary'), 'Origin');
    const other = await post('/prices/get-price', { tokens: [T] }, { origin: 'https://evil.example' });
    assert.equal(other.headers.get('access-control-allow-origin'), null);
    assert.equal(
      (await request(`${BASE}/prices/get-price`, { ...preflight, headers: { origin: 'https://evil.example' } })).status,
      405,
    );
    await assert.rejects(startService({ cors: ['app.example'] }), { code: 'invalid-config' });
  }));

test('a stranger whose handshake was refused holds up no server that stops', async () => {
  const service = await startService({});
  const { hostname, port } = new URL(service.url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  const headers = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', `X-Api-Key: ${WRONG}`];
  socket.write(
    `GET ${BASE}/ws HTTP/1.1\r\nHost: ${hostname}\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n${headers.join('\r\n')}\r\n\r\n`,
  );
  let answer = '';
  socket.on('data', (piece) => {
    answer += piece.toString();
  });
  await new Promise((resolve) => socket.once('end', resolve));
  assert.match(answer, /^HTTP\/1.1 40[14] /);
  // It never closes its own half.
  const closed = await Promise.race([service.close().then(() => true), pause(5000).then(() => false)]);
  socket.destroy();
  assert.equal(closed, true);
});

test('a key that may no longer call what it follows loses the connections that follow it', () =>
  withService({}, async (service) => {
    const client = await openSocket(service.url, withKey);
    await client.ask(swaps);
    const prices = await openSocket(service.url, withKey);
    await prices.ask({ method: 'subscribe', topic: 'solana.dex.prices' });
    const next = eventsOf(await openStream(service, { topics: [{ topic: 'swaps' }] }));
    await next();
    service.setKeys([{ key: KEY, operations: ['prices.latest'] }]);
    assert.equal((await client.closed()).code, 1008);
    assert.equal(await next(), undefined);
    await service.dex.ingest([swap(ANN)]);
    assert.equal((await prices.next()).topic, 'solana.dex.prices');
  }));

test('a key of other letters than ASCII is taken in the first message as in the header', () =>
  withService({}, async (service) => {
    const key = 'schl\u00fcssel-\u9375-123';
    service.setKeys([key]);
    const client = await openSocket(service.url, {});
    assert.deepEqual(await client.ask({ method: 'authenticate', key }), { method: 'authenticate', ok: true });
  }));
