import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Described, describedBy } from './described.ts';
import { ANN, type Answer, BASE, exchange, KEY, startService, T } from './service.ts';

let described: Described;
before(async () => {
  const service = await startService();
  described = await describedBy(service);
  await service.close();
});

test('every status below 500 comes with the headers and the body that the document lists', async () => {
  const price = `${BASE}/prices/get-price`;
  const rated = await startService({
    keys: [KEY, { key: 'rated-key', rate: { perSecond: 0.001 } }, { key: 'other-key', operations: ['swaps.list'] }],
  });
  const call = (body: unknown, headers = {}) => rated.post('/prices/get-price', body, headers);
  const raw = async (text: string): Promise<Answer> => {
    const [head = '', body = ''] = (await exchange(rated.url, text)).split('\r\n\r\n');
    const [line, ...fields] = head.split('\r\n');
    const headers = new Headers(fields.map((field) => field.split(': ') as [string, string]));
    return { status: Number(line!.split(' ')[1]), headers, text: body, json: JSON.parse(body) };
  };
  const answers = [
    await call({ tokens: [T] }, { 'x-api-key': 'rated-key' }),
    await call({}),
    await call('{'),
    await raw('nonsense\r\n\r\n'),
    await call({}, { 'x-api-key': 'wrong' }),
    await call({}, { 'x-api-key': 'other-key' }),
    await rated.request(price),
    await call(' '.repeat(1024 * 1024 + 1)),
    await call({}, { 'content-type': 'text/plain' }),
    await call({ tokens: [T] }, { 'x-api-key': 'rated-key' }),
    await raw(`POST ${price} HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`),
  ];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 400, 400, 400, 401, 403, 405, 413, 415, 429, 431],
  );
  for (const answer of answers) described.check(price, 'post', answer);
  assert.notEqual(answers[0]!.headers.get('ratelimit'), null);
  described.check('/healthz', 'get', await rated.request('/healthz', { method: 'POST' }));
  await rated.close();
});

test('a request that does not arrive whole in time, a failure and a closed store are answered as the document says', async () => {
  const path = '/portfolios/get-portfolio';
  const slow = await startService({ timeouts: { headers: 0.05 } });
  const late = await exchange(slow.url, 'POST / HTTP/1.1\r\nHost: x\r\n');
  assert.match(late, /^HTTP\/1\.1 408 /);
  assert.equal(described.faults(JSON.parse(late.split('\r\n\r\n')[1]!), ['components', 'schemas', 'Error']), '');
  assert.ok(described.document.paths[BASE + path].post.responses[408]);
  Object.assign(slow.dex, { call: () => Promise.reject(new Error('a fault of ours')) });
  const failed = await slow.post(path, { wallet: ANN });
  await slow.close();
  const closed = await startService();
  await closed.dex.close();
  const answers = [failed, await closed.post(path, { wallet: ANN })];
  await closed.close();
  assert.deepEqual(
    answers.map(({ status }) => status),
    [500, 503],
  );
  for (const answer of answers) described.check(BASE + path, 'post', answer);
});
