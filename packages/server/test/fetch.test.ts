import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Swapfold } from '@swapfold/core';
import { createHandler, type Handler } from '../src/index.ts';
import { BASE, KEY, openStore, T } from './service.ts';

let dex: Swapfold;
let handler: Handler;
before(async () => {
  dex = await openStore();
  handler = createHandler(dex, { keys: [KEY], limits: { working: 1 } });
});
after(() => dex.close());

const headers = { 'Content-Type': 'application/json', 'X-Api-Key': KEY };
const asked = (body: unknown, more: RequestInit = {}): Request =>
  new Request(`https://app.example${BASE}/prices/get-price?x=1`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    ...more,
  });

test('a Web request gets the answer that a request of Node gets', async () => {
  const answer = await handler.fetch(asked({ tokens: [T] }));
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
  assert.match(await answer.text(), /"usd_price":4/);
});

test('a Web request to a handler without keys is answered by loopback names and listed hosts alone', async () => {
  const open = createHandler(dex, { keys: 'none', hosts: ['dex.internal'] });
  const statuses = [
    'localhost:3000',
    '127.0.0.1',
    '[::1]:8080',
    'dex.internal',
    'evil.example',
    'localhost.evil.example',
  ].map(async (host) => (await open.fetch(new Request(`http://${host}/healthz`))).status);
  assert.deepEqual(await Promise.all(statuses), [200, 200, 200, 200, 403, 403]);
  const forged = new Request('http://localhost/healthz', { headers: { origin: 'https://evil.example' } });
  assert.equal((await open.fetch(forged)).status, 403);
});

const wrong: readonly (readonly [what: string, request: () => Request, status: number, code: string])[] = [
  ['without a key', () => asked({}, { headers: { 'Content-Type': 'application/json' } }), 401, 'unauthorized'],
  ['of no route', () => new Request('https://app.example/nowhere'), 404, 'not-found'],
  ['by another method', () => new Request(`https://app.example${BASE}/prices/get-price`), 405, 'method-not-allowed'],
  ['that is no JSON', () => asked({}, { body: '{' }), 400, 'invalid-json'],
  ['without a body', () => asked({}, { body: null }), 400, 'invalid-request'],
  ['that is too large', () => asked({ x: 'x'.repeat(2 ** 20) }), 413, 'body-too-large'],
];

for (const [what, request, status, code] of wrong)
  test(`a Web request ${what} is answered ${status}`, async () => {
    const answer = await handler.fetch(request());
    const json = (await answer.json()) as { code: string };
    assert.deepEqual([answer.status, json.code], [status, code]);
  });

test('HEAD is answered without a body', async () => {
  const answer = await handler.fetch(new Request('https://app.example/healthz', { method: 'HEAD' }));
  assert.deepEqual([answer.status, await answer.text()], [200, '']);
});

test('events come as a stream, and end with the request', async () => {
  const leaving = new AbortController();
  const request = new Request(`https://app.example/v1/solana/dex/stream`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ topics: [{ topic: 'swaps' }] }),
    signal: leaving.signal,
  });
  const answer = await handler.fetch(request);
  assert.equal(answer.headers.get('content-type'), 'text/event-stream; charset=utf-8');
  const reader = answer.body!.getReader();
  const { value } = await reader.read();
  assert.match(new TextDecoder().decode(value), /^id: /);
  leaving.abort();
  await assert.rejects(async () => {
    while (!(await reader.read()).done);
    throw new Error('ended');
  });
});

test('a caller that has gone gives its place back', async () => {
  for (let i = 0; i < 3; i++) void handler.fetch(asked({ tokens: [T] }, { signal: AbortSignal.abort() }));
  assert.equal((await handler.fetch(asked({ tokens: [T] }))).status, 200);
});
