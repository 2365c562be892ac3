import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { newShare } from '@swapfold/core/host';
import { answerText } from '../src/answer-text.ts';
import { Gate } from '../src/gate.ts';
import { Caller, requestOf, startHeldService } from './held-service.ts';
import { startService, T } from './service.ts';

const [ANNA, BEN] = ['key-of-anna', 'key-of-ben'];
const keys = [ANNA, BEN];
const price = (key: string) => requestOf('/prices/get-price', JSON.stringify({ tokens: [T] }), { key });
const swaps = (key: string) => requestOf('/swaps/get-swaps', '{}', { key });
const health = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n';

/** Resolves once the server has taken what was sent before on other connections: all go through one event loop. */
async function settle(url: string): Promise<void> {
  await (await Caller.at(url)).send(health).answer();
}

test('bodies of which one key withholds the last byte do not keep others from an answer, and the oldest of them is cut', async () => {
  const service = await startService({ keys, limits: { bodyBytes: 64_000 } });
  const body = '{}'.padEnd(1000);
  const held: Caller[] = [];
  for (let i = 0; i < 64; i++) {
    const caller = await Caller.at(service.url);
    held.push(caller.send(requestOf('/swaps/get-swaps', body.slice(0, 999), { key: ANNA, length: 1000 })));
  }
  await settle(service.url);
  // Her own next one is refused: what she has is hers to give up.
  const own = await (await Caller.at(service.url)).send(requestOf('/swaps/get-swaps', body, { key: ANNA })).answer();
  assert.deepEqual([own.status, JSON.parse(own.text).code], [503, 'unavailable']);
  const other = await Caller.at(service.url);
  assert.equal((await other.send(requestOf('/swaps/get-swaps', body, { key: BEN })).answer()).status, 200);
  const cut = await held[0]!.answer();
  assert.equal(cut.status, 503);
  assert.match(JSON.parse(cut.text).error, /came so slowly that others/);
  assert.equal(cut.headers.get('connection'), 'close');
  // The others of hers go on.
  assert.equal((await held[1]!.send(' ').answer()).status, 200);
  for (const { socket } of held) socket.destroy();
  await service.close();
});

test('a body without a known key takes no room', async () => {
  const service = await startService({ keys, limits: { bodyBytes: 1000 }, metrics: { port: 0 } });
  for (let i = 0; i < 3; i++) {
    const caller = await Caller.at(service.url);
    const unknown = requestOf('/swaps/get-swaps', '{}'.padEnd(900), { key: 'unknown-key', length: 1000 });
    assert.equal((await caller.send(unknown).answer()).status, 401);
  }
  assert.match(await (await fetch(service.metricsUrl!)).text(), /^swapfold_http_body_bytes 0$/m);
  await service.close();
});

test('a key with nothing in work is begun beside another that has all places', async () => {
  const service = await startHeldService({ keys, limits: { working: 1, waiting: 0, patience: 60 } });
  service.hold(1);
  const [anna, more, ben] = [await Caller.at(service.url), await Caller.at(service.url), await Caller.at(service.url)];
  anna.send(swaps(ANNA));
  await service.reads(1);
  assert.equal((await more.send(swaps(ANNA)).answer()).status, 503);
  assert.equal((await ben.send(swaps(BEN)).answer()).status, 200);
  service.release();
  assert.equal((await anna.answer()).status, 200);
  await service.close();
});

test('of those who wait the key with the least in work is next, and who fills the queue makes room in it for others', async () => {
  const [anna, ben] = [newShare(), newShare()];
  const gate = new Gate({ working: 2, waiting: 3, patience: 60 });
  const events: string[] = [];
  const enter = async (name: string, share = anna): Promise<void> => {
    try {
      await gate.enter({ isWanted: true, share });
      events.push(name);
    } catch {
      events.push(`${name} refused`);
    }
  };
  const settled = async (): Promise<void> => {
    for (let i = 0; i < 10; i++) await undefined;
  };
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6']) void enter(name);
  void enter('b1', ben);
  void enter('b2', ben);
  await settled();
  // Anna: two in work, three wait, one is refused. Ben: one begins beside them, one takes the place of her newest.
  assert.deepEqual(events.splice(0).sort(), ['a1', 'a2', 'a5 refused', 'a6 refused', 'b1']);
  assert.deepEqual([gate.working, gate.waiting], [3, 3]);
  gate.leave({ isWanted: true, share: anna });
  gate.leave({ isWanted: true, share: anna });
  await settled();
  // Ben has one in work, Anna none.
  assert.deepEqual(events.splice(0), ['a3']);
  gate.leave({ isWanted: true, share: ben });
  await settled();
  assert.deepEqual(events, ['b2']);
  gate.leave({ isWanted: true, share: ben });
  gate.leave({ isWanted: true, share: anna });
  gate.leave({ isWanted: true, share: anna });
  assert.deepEqual([gate.working, gate.waiting], [0, 0]);
});

