import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { memory, Swapfold, SwapfoldError } from '@swapfold/core';
import type { StorageAdapter } from '@swapfold/core/engine';
import { createHandler, serve } from '../src/index.ts';
import { openSocket } from './live-client.ts';
import { ANN, BASE, exchange, KEY, openStore, startService, T } from './service.ts';

const path = `${BASE}/prices/get-price`;
const body = JSON.stringify({ tokens: [T] });
const post = (url: string, init: RequestInit = {}) =>
  fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': KEY },
    body,
    ...init,
  });

/** A promise, and what settles it. */
function deferred<T>() {
  let resolve!: (value: T) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<T>((...both) => {
    [resolve, reject] = both;
  });
  return { promise, resolve, reject };
}

async function assertUnavailable(response: Response, says: RegExp): Promise<void> {
  assert.equal(response.status, 503);
  assert.match(response.headers.get('retry-after')!, /^[1-9]\d*$/);
  const json = (await response.json()) as { error: string; code: string; request_id: string };
  assert.equal(json.code, 'unavailable');
  assert.match(json.error, says);
  assert.equal(json.request_id, response.headers.get('x-request-id'));
}

test('while the store opens, everything but healthz is 503; then all is served', async () => {
  const opening = deferred<Swapfold>();
  const server = await serve(opening.promise, { port: 0 });
  assert.equal((await fetch(`${server.url}/healthz`)).status, 200);
  await assertUnavailable(await fetch(`${server.url}/readyz`), /is starting/);
  await assertUnavailable(await fetch(`${server.url}/openapi.json`), /is starting/);
  await assertUnavailable(await post(server.url), /is starting/);
  const dex = await openStore();
  opening.resolve(dex);
  await server.ready;
  assert.equal((await fetch(`${server.url}/readyz`)).status, 200);
  assert.equal((await post(server.url)).status, 200);
  await server.close();
  await dex.close();
});

test('a store that does not open is told by ready and by the log, and the server stays 503', async () => {
  const opening = deferred<Swapfold>();
  const errors: object[] = [];
  const logger = { info: () => undefined, error: (fields: object) => errors.push(fields) };
  const server = await serve(opening.promise, { port: 0, logger });
  const cause = new SwapfoldError('foreign-store', 'The file is not a Swapfold store.');
  opening.reject(cause);
  await assert.rejects(server.ready, cause);
  assert.deepEqual(errors, [{ err: cause }]);
  assert.equal((await fetch(`${server.url}/readyz`)).status, 503);
  await server.close();
});

test('a closed store is 503, and readyz says so', async () => {
  const service = await startService();
  await service.dex.close();
  await assertUnavailable(await post(service.url), /store is not open now/);
  await assertUnavailable(await fetch(`${service.url}/readyz`), /store does not answer/);
  assert.equal((await fetch(`${service.url}/healthz`)).status, 200);
  await service.close();
});

test('an engine that fails is 500 and shows nothing of the cause, which the log has', async () => {
  const secret = 'SQLITE_CORRUPT in /var/lib/secret.db';
  const storage = memory();
  let isBroken = false;
  const failing: StorageAdapter = {
    ...storage,
    snapshot: (read) => (isBroken ? Promise.reject(new Error(secret)) : storage.snapshot(read)),
  };
  const dex = await Swapfold.open({ storage: failing });
  const errors: { err?: Error; request_id?: string }[] = [];
  const logger = { info: () => undefined, error: (fields: object) => errors.push(fields) };
  const server = await serve(dex, { port: 0, keys: 'none', logger });
  isBroken = true;
  for (const failure of [new Error(secret), new SwapfoldError('store-failed', secret)]) {
    failing.snapshot = () => Promise.reject(failure);
    const response = await post(server.url);
    assert.equal(response.status, 500);
    const text = await response.text();
    assert.ok(!/SQLITE|secret|stack|\.ts/.test(text), text);
    const { error, code, details, request_id } = JSON.parse(text);
    assert.deepEqual([code, details], ['internal', []]);
    assert.match(error, /server failed at this request/);
    const logged = errors.at(-1)!;
    assert.equal(logged.err, failure);
    assert.equal(logged.request_id, request_id);
  }
  await server.close();
  await dex.close();
});

