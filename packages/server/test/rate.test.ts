import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SwapfoldError } from '@swapfold/core';
import { createHandler, type Rate } from '../src/index.ts';
import { Addresses, TokenBucket } from '../src/rate.ts';
import { type Answer, openStore, type Service, startService, T } from './service.ts';

test('a bucket gives its burst at once, then one token each time one has come back', () => {
  const bucket = new TokenBucket({ perSecond: 2, burst: 3 });
  const taken = [100, 100, 100, 100, 100.25, 100.5, 100.5, 101].map((now) => bucket.take(now));
  // Empty after three; half a second makes one. A refused request takes nothing.
  assert.deepEqual(taken, [0, 0, 0, 0.5, 0.25, 0, 0.5, 0]);
});

test('a bucket never holds more than its burst, however long the pause', () => {
  const bucket = new TokenBucket({ perSecond: 10, burst: 2 });
  assert.deepEqual([bucket.take(0), bucket.take(1e6), bucket.take(1e6), bucket.take(1e6)], [0, 0, 0, 0.1]);
});

const bursts: readonly (readonly [perSecond: number, requests: number])[] = [
  [0.01, 1],
  [1, 1],
  [2.5, 3],
];
for (const [perSecond, requests] of bursts) {
  test(`without a burst, ${perSecond} a second allow ${requests} at once`, () => {
    const bucket = new TokenBucket({ perSecond });
    for (let i = 0; i < requests; i++) assert.equal(bucket.take(5), 0);
    assert.ok(bucket.take(5) > 0);
  });
}

test('the headers tell the burst, the seconds in which it comes back, what is left and when all of it is back', () => {
  const bucket = new TokenBucket({ perSecond: 4, burst: 10 });
  for (let i = 0; i < 5; i++) bucket.take(7);
  assert.deepEqual(bucket.headers(), { 'RateLimit-Policy': '"default";q=10;w=3', RateLimit: '"default";r=5;t=2' });
});

test('addresses are remembered up to a number, and the one that has not called for longest is forgotten', () => {
  const buckets = new Addresses({ perSecond: 1, burst: 1 }, 2);
  assert.equal(buckets.of('10.0.0.1').bucket!.take(0), 0);
  assert.equal(buckets.of('10.0.0.2').bucket!.take(0), 0);
  assert.equal(buckets.of('10.0.0.1').bucket!.take(0), 1);
  assert.equal(buckets.of('10.0.0.3').bucket!.take(0), 0);
  assert.equal(buckets.size, 2);
  assert.equal(buckets.of('10.0.0.1').bucket!.take(0), 1);
  assert.equal(buckets.of('10.0.0.2').bucket!.take(0), 0);
});

const addresses: readonly (readonly [because: string, one: string, other: string, isSame: boolean])[] = [
  ['IPv4 addresses differ in any part', '10.0.0.1', '10.0.0.2', false],
  ['IPv4 within IPv6 is the same IPv4', '::ffff:10.0.0.1', '10.0.0.1', true],
  ['IPv6 addresses of one /64 are one caller', '2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', true],
  ['IPv6 addresses of two /64 are two', '2001:db8:1:2::1', '2001:db8:1:3::1', false],
  ['zeros left out count', '2001:db8::1', '2001:db8:0:0:5::', true],
  ['the loopback is a caller as well', '::1', '2001:db8::1', false],
];
for (const [because, one, other, isSame] of addresses) {
  test(`${because}: ${one}, ${other}`, () => {
    const buckets = new Addresses({ perSecond: 1 }, 10);
    assert.equal(buckets.of(one) === buckets.of(other), isSame);
  });
}

const [ANNA, BEN] = ['key-of-anna', 'key-of-ben'];
const ask = (service: Service, key: string, body: unknown = { tokens: [T] }): Promise<Answer> =>
  service.post('/prices/get-price', body, { 'x-api-key': key });

