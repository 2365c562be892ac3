import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ANN, BASE, exchange, KEY, type Service, startService, strangers, T } from './service.ts';

let service: Service;
before(async () => {
  service = await startService();
});
after(() => service.close());

const MIB = 1024 * 1024;
const path = `${BASE}/swaps/get-swaps`;
const padded = (length: number) => '{"limit":1}'.padEnd(length, ' ');

const contentTypes: readonly (readonly [type: string | undefined, status: number, says?: RegExp])[] = [
  ['application/json', 200],
  ['Application/JSON', 200],
  ['application/json; charset=utf-8', 200],
  ['application/json;charset="UTF-8"', 200],
  ['application/json; charset=utf8', 200],
  ['application/json; profile=x', 200],
  [undefined, 415, /must be application\/json, which is missing/],
  ['text/plain', 415, /must be application\/json, not "text\/plain"/],
  ['text/plain; charset=utf-8', 415, /not "text\/plain"/],
  ['application/x-www-form-urlencoded', 415, /not "application\/x-www-form-urlencoded"/],
  ['application/jsonp', 415, /not "application\/jsonp"/],
  ['application/vnd.api+json', 415, /not "application\/vnd.api\+json"/],
  ['application/json; charset=iso-8859-1', 415, /charset must be utf-8, not "iso-8859-1"/],
];
for (const [type, status, says] of contentTypes) {
  test(`Content-Type ${type} is ${status}`, async () => {
    const headers = { 'x-api-key': KEY, ...(type === undefined ? {} : { 'content-type': type }) };
    // A body of bytes, for which fetch adds no type of its own.
    const answer = await service.request(path, { method: 'POST', headers, body: Buffer.from('{}') });
    assert.equal(answer.status, status);
    if (says === undefined) return;
    assert.equal(answer.json.code, 'unsupported-media-type');
    assert.match(answer.json.error, says);
  });
}

test('a compressed body is 415', async () => {
  const { status, json } = await service.post('/swaps/get-swaps', '{}', { 'content-encoding': 'gzip' });
  assert.deepEqual([status, json.code], [415, 'unsupported-media-type']);
  assert.match(json.error, /Content-Encoding "gzip" is not supported; send the body as it is/);
});

const malformed: readonly (readonly [because: string, body: string | Uint8Array, says: RegExp])[] = [
  ['only spaces', ' \n ', /^The request body is blank; send JSON, or nothing at all\.$/],
  ['cut off', '{"limit": 1', /ends too early, at line 1, column 12\.$/],
  ['a comma at the end', '{"limit": 1,}', /unexpected "}" at line 1, column 13\.$/],
  ['single quotes', "{'limit': 1}", /unexpected "'" at line 1, column 2\.$/],
  ['a bare name', '{limit: 1}', /unexpected "l" at line 1, column 2\.$/],
  ['NaN', '{"limit":\n  NaN}', /unexpected "N" at line 2, column 3\.$/],
  ['two values', '{} {}', /unexpected "{" at line 1, column 4\.$/],
  ['a form', 'limit=1', /unexpected "l" at line 1, column 1\.$/],
  ['a comment', '{} // none', /unexpected "\/" at line 1, column 4\.$/],
  ['a line break in a text', '{"a\n": 1}', /unexpected "\\n" at line 1, column 4\.$/],
  ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), /body is not UTF-8/],
  ['a surrogate in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), /body is not UTF-8/],
  ['UTF-16', Buffer.from('{}', 'utf16le'), /is not JSON/],
  ['65 levels deep', `${'['.repeat(65)}${']'.repeat(65)}`, /nested deeper than 64 levels/],
  ['half a million levels deep', '['.repeat(500_000), /nested deeper than 64 levels/],
];
for (const [because, body, says] of malformed) {
  test(`a body that is ${because} is 400 invalid-json`, async () => {
    const { status, json } = await service.post('/swaps/get-swaps', body);
    assert.equal(status, 400);
    assert.match(json.error, says);
    assert.deepEqual([json.code, json.details], ['invalid-json', []]);
  });
}

test('brackets in texts are not levels', async () => {
  const { json } = await service.post('/swaps/get-swaps', { wallet: `"\\${'['.repeat(100)}` });
  assert.equal(json.details[0].path, 'wallet');
});

test('of two equal keys the last counts, as JSON.parse reads it', async () => {
  const { status, json } = await service.post('/swaps/get-swaps', '{"limit": 0, "limit": 2}');
  assert.deepEqual([status, json.data.length], [200, 2]);
});

