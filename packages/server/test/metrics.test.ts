import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memory, presets, Swapfold, type SwapInput } from '@swapfold/core';
import { serve } from '../src/index.ts';
import { Caller, requestOf, startHeldService } from './held-service.ts';
import { ANN, BASE, KEY, START, startService, T, U, USDC } from './service.ts';

const price = `${BASE}/prices/get-price`;
const swaps = `${BASE}/swaps/get-swaps`;
const metrics = { port: 0 };

/** The values of a page of metrics by name and labels, as they are written there. */
async function read(url: string): Promise<Map<string, number>> {
  const response = await fetch(url);
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type')!, /^text\/plain; version=0\.0\.4/);
  const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

test('without a host of its own, the port of metrics listens on this machine only, also if the server listens everywhere', async () => {
  const service = await startService({ host: '0.0.0.0', metrics });
  assert.equal(new URL(service.metricsUrl!).hostname, '127.0.0.1');
  await service.close();
});

test('metrics count requests by route and status, and say nothing of keys, bodies and unknown paths', async () => {
  const service = await startService({ metrics });
  for (let i = 0; i < 3; i++) await service.post('/prices/get-price', { tokens: [T] });
  await service.post('/prices/get-price', { tokens: ['a-wrong-token'] });
  await service.post('/prices/get-price', {}, { 'x-api-key': 'a-wrong-key' });
  await service.request('/healthz');
  for (const path of ['/nowhere', `/${KEY}`]) await service.request(path);
  const values = await read(service.metricsUrl!);
  const requests = (route: string, status: number | string) =>
    values.get(`swapfold_http_requests_total{route="${route}",status="${status}"}`);
  assert.deepEqual(
    [
      requests(price, 200),
      requests(price, 400),
      requests(price, 401),
      requests('/healthz', 200),
      requests('other', 404),
    ],
    [3, 1, 1, 1, 2],
  );
  assert.equal(values.get(`swapfold_http_request_duration_seconds_count{route="${price}"}`), 5);
  assert.equal(values.get(`swapfold_http_request_duration_seconds_bucket{le="+Inf",route="${price}"}`), 5);
  const text = [...values.keys()].join('\n');
  for (const secret of [KEY, T, 'a-wrong-token', 'a-wrong-key', 'nowhere']) assert.ok(!text.includes(secret), secret);
  await service.close();
});

test('metrics tell what is in work, what waits and what was refused, and why', async () => {
  const service = await startHeldService({
    metrics,
    limits: { working: 1, waiting: 1, patience: 60 },
    keys: [KEY, { key: 'a-slow-key', rate: { perSecond: 0.001, burst: 1 } }],
  });
  service.hold(1);
  const callers = await Promise.all(Array.from({ length: 3 }, () => Caller.at(service.url)));
  const [working, waiting, refused] = callers as [Caller, Caller, Caller];
  working.send(requestOf('/swaps/get-swaps', '{}'));
  await service.reads(1);
  waiting.send(requestOf('/swaps/get-swaps', '{}'));
  assert.equal((await refused.send(requestOf('/swaps/get-swaps', '{}')).answer()).status, 503);
  const limited = requestOf('/prices/get-price', JSON.stringify({ tokens: [T] }), { key: 'a-slow-key' });
  assert.equal((await refused.send(limited).answer()).status, 200);
  assert.equal((await refused.send(limited).answer()).status, 429);
  const busy = await read(service.metricsUrl!);
  assert.deepEqual(
    ['working', 'waiting'].map((name) => busy.get(`swapfold_http_requests_${name}`)),
    [1, 1],
  );
  assert.equal(busy.get('swapfold_http_connections'), 3);
  assert.equal(busy.get('swapfold_http_body_bytes'), 4);
  const reasons = (values: Map<string, number>) =>
    ['full', 'rate', 'waited-too-long', 'connections'].map((reason) =>
      values.get(`swapfold_http_refused_total{reason="${reason}"}`),
    );
  assert.deepEqual(reasons(busy), [1, 1, 0, 0]);
  service.release();
  for (const caller of [working, waiting]) assert.equal((await caller.answer()).status, 200);
  const idle = await read(service.metricsUrl!);
  assert.deepEqual(
    ['working', 'waiting'].map((name) => idle.get(`swapfold_http_requests_${name}`)),
    [0, 0],
  );
  assert.equal(idle.get('swapfold_http_body_bytes'), 0);
  assert.equal(idle.get(`swapfold_http_requests_total{route="${swaps}",status="503"}`), 1);
  assert.ok(idle.get('swapfold_event_loop_delay_seconds{quantile="0.99"}')! >= 0);
  assert.ok(idle.get('process_resident_memory_bytes')! > 1e6);
  await service.close();
});

test('a connection too many is counted', async () => {
  const service = await startService({ metrics, connections: 1 });
  const first = await Caller.at(service.url);
  await first.send('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n').answer();
  const second = await Caller.at(service.url);
  await new Promise((resolve) => second.socket.once('close', resolve));
  assert.equal((await read(service.metricsUrl!)).get('swapfold_http_refused_total{reason="connections"}'), 1);
  assert.equal((await read(service.metricsUrl!)).get('swapfold_http_refused_total{reason="connections"}'), 1);
  await service.close();
});

test('metrics are on their own port only, and that port has nothing else', async () => {
  const service = await startService({ metrics });
  for (const headers of [{}, { 'x-api-key': KEY }])
    assert.equal((await service.request('/metrics', { headers })).status, 404);
  const { origin } = new URL(service.metricsUrl!);
  assert.notEqual(origin, service.url);
  for (const path of ['/', '/healthz', price]) assert.equal((await fetch(origin + path)).status, 404, path);
  const posted = await fetch(service.metricsUrl!, { method: 'POST', body: 'x' });
  assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD']);
  await service.close();
  await assert.rejects(fetch(service.metricsUrl!));
});

test('without the option there are no metrics', async () => {
  const service = await startService();
  assert.equal(service.metricsUrl, undefined);
  await service.close();
});

test('a port for metrics that is taken is refused, and so is one for requests, and nothing stays open', async () => {
  const service = await startService({ metrics });
  const port = Number(new URL(service.metricsUrl!).port);
  await assert.rejects(startService({ metrics: { port } }), { code: 'invalid-config', message: /the port is in use/ });
  await assert.rejects(startService({ metrics, port }), { code: 'invalid-config', message: /the port is in use/ });
  await service.close();
});

test('gauges tell what came and went beside the swaps, from the reading after the first that asked', async () => {
  const dex = await Swapfold.open({ storage: memory(), config: presets.solana });
  const trade = (n: number, token: string, amount: number, usd: number, balances: Partial<SwapInput>): SwapInput => ({
    tx_hash: `hash${n}`,
    swap_index: 0,
    block_time: START + n,
    wallet: ANN,
    ...(amount > 0
      ? { token_in: USDC, token_amount_in: usd, token_out: token, token_amount_out: amount }
      : { token_in: token, token_amount_in: -amount, token_out: USDC, token_amount_out: usd }),
    ...balances,
  });
  await dex.ingest([
    trade(1, T, 10, 100, { pre_token_balance_out: 0, post_token_balance_out: 10 }),
    // Eight left unseen.
    trade(2, T, 10, 200, { pre_token_balance_out: 2, post_token_balance_out: 12 }),
    // Nobody who has 1 sells 6.
    trade(3, T, -6, 180, { pre_token_balance_in: 1, post_token_balance_in: 0 }),
    // Never bought.
    trade(4, U, -5, 60, {}),
  ]);
  await dex.refresh();
  const service = await serve(dex, { port: 0, keys: [KEY], metrics });
  const names = ['trades_with_gaps', 'contradicted_balances', 'unmatched_percent'];
  const gauges = async () => {
    const values = await read(service.metricsUrl!);
    return names.map((name) => values.get(`swapfold_${name}`));
  };
  assert.deepEqual(await gauges(), [undefined, undefined, undefined]);
  await dex.info();
  // Of sells for 180 and 60, those for 60 have no cost.
  assert.deepEqual(await gauges(), [1, 1, 25]);
  await service.close();
  await dex.close();
});
