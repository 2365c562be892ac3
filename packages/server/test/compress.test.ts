import assert from 'node:assert/strict';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { after, before, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { readAcceptEncoding } from '../src/accept-encoding.ts';
import { type Body, pack } from '../src/compress.ts';
import { Exchange } from '../src/exchange.ts';
import { BASE, KEY, type Service, startService, strangers, T } from './service.ts';

let service: Service;
before(async () => {
  service = await startService();
});
after(() => service.close());

interface Raw {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** An answer as its bytes are: fetch would unpack it. */
function raw(
  path: string,
  accept: string | undefined,
  body?: object,
  { url }: { url: string } = service,
): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'x-api-key': KEY,
      ...(accept === undefined ? {} : { 'accept-encoding': accept }),
    };
    const method = body === undefined ? 'GET' : 'POST';
    const sent = httpRequest(url + path, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, bytes: Buffer.concat(chunks) }),
      );
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

function unpacked({ headers, bytes }: Raw): string {
  if (headers['content-encoding'] === 'br') return brotliDecompressSync(bytes).toString();
  return (headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString();
}

const accepted: readonly (readonly [header: string | undefined, encoding: string | undefined, refuses?: true])[] = [
  [undefined, undefined],
  ['', undefined],
  ['gzip', 'gzip'],
  ['br', 'br'],
  ['gzip, deflate, br', 'br'],
  ['gzip, deflate', 'gzip'],
  ['deflate, zstd', undefined],
  ['GZIP', 'gzip'],
  ['gzip;q=1, br;q=0.5', 'gzip'],
  ['gzip;q=0.2 , br ; q=0.9', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0, *', 'gzip'],
  ['gzip;q=0', undefined],
  ['gzip;q=0.000, br;q=0.0', undefined],
  ['*', 'br'],
  ['*;q=0', undefined, true],
  ['gzip, *;q=0', 'gzip', true],
  ['identity', undefined],
  ['identity, gzip', 'gzip'],
  ['identity, gzip;q=0.5', undefined],
  ['identity;q=0.5, gzip;q=0.4, br;q=0.6', 'br'],
  ['identity;q=0', undefined, true],
  ['identity;q=0, gzip', 'gzip', true],
  ['gzip;q=high', undefined],
  ['gzip;q=2', undefined],
];
for (const [header, encoding, refuses] of accepted) {
  test(`Accept-Encoding ${JSON.stringify(header)} asks for ${encoding ?? 'the answer as it is'}`, () => {
    assert.deepEqual(readAcceptEncoding(header), { encoding, refusesIdentity: refuses === true });
  });
}

const answers: readonly (readonly [what: string, path: string, body: object | undefined, status: number])[] = [
  ['a page that is compressed on another thread', `${BASE}/swaps/get-swaps`, { limit: 100 }, 200],
  ['a short page', `${BASE}/swaps/get-swaps`, { limit: 4 }, 200],
  [
    'candles, which are kept as text',
    `${BASE}/prices/get-price-candles`,
    { token: T, interval: 60, count: 60, fill: true },
    200,
  ],
  ['an open route', '/openapi.json', undefined, 200],
  ['an error', `${BASE}/prices/get-price`, { tokens: Array(20).fill('x') }, 400],
];
for (const [what, path, body, status] of answers) {
  test(`${what} is compressed as it is asked for, and holds the same`, async () => {
    const plain = await raw(path, undefined, body);
    assert.deepEqual([plain.status, plain.headers['content-encoding']], [status, undefined]);
    assert.equal(plain.headers.vary, 'Accept-Encoding');
    for (const encoding of ['gzip', 'br']) {
      const packed = await raw(path, encoding, body);
      assert.deepEqual([packed.status, packed.headers['content-encoding']], [status, encoding]);
      assert.equal(packed.headers.vary, 'Accept-Encoding');
      assert.equal(packed.headers['content-type'], 'application/json; charset=utf-8');
      assert.equal(Number(packed.headers['content-length']), packed.bytes.length);
      assert.ok(packed.bytes.length < plain.bytes.length);
      const withoutId = (text: string) => text.replace(/"request_id":"[^"]*"/, '');
      assert.equal(withoutId(unpacked(packed)), withoutId(plain.bytes.toString()));
    }
  });
}

test('a HEAD has the length and the encoding of its GET', async () => {
  const got = await raw('/openapi.json', 'gzip');
  const head = await service.request('/openapi.json', { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } });
  for (const name of ['content-length', 'content-encoding', 'vary'])
    assert.equal(head.headers.get(name), got.headers[name], name);
});

test('answers of less than 1 KB are sent as they are, unless the caller refuses that', async () => {
  for (const [path, body, status] of [
    [`${BASE}/prices/get-price`, { tokens: [T] }, 200],
    [`${BASE}/prices/get-price`, {}, 400],
    [`${BASE}/prices/get-price`, undefined, 405],
    ['/healthz', undefined, 200],
  ] as const) {
    const plain = await raw(path, 'gzip, br', body);
    assert.deepEqual(
      [plain.status, plain.headers['content-encoding'], plain.headers.vary],
      [status, undefined, undefined],
    );
    if (path === '/healthz') continue;
    const packed = await raw(path, 'gzip, identity;q=0', body);
    assert.deepEqual([packed.status, packed.headers['content-encoding']], [status, 'gzip']);
    assert.equal(unpacked(packed).slice(0, 10), plain.bytes.toString().slice(0, 10));
  }
});

const sizes: readonly (readonly [because: string, text: string, isCompressed: boolean])[] = [
  ['1023 bytes', 'a'.repeat(1023), false],
  ['1024 bytes', 'a'.repeat(1024), true],
  ['1023 bytes of characters of three', 'あ'.repeat(341), false],
  ['1026 bytes of characters of three', 'あ'.repeat(342), true],
  ['8191 bytes, the most that is compressed at once', 'a'.repeat(8191), true],
  ['8192 bytes, the least that another thread compresses', 'a'.repeat(8192), true],
];
for (const [because, text, isCompressed] of sizes) {
  test(`an answer of ${because} is ${isCompressed ? 'compressed' : 'sent as it is'}`, async () => {
    const request = { headers: { 'accept-encoding': 'gzip' } };
    const exchange = new Exchange(request as never, {} as never, { requestId: 'a', isCompressing: true });
    const body: Body = await pack(exchange, text);
    assert.equal(typeof body === 'string' ? body : gunzipSync(body.bytes).toString(), text);
    assert.equal(typeof body !== 'string', isCompressed);
  });
}

test('many answers at once are each whole, in the encoding that each asked for', async () => {
  const tokens = strangers(30);
  await Promise.all(
    Array.from({ length: 60 }, async (_, i) => {
      const accept = ['gzip', 'br', undefined][i % 3];
      const answer = await raw(
        `${BASE}/swaps/get-swaps`,
        accept,
        i % 2 === 0 ? { limit: 100 } : { token: tokens[i % 30] },
      );
      assert.equal(answer.status, 200);
      assert.equal(JSON.parse(unpacked(answer)).count, i % 2 === 0 ? 25 : 0);
    }),
  );
});

test('serve({ compress: false }) sends every answer as it is', async () => {
  const plain = await startService({ compress: false });
  const answer = await raw('/openapi.json', 'gzip, br, identity;q=0', undefined, plain);
  assert.deepEqual([answer.headers['content-encoding'], answer.headers.vary], [undefined, undefined]);
  assert.equal(JSON.parse(answer.bytes.toString()).openapi, '3.1.0');
  await plain.close();
});