/** A request whose headers and half of whose body are sent: the server waits for the rest. */
async function halfSent(url: string): Promise<{ socket: Socket; finish: () => Promise<string> }> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.setEncoding('utf8');
  const lines = [`POST ${path} HTTP/1.1`, 'host: x', 'content-type: application/json', `x-api-key: ${KEY}`];
  socket.write(`${lines.join('\r\n')}\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, 10)}`);
  return {
    socket,
    async finish() {
      let received = '';
      socket.on('data', (chunk) => {
        received += chunk;
      });
      socket.write(body.slice(10));
      await once(socket, 'close');
      return received;
    },
  };
}

test('close waits for a running request, answers it, and takes no new connection', async () => {
  const { dex, url, ...server } = await startService();
  const running = await halfSent(url);
  // Answered after the half request has been read, for both go through one event loop.
  assert.equal((await post(url)).status, 200);
  const closed = server.close();
  await assert.rejects(fetch(`${url}/healthz`), /fetch failed/);
  const answer = await running.finish();
  assert.match(answer, /^HTTP\/1.1 200 .*connection: close/is);
  assert.deepEqual(JSON.parse(answer.split('\r\n\r\n')[1]!)[0].token, T);
  await closed;
  await server.close();
  await assert.rejects(dex.call('portfolios.get', { wallet: ANN }), { code: 'closed' });
});

test('close does not wait for connections on which nothing is asked', async () => {
  const service = await startService();
  const { hostname, port } = new URL(service.url);
  const fresh = connect(Number(port), hostname);
  await once(fresh, 'connect');
  const idle = connect(Number(port), hostname);
  idle.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
  await once(idle, 'data');
  const ended = [once(fresh.resume(), 'end'), once(idle.resume(), 'end')];
  await service.close();
  await Promise.all(ended);
});

test('close cuts a request that does not end in time', async () => {
  const dex = await openStore();
  const server = await serve(dex, { port: 0, timeouts: { drain: 0.05 } });
  const { socket } = await halfSent(server.url);
  assert.equal((await post(server.url)).status, 200);
  const cut = once(socket, 'close');
  await server.close();
  await cut;
  await dex.close();
});

test('once draining, a handler answers 503 and closes connections, but healthz lives', async () => {
  const dex = await openStore();
  const drain = new AbortController();
  const { listener } = createHandler(dex, { drain: drain.signal });
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  assert.equal((await post(url)).headers.get('connection'), 'keep-alive');
  drain.abort();
  const refused = await post(url);
  assert.equal(refused.headers.get('connection'), 'close');
  await assertUnavailable(refused, /shutting down/);
  await assertUnavailable(await fetch(`${url}/readyz`), /shutting down/);
  assert.equal((await fetch(`${url}/healthz`)).status, 200);
  server.close();
  await once(server, 'close');
  await dex.close();
});

test('headers that do not come whole are 408 after their time, and the connection is closed', async () => {
  const service = await startService({ timeouts: { headers: 0.1 } });
  const answer = await exchange(service.url, `POST ${path} HTTP/1.1\r\nhost: x\r\n`);
  assert.match(answer, /^HTTP\/1.1 408 .*did not arrive whole in time/s);
  await service.close();
});

test('a body that does not come whole closes the connection after its time', async () => {
  const service = await startService({ timeouts: { headers: 0.1, request: 0.2 } });
  const { socket } = await halfSent(service.url);
  await once(socket, 'close');
  assert.equal((await post(service.url)).status, 200);
  await service.close();
});

