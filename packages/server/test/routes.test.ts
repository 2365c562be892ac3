import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asked, BASE, exchange, KEY, type Service, startService, T } from './service.ts';

let service: Service;
before(async () => {
  service = await startService();
});
after(() => service.close());

const price = `${BASE}/prices/get-price`;
const body = JSON.stringify({ tokens: [T] });
const headers = { 'content-type': 'application/json', 'x-api-key': KEY };

test('every operation of the table has a route, and none answers another method than POST', async () => {
  assert.ok(asked.length >= 13);
  for (const { path } of asked) {
    const posted = await service.post(path, '[]');
    assert.deepEqual([posted.status, posted.json.code], [400, 'invalid-request'], path);
    for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const { status, headers: sent, json } = await service.request(BASE + path, { method, headers });
      assert.equal(status, 405, `${method} ${path}`);
      assert.equal(sent.get('allow'), 'POST');
      if (method === 'HEAD') continue;
      assert.equal(json.code, 'method-not-allowed');
      assert.equal(json.error, `${BASE}${path} takes POST, not ${method}.`);
    }
  }
});

for (const path of ['/healthz', '/readyz', '/openapi.json']) {
  test(`${path} is open without a key, for GET and HEAD only`, async () => {
    const got = await service.request(path);
    assert.equal(got.status, 200);
    assert.equal(got.headers.get('content-type'), 'application/json; charset=utf-8');
    const head = await service.request(path, { method: 'HEAD' });
    assert.deepEqual([head.status, head.text], [200, '']);
    assert.equal(head.headers.get('content-length'), got.headers.get('content-length'));
    const posted = await service.request(path, { method: 'POST', headers, body });
    assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD']);
  });
}

test('healthz and readyz say that all is well', async () => {
  assert.deepEqual((await service.request('/healthz')).json, { status: 'ok' });
  const { status, lag_seconds, rows_followed, ...ages } = (await service.request('/readyz')).json;
  const { profiles_age_seconds, full_refresh_age_seconds } = ages;
  assert.deepEqual([status, rows_followed], ['ready', 0]);
  // The newest swap and the profiles are of 2024.
  assert.ok(lag_seconds > 30_000_000 && profiles_age_seconds === lag_seconds);
  assert.ok(full_refresh_age_seconds >= 0 && full_refresh_age_seconds < 600);
});

const unknown: readonly (readonly [because: string, path: string, nearest: string | undefined])[] = [
  ['a typing error', `${BASE}/prices/get-prise`, price],
  ['a slash at the end', `${price}/`, price],
  ['upper case', price.toUpperCase(), price],
  ['another chain', '/v1/ethereum/dex/prices/get-price', price],
  ['another version', '/v2/solana/dex/prices/get-price', price],
  ['a path without its prefix', '/prices/get-price', undefined],
  ['percent-encoding, which is not decoded', `${BASE}/prices/get%2Dprice`, price],
  ['the root', '/', undefined],
  ['something else', '/admin', undefined],
  ['a health check misspelt', '/health', '/healthz'],
];
for (const [because, path, nearest] of unknown) {
  test(`an unknown route is 404 without and with a key, and names the nearest: ${because}`, async () => {
    for (const init of [{}, { method: 'POST', headers, body }]) {
      // fetch would tidy the path up.
      const { status, json } = await raw(path, init);
      assert.deepEqual([status, json.code, json.details], [404, 'not-found', []]);
      const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
      assert.equal(json.error, `There is no route "${path}".${hint} GET /openapi.json lists the routes.`);
    }
  });
}

async function raw(path: string, init: { method?: string; headers?: Record<string, string>; body?: string }) {
  const { method = 'GET', headers: given = {}, body: sent = '' } = init;
  const lines = Object.entries({ ...given, 'content-length': String(sent.length) }).map(([k, v]) => `${k}: ${v}`);
  const text = await exchange(
    service.url,
    `${method} ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${lines.join('\r\n')}\r\n\r\n${sent}`,
  );
  const [head, answer] = text.split('\r\n\r\n');
  return { status: Number(head!.split(' ')[1]), json: JSON.parse(answer!) };
}

test('a query string and an absolute target change nothing', async () => {
  for (const path of [
    `${price}?tokens=x`,
    `${price}?`,
    `http://elsewhere${price}`,
    `HTTP://elsewhere:80${price}?a=b`,
  ]) {
    const { status, json } = await raw(path, { method: 'POST', headers, body });
    assert.equal(status, 200, path);
    assert.equal(json[0].token, T);
  }
});

test('a long path is shortened in the answer', async () => {
  const { json } = await raw(`/${'x'.repeat(5000)}`, {});
  assert.ok(json.error.length < 200);
});

test('other chains have other paths', async () => {
  const { createServer } = await import('node:http');
  const { memory, Swapfold } = await import('@swapfold/core');
  const { createHandler } = await import('../src/index.ts');
  const dex = await Swapfold.open({ storage: memory(), config: { preset: 'ethereum' } });
  const server = createServer(createHandler(dex, { keys: 'none' }).listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  const ask = (path: string, wallet: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ wallet }),
    });
  const path = '/v1/ethereum/dex/portfolios/get-portfolio';
  assert.equal((await ask(path, `0x${'A'.repeat(40)}`)).status, 200);
  assert.equal((await ask(path, 'A'.repeat(44))).status, 400);
  assert.equal((await ask(`${BASE}/portfolios/get-portfolio`, `0x${'a'.repeat(40)}`)).status, 404);
  assert.equal((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 200);
  server.closeAllConnections();
  server.close();
  await dex.close();
});

const id = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const requestIds: readonly (readonly [because: string, given: string | undefined, isKept: boolean])[] = [
  ['none is given', undefined, false],
  ['a plain name', 'build-42_a.b:c', true],
  ['128 characters', 'a'.repeat(128), true],
  ['129 characters', 'a'.repeat(129), false],
  ['a space in it', 'a b', false],
  ['a quote in it', 'a"b', false],
  ['an empty one', '', false],
];
for (const [because, given, isKept] of requestIds) {
  test(`X-Request-Id is the caller's where it is a plain name, else a new one: ${because}`, async () => {
    const { headers: sent, json } = await service.post(
      '/prices/get-price',
      {},
      given === undefined ? {} : { 'x-request-id': given },
    );
    const answered = sent.get('x-request-id')!;
    assert.equal(json.request_id, answered);
    if (isKept) assert.equal(answered, given);
    else assert.match(answered, id);
  });
}

test('an answer that succeeds carries a request id too, and no CORS headers', async () => {
  const { headers: sent } = await service.post('/prices/get-price', { tokens: [T] }, { origin: 'https://example.com' });
  assert.match(sent.get('x-request-id')!, id);
  assert.deepEqual(
    [...sent.keys()].filter((name) => name.startsWith('access-control')),
    [],
  );
});
