import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LiveConnections } from '../src/live-connections.ts';
import { openSocket } from './live-client.ts';
import { BASE, KEY, startService, strangers } from './service.ts';

test('what one caller subscribes to is bounded in bytes, given back once, and apart from that of others', () => {
  const connections = new LiveConnections(256, 20);
  // {"a":"12345"} has 13 bytes.
  const first = connections.hold('ann', { a: '12345' });
  assert.throws(() => connections.hold('ann', { a: '12345' }), {
    code: 'too-many-subscriptions',
    message: /would be 26 bytes, of 20/,
  });
  connections.hold('bob', { a: '12345' });
  // Seven more: {"b":1}.
  const second = connections.hold('ann', { b: 1 });
  first();
  first();
  second();
  connections.hold('ann', { a: '123456789012' });
});

test('bytes are counted, not characters; a subscription without parameters is none', () => {
  const connections = new LiveConnections(1, 4);
  connections.hold('ann', undefined);
  // Four bytes: quotes, and a letter of two.
  connections.hold('ann', 'é');
  assert.throws(() => connections.hold('ann', 1), { code: 'too-many-subscriptions' });
});

/** 300 addresses are about 14 KB as JSON: one subscription to them is within 20,000 bytes, two are not. */
const many = { wallets: strangers(300) };
const limits = { subscriptionBytes: 20_000 };

test('a WebSocket is refused a subscription beyond the bytes of its key, goes on, and has the bytes back once it ends one', async () => {
  const service = await startService({ limits });
  const client = await openSocket(service.url, { 'x-api-key': KEY });
  const subscribe = (id: string) => client.ask({ method: 'subscribe', topic: 'swaps', params: many, id });
  assert.equal((await subscribe('first')).ok, true);
  const refused = await subscribe('second');
  assert.deepEqual([refused.code, refused.id, refused.ok], ['too-many-subscriptions', 'second', undefined]);
  assert.match(refused.error, /would be \d+ bytes, of 20000 that one may have/);
  assert.equal((await client.ask({ method: 'unsubscribe', topic: 'swaps', id: 'first' })).ok, true);
  assert.equal((await subscribe('second')).ok, true);
  client.socket.close();
  await service.close();
});

test('a stream of events is refused with 429 beyond the bytes that the WebSockets of its key have left, and another key is not', async () => {
  const service = await startService({ limits, keys: [KEY, 'another-key'] });
  const client = await openSocket(service.url, { 'x-api-key': KEY });
  assert.equal((await client.ask({ method: 'subscribe', topic: 'swaps', params: many })).ok, true);
  const stream = (key: string): Promise<Response> =>
    fetch(`${service.url}${BASE}/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify({ topics: [{ topic: 'swaps', params: many }] }),
    });
  const refused = await stream(KEY);
  const { code, error } = (await refused.json()) as { code: string; error: string };
  assert.deepEqual([refused.status, code], [429, 'too-many-subscriptions']);
  assert.match(error, /would be \d+ bytes, of 20000/);
  const other = await stream('another-key');
  assert.equal(other.status, 200);
  await other.body!.cancel();
  client.socket.close();
  await service.close();
});