test('an idle connection is closed after its time', async () => {
  const service = await startService({ timeouts: { keepAlive: 0.1 } });
  const answer = await exchange(service.url, 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
  assert.match(answer, /^HTTP\/1.1 200 .*connection: keep-alive.*\{"status":"ok"\}$/is);
  await service.close();
});

test('a port that is taken is refused with a sentence', async () => {
  const service = await startService();
  const port = Number(new URL(service.url).port);
  await assert.rejects(serve(service.dex, { port }), (error) => {
    assert.ok(error instanceof SwapfoldError);
    assert.equal(error.code, 'invalid-config');
    assert.equal(error.message, `Cannot listen on 127.0.0.1, port ${port}: the port is in use.`);
    return true;
  });
  await service.close();
});

test('the log has a line a request, without keys and bodies', async () => {
  const lines: { fields: Record<string, unknown>; message: string; level: string }[] = [];
  const logger = {
    info: (fields: object, message: string) => lines.push({ fields: { ...fields }, message, level: 'info' }),
    error: (fields: object, message: string) => lines.push({ fields: { ...fields }, message, level: 'error' }),
  };
  const service = await startService({ logger });
  await service.post('/prices/get-price', { tokens: [T] }, { 'x-request-id': 'mine' });
  await service.post('/prices/get-price', { tokens: [T] }, { 'x-api-key': 'a-wrong-key' });
  await service.post('/prices/get-price', { tokens: ['a-secret-body'] });
  await service.request(`/nowhere/${KEY}?key=${KEY}`);
  const stranger = await openSocket(service.url);
  await stranger.ask({ method: 'authenticate', key: 'a-wrong-key-of-a-socket' });
  await stranger.closed();
  await assert.rejects(openSocket(service.url, { 'x-api-key': 'a-wrong-key-of-a-handshake' }));
  const known = await openSocket(service.url);
  await known.ask({ method: 'authenticate', key: KEY });
  await known.ask({ method: 'subscribe', topic: 'prices', params: { tokens: ['a-secret-body'] } });
  known.socket.close();
  const { dex } = service;
  await dex.close();
  await service.post('/prices/get-price', { tokens: [T] });
  const seen = lines.map(({ level, message, fields: { method, route, status } }) => [
    level,
    message,
    method,
    route,
    status,
  ]);
  assert.deepEqual(seen, [
    ['info', 'request', 'POST', path, 200],
    ['info', 'request', 'POST', path, 401],
    ['info', 'request', 'POST', path, 400],
    ['info', 'request', 'GET', undefined, 404],
    ['error', 'request', 'POST', path, 503],
  ]);
  assert.equal(lines[0]!.fields.request_id, 'mine');
  for (const { fields } of lines) assert.ok(Number.isInteger(fields.ms));
  const text = JSON.stringify(lines);
  // Those of sockets begin as the others do.
  for (const secret of [KEY, 'a-wrong-key', 'a-secret-body', T]) assert.ok(!text.includes(secret), secret);
  await service.close();
});

test('a WebSocket that is refused after its handshake holds no shutdown up, though its client answers nothing', async () => {
  const dex = await openStore();
  const server = await serve(dex, { port: 0, keys: [KEY], limits: { liveConnections: 1 }, timeouts: { drain: 1 } });
  await openSocket(server.url, { 'x-api-key': KEY });
  const silent = connect(Number(new URL(server.url).port));
  const head = ['GET /v1/ws HTTP/1.1', 'Host: x', 'Upgrade: websocket', 'Connection: Upgrade'];
  const keys = ['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', `X-Api-Key: ${KEY}`];
  silent.write(`${[...head, ...keys].join('\r\n')}\r\n\r\n`);
  let received = '';
  while (!received.includes('too-many-subscriptions')) received += String((await once(silent, 'data'))[0]);
  const closed = server.close().then(() => true);
  assert.ok(await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 15_000, false).unref())]));
  silent.destroy();
  await dex.close();
});
