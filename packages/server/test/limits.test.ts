import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { SwapfoldError } from '@swapfold/core';
import { createHandler, type Limits, serve } from '../src/index.ts';
import { Caller, requestOf, startHeldService } from './held-service.ts';
import { openStore, START, startService, T } from './service.ts';

const swaps = requestOf('/swaps/get-swaps', '{}');
const price = requestOf('/prices/get-price', JSON.stringify({ tokens: [T] }));

/** What a request that was turned away is answered. */
function assertRefused(answer: { status: number; headers: Headers; text: string }, says: RegExp): void {
  const { code, error } = JSON.parse(answer.text);
  assert.deepEqual([answer.status, code, answer.headers.get('retry-after')], [503, 'unavailable', '1'], answer.text);
  assert.match(error, says);
}

test('beyond the requests in work and those that wait, one is 503 before its body is read, and the others are answered', async () => {
  const service = await startHeldService({ limits: { working: 1, waiting: 1, patience: 60 } });
  service.hold(1);
  const [first, second, third] = [
    await Caller.at(service.url),
    await Caller.at(service.url),
    await Caller.at(service.url),
  ];
  first.send(swaps);
  await service.reads(1);
  second.send(swaps);
  const withoutBody = requestOf('/swaps/get-swaps', '', { length: 2 });
  third.send(withoutBody);
  assertRefused(await third.answer(), /works on 1 requests and 1 more wait/);
  // Its connection goes on where the body ends.
  third.send('{}').send('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
  assert.equal((await third.answer()).status, 200);
  assert.equal(service.begun(), 1);
  service.release();
  assert.equal((await first.answer()).status, 200);
  assert.equal((await second.answer()).status, 200);
  assert.equal((await third.send(swaps).answer()).status, 200);
  await service.close();
});

test('a request that waits too long is 503, and the next is answered as soon as there is a place', async () => {
  const service = await startHeldService({ limits: { working: 1, waiting: 5, patience: 0.05 } });
  service.hold(1);
  const [first, second] = [await Caller.at(service.url), await Caller.at(service.url)];
  first.send(swaps);
  await service.reads(1);
  assertRefused(await second.send(swaps).answer(), /waited 0.05 s for its turn/);
  service.release();
  assert.equal((await first.answer()).status, 200);
  assert.equal((await second.send(swaps).answer()).status, 200);
  await service.close();
});

test('a request whose caller has hung up by its turn is not begun', async () => {
  const service = await startHeldService({ limits: { working: 1, waiting: 5, patience: 60 } });
  service.hold(1);
  const [first, gone, last] = [
    await Caller.at(service.url),
    await Caller.at(service.url),
    await Caller.at(service.url),
  ];
  first.send(swaps);
  await service.reads(1);
  gone.send(swaps);
  last.send(swaps);
  // Read after the two before it, for all go through one event loop.
  const probe = await Caller.at(service.url);
  await probe.send('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n').answer();
  gone.socket.destroy();
  await once(gone.socket, 'close');
  await probe.send('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n').answer();
  service.release();
  assert.equal((await first.answer()).status, 200);
  assert.equal((await last.answer()).status, 200);
  assert.equal(service.begun(), 2);
  await service.close();
});

test('a caller that hangs up gives the place of its question back, though the store has not answered', async () => {
  const service = await startHeldService({ limits: { working: 1, waiting: 5, patience: 60 } });
  service.hold(1);
  const [gone, next] = [await Caller.at(service.url), await Caller.at(service.url)];
  gone.send(swaps);
  await service.reads(1);
  gone.socket.destroy();
  assert.equal((await next.send(swaps).answer()).status, 200);
  service.release();
  await service.close();
});

test('get-price does not wait behind slow questions', async () => {
  const service = await startHeldService({ limits: { working: 1, waiting: 0, patience: 60 } });
  service.hold(1);
  const [slow, quick] = [await Caller.at(service.url), await Caller.at(service.url)];
  slow.send(swaps);
  await service.reads(1);
  assertRefused(await quick.send(swaps).answer(), /works on 1 requests and 0 more wait/);
  assert.equal((await quick.send(price).answer()).status, 200);
  service.release();
  assert.equal((await slow.answer()).status, 200);
  await service.close();
});

test('requests sent one after another without waiting are answered in their order', async () => {
  const service = await startHeldService();
  service.hold(1);
  const caller = await Caller.at(service.url);
  const id = (name: string) => ({ lines: `x-request-id: ${name}\r\n` });
  const inOrder = ['slow', 'healthy', 'wrong', 'priced'];
  caller.send(
    [
      requestOf('/swaps/get-swaps', '{}', id('slow')),
      'GET /healthz HTTP/1.1\r\nhost: x\r\nx-request-id: healthy\r\n\r\n',
      requestOf('/swaps/get-swaps', '{"limit": 0}', id('wrong')),
      requestOf('/prices/get-price', JSON.stringify({ tokens: [T] }), id('priced')),
    ].join(''),
  );
  await service.reads(1);
  service.release();
  const answers = [];
  for (let i = 0; i < inOrder.length; i++) answers.push(await caller.answer());
  assert.deepEqual(
    answers.map(({ headers, status }) => [headers.get('x-request-id'), status]),
    [
      ['slow', 200],
      ['healthy', 200],
      ['wrong', 400],
      ['priced', 200],
    ],
  );
  assert.equal(JSON.parse(answers[3]!.text)[0].block_time, START + 3600);
  await service.close();
});

test('bodies of all callers together are bounded, and give their place back however they end', async () => {
  const service = await startService({ limits: { bodyBytes: 100 } });
  const body = '{}'.padEnd(80);
  const half = (caller: Caller) => caller.send(requestOf('/swaps/get-swaps', body.slice(0, 60), { length: 80 }));
  const settle = async () => (await Caller.at(service.url)).send('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n').answer();
  const [slow, other] = [await Caller.at(service.url), await Caller.at(service.url)];
  half(slow);
  await settle();
  assertRefused(await other.send(requestOf('/swaps/get-swaps', body)).answer(), /too many large requests/);
  const chunked = await Caller.at(service.url);
  const head = requestOf('/swaps/get-swaps', '').replace(/content-length: 0/, 'transfer-encoding: chunked');
  assertRefused(await chunked.send(`${head}50\r\n${body}\r\n`).answer(), /too many large requests/);
  assert.equal((await slow.send(body.slice(60)).answer()).status, 200);
  half(slow);
  await settle();
  slow.socket.destroy();
  await once(slow.socket, 'close');
  await settle();
  assert.equal((await other.send(requestOf('/swaps/get-swaps', body)).answer()).status, 200);
  assert.equal((await other.send(requestOf('/swaps/get-swaps', body)).answer()).status, 200);
  await service.close();
});

test('a connection too many is closed at once, and there is room again when another ends', async () => {
  const service = await startService({ connections: 2 });
  const [first, second] = [await Caller.at(service.url), await Caller.at(service.url)];
  for (const caller of [first, second]) assert.equal((await caller.send(price).answer()).status, 200);
  const third = await Caller.at(service.url);
  await once(third.socket, 'close');
  first.socket.end();
  await once(first.socket, 'close');
  assert.equal((await (await Caller.at(service.url)).send(price).answer()).status, 200);
  await service.close();
});

test('a caller that takes nothing of its answers loses the connection, and nobody else does', async () => {
  const service = await startService({ timeouts: { stall: 0.2 } });
  const [stalled, idle] = [await Caller.at(service.url), await Caller.at(service.url)];
  assert.equal((await idle.send(price).answer()).status, 200);
  stalled.socket.pause();
  const ask = 'GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n';
  // More than the buffers between the two ends hold.
  stalled.send(ask.repeat(500));
  // A caller that does not read learns of the end when it writes.
  while (!stalled.socket.destroyed) {
    stalled.send(ask);
    assert.equal((await idle.send(price).answer()).status, 200);
  }
  await service.close();
});

const invalid: readonly (readonly [limits: Limits, says: string])[] = [
  [{ working: 0 }, '"limits.working": expected a whole number from 1, received 0.'],
  [{ working: 1.5 }, '"limits.working": expected a whole number from 1, received 1.5.'],
  [{ waiting: -1 }, '"limits.waiting": expected a whole number from 0, received -1.'],
  [{ bodyBytes: Number.NaN }, '"limits.bodyBytes": expected a whole number from 1, received NaN.'],
  [{ patience: 0 }, '"limits.patience": expected seconds above 0, at most 3600, received 0.'],
];
for (const [limits, says] of invalid) {
  test(`limits that mean nothing are refused: ${JSON.stringify(limits)}`, async () => {
    const dex = await openStore();
    const isInvalid = (error: unknown): boolean => {
      assert.ok(error instanceof SwapfoldError);
      assert.deepEqual([error.code, error.message], ['invalid-config', says]);
      return true;
    };
    assert.throws(() => createHandler(dex, { limits }), isInvalid);
    await assert.rejects(serve(dex, { port: 0, limits }), isInvalid);
    await dex.close();
  });
}

test('connections that mean nothing are refused', async () => {
  const dex = await openStore();
  for (const name of ['connections', 'connectionsPerAddress'])
    await assert.rejects(serve(dex, { port: 0, [name]: 0 }), {
      code: 'invalid-config',
      message: `"${name}": expected a whole number from 1, received 0.`,
    });
  await dex.close();
});