test('a __proto__ among keys is a name like any other', async () => {
  const path = '/profiles/tokens/search-profiles';
  const filter = await service.post(path, '{"filter": {"__proto__": {"$gt": 1}}}');
  assert.deepEqual([filter.status, filter.json.code], [400, 'unknown-field']);
  const labels = await service.post(path, '{"dynamic_labels": {"__proto__": {}}, "options": {}, "limit": 1}');
  assert.deepEqual([labels.status, labels.json.data[0].dynamic_labels], [200, ['__proto__']]);
  assert.deepEqual(Object.keys(Object.prototype), []);
});

test('a byte order mark before the body is skipped', async () => {
  assert.equal((await service.post('/swaps/get-swaps', '\ufeff{"limit": 1}')).status, 200);
});

test('a body of 1 MiB is read, one byte more is 413', async () => {
  assert.equal((await service.post('/swaps/get-swaps', padded(MIB))).status, 200);
  const { status, json } = await service.post('/swaps/get-swaps', padded(MIB + 1));
  assert.deepEqual([status, json.code], [413, 'body-too-large']);
  assert.match(json.error, /over 1048576 bytes \(1 MiB\)/);
});

const LOOKUP = '/prices/get-price';
const lookup = (length: number) => JSON.stringify({ tokens: [T] }).padEnd(length, ' ');

test('a look-up of 64 KiB is read, one byte more is 413, and a search keeps its 1 MiB', async () => {
  assert.equal((await service.post(LOOKUP, lookup(65_536))).status, 200);
  const { status, json } = await service.post(LOOKUP, lookup(65_537));
  assert.deepEqual([status, json.code], [413, 'body-too-large']);
  assert.match(json.error, /over 65536 bytes \(64 KiB\)/);
  assert.equal((await service.post('/profiles/wallets/get-profile', lookup(65_537))).status, 413);
  assert.equal((await service.post('/portfolios/get-portfolio', lookup(65_537))).status, 413);
  assert.equal((await service.post('/profiles/wallets/search-profiles', padded(MIB))).status, 200);
});

test('a look-up of 1,000 tokens, the most that it may name, is far below its limit', async () => {
  // 44 characters, two quotes, a comma each; {"tokens":[]} around them, one comma less.
  const body = JSON.stringify({ tokens: strangers(1000) });
  assert.equal(body.length, 47 * 1000 + 12);
  assert.equal((await service.post(LOOKUP, body)).status, 200);
});

const head = (...lines: string[]) =>
  [`POST ${path} HTTP/1.1`, 'host: x', 'content-type: application/json', `x-api-key: ${KEY}`, ...lines, '', ''].join(
    '\r\n',
  );
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

test('a body in chunks is read up to 1 MiB, and 413 beyond', async () => {
  const chunked = head('transfer-encoding: chunked', 'connection: close');
  const half = ' '.repeat(MIB / 2);
  const whole = await exchange(
    service.url,
    chunked,
    chunk('{"limit":1}'),
    chunk(half.slice(11)),
    chunk(half),
    '0\r\n\r\n',
  );
  assert.match(whole, /^HTTP\/1.1 200 /);
  const over = await exchange(service.url, chunked, chunk('{"limit":1}'), chunk(half), chunk(half), '0\r\n\r\n');
  assert.match(over, /^HTTP\/1.1 413 .*"code":"body-too-large"/s);
});

test('a caller that goes on sending after 413 still gets the answer, then the connection is closed', async () => {
  const answer = await exchange(service.url, head('content-length: 8388608'), ' '.repeat(8 * MIB));
  assert.match(answer, /^HTTP\/1.1 413 .*connection: close.*"code":"body-too-large"/is);
  assert.equal(answer.match(/HTTP\/1.1/g)!.length, 1);
});

test('a declared length over 1 MiB is 413 before any of the body comes, and never invited by 100 Continue', async () => {
  const answer = await exchange(service.url, head('content-length: 99999999999', 'expect: 100-continue'));
  assert.match(answer, /^HTTP\/1.1 413 /);
});

test('100 Continue invites no look-up over 64 KiB', async () => {
  const begin = `POST ${BASE}${LOOKUP} HTTP/1.1\r\nhost: x\r\nx-api-key: ${KEY}\r\ncontent-type: application/json`;
  const answer = await exchange(service.url, `${begin}\r\ncontent-length: 65537\r\nexpect: 100-continue\r\n\r\n`);
  assert.match(answer, /^HTTP\/1.1 413 .*connection: close/is);
});

