import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { type Swapfold, SwapfoldError } from '@swapfold/core';
import { errorCodes } from '@swapfold/core/host';
import { createHandler, type Keys, serve } from '../src/index.ts';
import { Caller, requestOf } from './held-service.ts';
import { asked, exchange, KEY, openStore, type Service, startService, T } from './service.ts';

const FIRST = 'first-key-of-two';
const SECOND = 'second-key-of-two';
const sha256 = (key: string) => `sha256:${createHash('sha256').update(key).digest('hex')}`;

async function withService(keys: Keys | undefined, body: (service: Service) => Promise<void>): Promise<void> {
  const service = await startService(keys === undefined ? {} : { keys });
  try {
    await body(service);
  } finally {
    await service.close();
  }
}

const price = (service: Service, key: string | undefined) =>
  service.request('/v1/solana/dex/prices/get-price', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { 'x-api-key': key }) },
    body: JSON.stringify({ tokens: [T] }),
  });

test('every route of the interface asks for a key', () =>
  withService([FIRST], async (service) => {
    for (const { path } of asked) {
      const missing = await service.request(`/v1/solana/dex${path}`, { method: 'POST' });
      assert.deepEqual([missing.status, missing.json.code], [401, 'unauthorized'], path);
      assert.equal(missing.headers.get('www-authenticate'), 'ApiKey realm="swapfold"');
      const wrong = await service.post(path, {}, { 'x-api-key': 'wrong-key' });
      assert.deepEqual([wrong.status, wrong.json.code], [401, 'unauthorized'], path);
    }
  }));

const entries: readonly (readonly [because: string, keys: Keys])[] = [
  ['plain', [FIRST, SECOND]],
  ['hashed', [sha256(FIRST), sha256(SECOND)]],
  ['hashed, in upper case', [sha256(FIRST).toUpperCase().replace('SHA256', 'sha256'), SECOND]],
];
for (const [because, keys] of entries) {
  test(`each configured key lets its holder in: ${because}`, () =>
    withService(keys, async (service) => {
      assert.equal((await price(service, FIRST)).status, 200);
      assert.equal((await price(service, SECOND)).status, 200);
    }));

  const wrong = ['', 'f', FIRST.slice(0, -1), `${FIRST}x`, FIRST.toUpperCase(), sha256(FIRST), `${FIRST},${SECOND}`];
  test(`nothing else does: ${because}`, () =>
    withService(keys, async (service) => {
      for (const key of [undefined, ...wrong]) {
        const { status, json, text } = await price(service, key);
        assert.deepEqual([status, json.code, json.details], [401, 'unauthorized', []], key);
        assert.match(
          json.error,
          key
            ? /is not known here; send one that the operator has configured/
            : /has no API key; send one in the X-Api-Key header/,
        );
        if (key) assert.ok(!text.includes(`"${key}"`));
      }
    }));
}

test('two X-Api-Key headers are no key, though each were right', () =>
  withService([FIRST, SECOND], async (service) => {
    const answer = await exchange(
      service.url,
      `POST /v1/solana/dex/prices/get-price HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-api-key: ${FIRST}\r\nx-api-key: ${SECOND}\r\ncontent-length: 0\r\n\r\n`,
    );
    assert.match(answer, /^HTTP\/1.1 401 /);
  }));

test('a key beyond ASCII is compared by its UTF-8 bytes', () =>
  withService(['schlüssel-nummer-1'], async (service) => {
    const answer = await exchange(
      service.url,
      'POST /v1/solana/dex/swaps/get-swaps HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\nx-api-key: schlüssel-nummer-1\r\ncontent-length: 2\r\n\r\n{}',
    );
    assert.match(answer, /^HTTP\/1.1 200 /);
  }));

test('a key in the query or the body is no key', () =>
  withService([FIRST], async (service) => {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_key: FIRST }),
    };
    const { status } = await service.request(`/v1/solana/dex/prices/get-price?x-api-key=${FIRST}`, init);
    assert.equal(status, 401);
  }));

test('without the option the keys are those of the configuration', () =>
  withService(undefined, async (service) => {
    assert.equal((await service.post('/prices/get-price', { tokens: [T] })).status, 200);
    assert.equal((await price(service, FIRST)).status, 401);
  }));

test('no keys at all let nobody in, and the answer tells the operator what to do', () =>
  withService([], async (service) => {
    for (const key of [undefined, FIRST]) {
      const { status, json } = await price(service, key);
      assert.deepEqual([status, json.code], [401, 'unauthorized']);
      assert.match(json.error, /no API keys configured.*operator adds keys to "api_keys"/);
    }
    assert.equal((await service.request('/healthz')).status, 200);
  }));