test('look-ups do not wait behind searches that have all places', async () => {
  const service = await startHeldService({ keys, limits: { working: 1, waiting: 0, patience: 60 } });
  service.hold(1);
  const [search, lookup] = [await Caller.at(service.url), await Caller.at(service.url)];
  search.send(requestOf('/prices/get-price-candles', JSON.stringify({ token: T, interval: 60 }), { key: ANNA }));
  await service.reads(1);
  for (const path of ['/profiles/tokens/get-profile', '/prices/get-price', '/prices/get-price-stats']) {
    const body = JSON.stringify(path.includes('profile') ? { token: T } : { tokens: [T] });
    assert.equal((await lookup.send(requestOf(path, body, { key: ANNA })).answer()).status, 200, path);
  }
  service.release();
  assert.equal((await search.answer()).status, 200);
  await service.close();
});

const isLinux = process.platform === 'linux';

test('an address that has all connections gives one up to another address: the one that asked nothing for longest', {
  skip: isLinux ? false : 'only Linux lets a test call from two loopback addresses',
}, async () => {
  const service = await startService({ keys, connections: 3 });
  const held: Caller[] = [];
  for (let i = 0; i < 3; i++) {
    const caller = await Caller.at(service.url, '127.0.0.1');
    assert.equal((await caller.send(price(ANNA)).answer()).status, 200);
    held.push(caller);
  }
  const closed = once(held[0]!.socket, 'close');
  const other = await Caller.at(service.url, '127.0.0.2');
  assert.equal((await other.send(price(BEN)).answer()).status, 200);
  await closed;
  for (const caller of [held[1]!, held[2]!]) assert.equal((await caller.send(price(ANNA)).answer()).status, 200);
  // Two of three: with as many as the other would have, an address keeps what it has.
  const third = await Caller.at(service.url, '127.0.0.2');
  await once(third.socket, 'close');
  await service.close();
});

test('one address may have so many connections, and others still have theirs', async () => {
  const service = await startService({ keys, connections: 10, connectionsPerAddress: 1 });
  const first = await Caller.at(service.url);
  assert.equal((await first.send(price(ANNA)).answer()).status, 200);
  await once((await Caller.at(service.url)).socket, 'close');
  assert.equal((await first.send(price(ANNA)).answer()).status, 200);
  await service.close();
});

test('where all connections of one address wait for the rest of a body, a new one takes the place of the oldest', async () => {
  const service = await startService({ keys, connections: 2 });
  const slow: Caller[] = [];
  for (let i = 0; i < 2; i++)
    slow.push((await Caller.at(service.url)).send(requestOf('/swaps/get-swaps', '{', { key: ANNA, length: 2 })));
  const closed = once(slow[0]!.socket, 'close');
  for (;;) {
    const caller = await Caller.at(service.url);
    const answer = await Promise.race([caller.send(price(BEN)).answer(), once(caller.socket, 'close')]);
    if ('status' in answer) {
      assert.equal(answer.status, 200);
      break;
    }
    await pause(20);
  }
  await closed;
  assert.equal((await slow[1]!.send('}').answer()).status, 200);
  await service.close();
});

test('answers that a caller does not take are cut where they are more than the server holds for all', async () => {
  const service = await startService({ keys, limits: { unsentBytes: 100_000 }, metrics: { port: 0 } });
  const [stalled, other] = [await Caller.at(service.url), await Caller.at(service.url)];
  assert.equal((await other.send(price(BEN)).answer()).status, 200);
  stalled.socket.pause();
  // More than the buffers between the two ends hold.
  stalled.send('GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(500));
  const connections = async (): Promise<number> => {
    const text = await (await fetch(service.metricsUrl!)).text();
    return Number(/^swapfold_http_connections (\d+)$/m.exec(text)![1]);
  };
  while ((await connections()) > 1) await pause(20);
  assert.equal((await other.send(price(BEN)).answer()).status, 200);
  await service.close();
});

const items = Array.from({ length: 100 }, (_, i) => ({ name: `"${i}"`, value: i / 3, missing: undefined, none: null }));
for (const [name, answer] of [
  ['a list', items],
  ['a frozen list', Object.freeze([...items])],
  ['a page', { count: 100, cursor: undefined, data: items, plan: { where: 'é' } }],
  ['an empty page', { count: 0, data: [] }],
  ['a list of lists', [items, [], items.map((item) => [item])]],
  ['an object', items[0]],
] as const) {
  test(`${name} is written in turns as JSON.stringify writes it`, async () => {
    const share = newShare();
    for (const _ of [1, 2]) {
      const written = await answerText(answer, share);
      assert.equal(typeof written === 'string' ? written : written.text, JSON.stringify(answer));
    }
  });
}