test('a key that has used up its rate is 429 until it has come back, and other keys are not', async () => {
  const service = await startService({ keys: [ANNA, BEN], rate: { perSecond: 0.001, burst: 2 } });
  const first = await ask(service, ANNA);
  assert.equal(first.status, 200);
  assert.equal(first.headers.get('ratelimit-policy'), '"default";q=2;w=2000');
  assert.equal(first.headers.get('ratelimit'), '"default";r=1;t=1000');
  // A request that is refused for its body counts too.
  assert.equal((await ask(service, ANNA, {})).status, 400);
  const { status, json, headers } = await ask(service, ANNA);
  assert.deepEqual([status, json.code, json.details], [429, 'rate-limited', []]);
  const wait = Number(headers.get('retry-after'));
  assert.ok(wait > 900 && wait <= 1000, String(wait));
  assert.equal(json.error, `The rate is used up; wait ${wait} s before the next request.`);
  assert.match(headers.get('ratelimit')!, /^"default";r=0;t=\d+$/);
  assert.equal((await ask(service, BEN)).status, 200);
  await service.close();
});

test('wrong keys use up nothing, and routes without a key have no rate', async () => {
  const service = await startService({ keys: [ANNA], rate: { perSecond: 0.001, burst: 1 } });
  for (let i = 0; i < 3; i++) {
    assert.equal((await ask(service, 'not-a-key')).status, 401);
    const { status, headers } = await service.request('/healthz');
    assert.deepEqual([status, headers.has('ratelimit')], [200, false]);
  }
  assert.equal((await ask(service, ANNA)).status, 200);
  await service.close();
});

test("a key's own rate goes before that of the server, and without either there is none", async () => {
  const keys = [{ key: ANNA, rate: { perSecond: 0.001, burst: 1 } }, BEN];
  const service = await startService({ keys });
  assert.equal((await ask(service, ANNA)).status, 200);
  assert.equal((await ask(service, ANNA)).status, 429);
  for (let i = 0; i < 5; i++) {
    const { status, headers } = await ask(service, BEN);
    assert.deepEqual([status, headers.has('ratelimit'), headers.has('ratelimit-policy')], [200, false, false]);
  }
  await service.close();
});

test('where no key is asked for, the rate is that of the address', async () => {
  const service = await startService({ keys: 'none', rate: { perSecond: 0.001, burst: 1 } });
  assert.equal((await ask(service, 'one-key')).status, 200);
  assert.equal((await ask(service, 'another-key')).status, 429);
  await service.close();
});

test('new keys do not give back what a key has used, but a new rate does', async () => {
  const rate = { perSecond: 0.001, burst: 1 };
  const service = await startService({ keys: [ANNA], rate });
  assert.equal((await ask(service, ANNA)).status, 200);
  service.setKeys([BEN, ANNA]);
  assert.equal((await ask(service, ANNA)).status, 429);
  assert.equal((await ask(service, BEN)).status, 200);
  service.setKeys([{ key: ANNA, rate: { perSecond: 0.001, burst: 2 } }]);
  assert.equal((await ask(service, ANNA)).status, 200);
  await service.close();
});

const invalid: readonly (readonly [rate: unknown, says: string])[] = [
  [5, '"rate": expected an object with "perSecond", received 5.'],
  [{}, '"rate.perSecond": expected a number above 0, received undefined.'],
  [{ perSecond: 0 }, '"rate.perSecond": expected a number above 0, received 0.'],
  [{ perSecond: Infinity }, '"rate.perSecond": expected a number above 0, received Infinity.'],
  [{ perSecond: 1, burst: 0 }, '"rate.burst": expected a whole number from 1, received 0.'],
  [{ perSecond: 1, brust: 5 }, '"rate": there is no field "brust"; known are perSecond and burst.'],
];
for (const [rate, says] of invalid) {
  test(`a rate that means nothing is refused: ${JSON.stringify(rate)}`, async () => {
    const dex = await openStore();
    assert.throws(
      () => createHandler(dex, { rate: rate as Rate }),
      (error) => error instanceof SwapfoldError && error.code === 'invalid-config' && error.message === says,
    );
    assert.throws(
      () => createHandler(dex, { keys: ['a-good-key', { key: ANNA, rate: rate as Rate }] }),
      (error) => error instanceof SwapfoldError && error.message === says.replace('"rate', '"keys.1.rate'),
    );
    await dex.close();
  });
}