test("keys: 'none' opens the routes to everyone, key or not", () =>
  withService('none', async (service) => {
    assert.equal((await price(service, undefined)).status, 200);
    assert.equal((await price(service, 'any-key-at-all')).status, 200);
  }));

test('a key that names operations may call those and no others', () =>
  withService([FIRST, { key: SECOND, operations: ['prices.latest', 'prices.stats'] }], async (service) => {
    assert.equal((await price(service, SECOND)).status, 200);
    assert.equal((await service.post('/swaps/get-swaps', {}, { 'x-api-key': FIRST })).status, 200);
    const { status, json } = await service.post('/swaps/get-swaps', {}, { 'x-api-key': SECOND });
    assert.deepEqual([status, json.code], [403, 'forbidden']);
    assert.equal(status, errorCodes.forbidden.status);
    assert.equal(json.error, 'This API key may not call swaps.list; it may call prices.latest, prices.stats.');
  }));

test('new keys count at once, on open connections too, and a bad list changes nothing', () =>
  withService([FIRST], async (service) => {
    const ask = (key: string) => requestOf('/prices/get-price', JSON.stringify({ tokens: [T] }), { key });
    const [first, second] = [await Caller.at(service.url), await Caller.at(service.url)];
    assert.equal((await first.send(ask(FIRST)).answer()).status, 200);
    assert.equal((await second.send(ask(SECOND)).answer()).status, 401);
    service.setKeys([sha256(SECOND)]);
    assert.equal((await first.send(ask(FIRST)).answer()).status, 401);
    assert.equal((await second.send(ask(SECOND)).answer()).status, 200);
    assert.throws(() => service.setKeys([FIRST, 'short']), { code: 'invalid-config' });
    assert.equal((await first.send(ask(FIRST)).answer()).status, 401);
    assert.equal((await second.send(ask(SECOND)).answer()).status, 200);
    service.setKeys([]);
    assert.equal((await second.send(ask(SECOND)).answer()).status, 401);
  }));

test('keys that are set before the store is open go before those of its configuration', async () => {
  const dex = await openStore();
  let open!: (dex: Swapfold) => void;
  const opening = new Promise<Swapfold>((resolve) => {
    open = resolve;
  });
  const server = await serve(opening, { port: 0 });
  server.setKeys([FIRST]);
  open(dex);
  await server.ready;
  const caller = await Caller.at(server.url);
  const ask = (key: string) => caller.send(requestOf('/swaps/get-swaps', '{}', { key })).answer();
  assert.equal((await ask(KEY)).status, 401);
  assert.equal((await ask(FIRST)).status, 200);
  await server.close();
  await dex.close();
});

test('an open server takes no keys while it runs', () =>
  withService('none', async (service) => {
    assert.throws(() => service.setKeys([FIRST]), { code: 'invalid-config', message: /started without keys/ });
    assert.equal((await price(service, undefined)).status, 200);
  }));

const unreadable: readonly (readonly [because: string, keys: Keys, says: RegExp])[] = [
  ['seven characters', [FIRST, 'short-7'], /^"keys.1": a key has at least 8 characters/],
  ['a space in it', ['two words here'], /^"keys.0": .*none of them a space/],
  ['a line break in it', ['a-key-and\nmore'], /^"keys.0": .*control character/],
  ['a hash that is too short', ['sha256:abcdef'], /^"keys.0": after "sha256:" come 64 hex digits/],
  [
    'an operation that does not exist',
    [{ key: FIRST, operations: ['price.latest'] }],
    /no operation "price.latest". Did you mean "prices.latest"\?/,
  ],
  ['a number', [FIRST, 12345678 as never], /^"keys.1": expected a key, or an object with "key"/],
  ['an object without a key', [{ operations: [] } as never], /^"keys.0": the key is a text/],
  ['operations that are no list', [{ key: FIRST, operations: 'prices.latest' as never }], /"operations" is a list/],
  ['an unknown field', [{ key: FIRST, nmae: 'x' } as never], /no field "nmae". Did you mean "name"\?/],
  ['a field like no other', [{ key: FIRST, burst: 5 } as never], /^"keys.0": there is no field "burst"\.$/],
  ['a name with a line break', [{ key: FIRST, name: 'a\nb' }], /"name" is 1 to 64 printable ASCII characters/],
];
for (const [because, keys, says] of unreadable) {
  test(`keys that cannot be read are refused at the start, without repeating them: ${because}`, async () => {
    const dex = await openStore();
    assert.throws(
      () => createHandler(dex, { keys }),
      (error) => {
        assert.ok(error instanceof SwapfoldError);
        assert.equal(error.code, 'invalid-config');
        assert.match(error.message, says);
        for (const key of ['short-7', 'two words here', 'a-key-and', 'abcdef', FIRST])
          assert.ok(!error.message.includes(key));
        return true;
      },
    );
    await dex.close();
  });
}