test('100 Continue invites a body that may come', async () => {
  const answer = await exchange(
    service.url,
    head('content-length: 2', 'expect: 100-continue', 'connection: close'),
    '{}',
  );
  assert.match(answer, /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 /);
});

test('after a refused request the connection serves the next one', async () => {
  const requests = [
    `POST /nowhere HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n\r\nabcde`,
    `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n\r\nabcde`,
    `${head('content-length: 1')}{`,
    `${head('content-length: 2', 'connection: close')}{}`,
  ];
  const answers = await exchange(service.url, requests.join(''));
  assert.deepEqual(answers.match(/HTTP\/1.1 \d+/g), ['HTTP/1.1 404', 'HTTP/1.1 401', 'HTTP/1.1 400', 'HTTP/1.1 200']);
});

interface Twofold {
  readonly because: string;
  readonly target?: string;
  readonly method?: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly status: number;
}

const json = { 'content-type': 'application/json' };
const key = { 'x-api-key': KEY };
const order: readonly Twofold[] = [
  { because: 'route before method', target: '/nowhere', method: 'PUT', headers: {}, status: 404 },
  { because: 'route before key', target: `${BASE}/nowhere`, headers: { 'x-api-key': 'wrong-key' }, status: 404 },
  { because: 'method before key', method: 'PUT', headers: { 'x-api-key': 'wrong-key' }, status: 405 },
  { because: 'key before content type', headers: { 'content-type': 'text/plain' }, status: 401 },
  { because: 'key before body', headers: json, body: padded(MIB + 1), status: 401 },
  {
    because: 'content type before body',
    headers: { ...key, 'content-type': 'text/plain' },
    body: padded(MIB + 1),
    status: 415,
  },
  { because: 'size before JSON', headers: { ...key, ...json }, body: '{'.padEnd(MIB + 1), status: 413 },
  { because: 'JSON before schema', headers: { ...key, ...json }, body: '{"limit": 0', status: 400 },
];
for (const { because, target = path, method = 'POST', headers, body, status } of order) {
  test(`of two faults the earlier one is told: ${because}`, async () => {
    const answer = await service.request(target, { method, headers, body: body ?? null });
    assert.equal(answer.status, status);
    if (status === 400) assert.equal(answer.json.code, 'invalid-json');
  });
}

test('what is not HTTP is answered 400 with the body of an error, and the connection is closed', async () => {
  for (const garbage of ['\0\0\0\0\r\n\r\n', 'HELLO\r\n\r\n', `POST ${path} HTTP/1.1\r\nbad header\r\n\r\n`]) {
    const answer = await exchange(service.url, garbage);
    assert.match(answer, /^HTTP\/1.1 400 Bad Request\r\n.*"code":"invalid-request"/s);
    const body = JSON.parse(answer.split('\r\n\r\n')[1]!);
    assert.deepEqual(Object.keys(body), ['error', 'code', 'details', 'request_id']);
  }
});

test('headers over 16 KiB are 431', async () => {
  const answer = await exchange(service.url, `GET /healthz HTTP/1.1\r\nhost: x\r\nlong: ${'a'.repeat(20_000)}\r\n\r\n`);
  assert.match(answer, /^HTTP\/1.1 431 .*over 16 KiB/s);
});

test('a caller that hangs up in its body leaves the server well', async () => {
  const { connect } = await import('node:net');
  const { hostname, port } = new URL(service.url);
  await new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(`${head('content-length: 100')}{"wallet": "${ANN}`, () => socket.destroy());
    });
    socket.on('close', resolve);
  });
  assert.equal((await service.post('/swaps/get-swaps', { limit: 1 })).status, 200);
});

test('100 Continue invites a large push, however its address is written', async () => {
  for (const address of ['ingest/prices', 'ingest/swaps?x=1', '/ingest//tokens']) {
    const begin = `POST /v1/solana/${address} HTTP/1.1\r\nhost: x\r\nx-api-key: ${KEY}\r\ncontent-type: application/json`;
    const waits = `${begin}\r\ncontent-length: 2000000\r\nexpect: 100-continue\r\nconnection: close\r\n\r\n`;
    assert.match(await exchange(service.url, waits, ' '.repeat(2_000_000)), /^HTTP\/1.1 100 Continue/, address);
  }
});
