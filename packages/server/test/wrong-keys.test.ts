import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServeOptions } from '../src/index.ts';
import { WrongKeys } from '../src/wrong-keys.ts';
import { openSocket } from './live-client.ts';
import { KEY, type Service, startService, T, WRONG } from './service.ts';

/** Answers to slowed keys come a second late; a machine that is slow answers others later than at once. */
const LATE = 900;

interface Line {
  readonly [field: string]: unknown;
}

async function startLogged(options: ServeOptions): Promise<{ service: Service; lines: Line[] }> {
  const lines: Line[] = [];
  const keep = (fields: object, message: string): void => void lines.push({ ...fields, message });
  return { service: await startService({ ...options, logger: { info: keep, error: keep } }), lines };
}

async function ask(service: Service, key: string, address: string): Promise<{ status: number; ms: number }> {
  const begun = performance.now();
  const headers = { 'x-api-key': key, 'x-forwarded-for': address };
  const { status } = await service.post('/prices/get-price', { tokens: [T] }, headers);
  return { status, ms: performance.now() - begun };
}

test('wrong keys beyond the limit are answered late, right ones of the same address and wrong ones of others are not', async () => {
  const { service, lines } = await startLogged({ limits: { wrongKeys: 2 }, trustProxy: 1, metrics: { port: 0 } });
  const [guesser, other] = ['203.0.113.7', '203.0.113.8'];
  for (let i = 0; i < 2; i++) assert.equal((await ask(service, WRONG, guesser)).status, 401);
  let isAnswered = false;
  const slowed = ask(service, WRONG, guesser).finally(() => {
    isAnswered = true;
  });
  assert.equal((await ask(service, KEY, guesser)).status, 200);
  assert.equal((await ask(service, WRONG, other)).status, 401);
  assert.equal(isAnswered, false, 'the answer to the third is still to come');
  const { status, ms } = await slowed;
  assert.deepEqual([status, ms > LATE], [401, true], `${ms} ms`);
  const told = lines.filter(({ message }) => message === 'many wrong API keys: their answers come late');
  assert.deepEqual(told, [{ peer: guesser, wrong_keys: 1, message: told[0]!.message }]);
  const peers = lines.filter((line) => line.status === 401).map(({ peer }) => peer);
  assert.deepEqual(peers, [guesser, guesser, other, guesser]);
  assert.ok(lines.every((line) => line.status !== 200 || line.peer === undefined));
  assert.match(await (await fetch(service.metricsUrl!)).text(), /^swapfold_wrong_keys_total 4$/m);
  await service.close();
});

test('requests without a key are counted as no wrong ones', async () => {
  const { service, lines } = await startLogged({ limits: { wrongKeys: 1 } });
  for (let i = 0; i < 5; i++) assert.equal((await ask(service, '', 'x')).status, 401);
  assert.ok(lines.every(({ message }) => message === 'request'));
  await service.close();
});

test('a handshake and a key that comes by WebSocket count, too', async () => {
  const { service, lines } = await startLogged({ limits: { wrongKeys: 1 } });
  await assert.rejects(openSocket(service.url, { 'x-api-key': WRONG }));
  const socket = await openSocket(service.url);
  const begun = performance.now();
  assert.equal((await socket.ask({ method: 'authenticate', key: WRONG })).code, 'unauthorized');
  assert.ok(performance.now() - begun > LATE);
  assert.equal((await socket.closed()).code, 1008);
  assert.deepEqual(
    lines.map(({ message, peer }) => [message, peer]),
    [['many wrong API keys: their answers come late', '127.0.0.1']],
  );
  await service.close();
});

/** How each wrong key is answered that is so at once: whether it is many, and whether the connection closes. */
function taken(keys: WrongKeys, addresses: readonly string[]): unknown[] {
  const answers: unknown[] = [];
  for (const address of addresses) {
    let answer: unknown = 'later';
    keys.take(address, ({ isMany, isLast }) => {
      answer = [isMany, isLast];
    });
    answers.push(answer);
  }
  return answers;
}

const atOnce = [false, false];
const closed = [true, true];

test('a flood holds no more answers than may wait; beyond them the connection closes', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const keys = new WrongKeys(1, 2);
  assert.deepEqual(taken(keys, ['a', 'a', 'a', 'a', 'b']), [atOnce, 'later', 'later', closed, atOnce]);
  t.mock.timers.tick(1000);
  assert.deepEqual(taken(keys, ['a']), ['later']);
  t.mock.timers.tick(1000);
});

test('an address is forgotten after a minute, and after ten thousand others', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let now = 1_000_000;
  t.mock.method(performance, 'now', () => now);
  const keys = new WrongKeys(2);
  assert.deepEqual(taken(keys, ['a', 'a', 'a']), [atOnce, atOnce, 'later']);
  // Half a minute gives one of the two back.
  now += 30_001;
  assert.deepEqual(taken(keys, ['a', 'a']), [atOnce, 'later']);
  now += 60_001;
  assert.deepEqual(taken(keys, ['a', 'a', 'a']), [atOnce, atOnce, 'later']);
  taken(
    keys,
    Array.from({ length: 10_000 }, (_, i) => `other ${i}`),
  );
  assert.deepEqual(taken(keys, ['a']), [atOnce]);
  t.mock.timers.tick(1000);
});

test('IPv6 addresses of one /64 count as one', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  assert.deepEqual(taken(new WrongKeys(1), ['2001:db8:1:2::1', '2001:db8:1:2::2', '2001:db8:1:3::1']), [
    atOnce,
    'later',
    atOnce,
  ]);
  t.mock.timers.tick(1000);
});

test('a limit of no wrong keys is refused', async () => {
  await assert.rejects(startService({ limits: { wrongKeys: 0 } }), {
    code: 'invalid-config',
    message: '"limits.wrongKeys": expected a whole number from 1, received 0.',
  });
});
