import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { at, BASE, exchange, KEY, type Service, START, startService, T, USDC } from './service.ts';

let service: Service;
before(async () => {
  service = await startService();
});
after(() => service.close());

/** A POST as bytes; `rest` are its last header lines and its body. */
async function post(path: string, rest: string) {
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Api-Key: ${KEY}\r\nContent-Type: application/json\r\n`;
  const [answered, body] = (await exchange(service.url, head + rest)).split('\r\n\r\n');
  return { status: Number(answered!.split(' ')[1]), json: JSON.parse(body!) };
}

const emptyBodies = {
  'Content-Length: 0': 'Content-Length: 0\r\n\r\n',
  'neither a length nor chunks': '\r\n',
  'chunks of which the first is the last': 'Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
};
const withoutArgument = [
  '/profiles/tokens/search-profiles',
  '/profiles/wallets/search-profiles',
  '/swaps/get-swaps',
  '/trades/get-trades',
];
for (const path of withoutArgument) {
  for (const [what, rest] of Object.entries(emptyBodies)) {
    test(`${path} without a body, with ${what}, is the call without an argument`, async () => {
      const { status, json } = await post(BASE + path, rest);
      assert.equal(status, 200, JSON.stringify(json));
      assert.deepEqual(json, (await service.post(path, {})).json);
      assert.ok(json.count > 0);
    });
  }
}

test('an operation that needs a field names it where the body is empty', async () => {
  const { status, json } = await post(`${BASE}/portfolios/get-portfolio`, emptyBodies['Content-Length: 0']);
  assert.deepEqual([status, json.error], [400, '"wallet": is required.']);
});

const doubled = [`/${BASE}/swaps/get-swaps`, `${BASE}//swaps/get-swaps`, `${BASE}/swaps///get-swaps?a=//b`];
for (const path of doubled) {
  test(`${path} is the path with single slashes`, async () => {
    const { status, json } = await post(path, emptyBodies['Content-Length: 0']);
    assert.deepEqual([status, json.count], [200, 25]);
  });
}

const candle = (offset: number, price: number, volume: number, count: number) => ({
  timestamp: START + offset,
  open: price,
  high: price,
  low: price,
  close: price,
  volume,
  count,
  suspect_count: 0,
});

// T trades at 0 s, 60 s (3 USD) and 3600 s (4 USD).
const filled: readonly (readonly [because: string, body: object, expected: readonly object[]])[] = [
  [
    'count with fill: the latest of the filled series',
    { interval: 60, count: 3, fill: true },
    [candle(3480, 3, 0, 0), candle(3540, 3, 0, 0), candle(3600, 4, 100, 1)],
  ],
  [
    'count with fill and to, after which nothing is filled',
    { interval: 30, count: 2, to: at(3600), fill: true },
    [candle(30, 2, 0, 0), candle(60, 3, 300, 1)],
  ],
  ['a count of 1 with fill: the latest print', { interval: 60, count: 1, fill: true }, [candle(3600, 4, 100, 1)]],
  ['from after the clock, in the bucket that is open', { interval: 86_400, from: at(9001) }, []],
  ['from after the clock, to later', { interval: 86_400, from: at(9001), to: at(90_000) }, []],
  ['from after the clock, with fill', { interval: 86_400, from: at(9001), fill: true }, []],
];
for (const [because, body, expected] of filled) {
  test(`get-price-candles with ${because}`, async () => {
    assert.deepEqual((await service.post('/prices/get-price-candles', { token: T, ...body })).json, expected);
  });
}

test('a count with fill gives so many candles where the series is longer than an answer may be', async () => {
  const body = { token: USDC, interval: 1, fill: true };
  // USDC has prints from 0 s to 9000 s.
  const all = (await service.post('/prices/get-price-candles', { ...body, count: 5000 })).json;
  assert.deepEqual([all.length, all[0].timestamp, all.at(-1).timestamp], [5000, START + 4001, START + 9000]);
  assert.equal((await service.post('/prices/get-price-candles', body)).json.length, 300);
});

test('get-price-history from after the clock has no prices', async () => {
  const { json } = await service.post('/prices/get-price-history', { tokens: [T], interval: 60, from: at(9001) });
  assert.deepEqual(json, [{ token: T, prices: [] }]);
});
