import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { Counter, collectDefaultMetrics, type OpenMetricsContentType, Registry } from 'prom-client';
import { createHandler, serve } from '../src/index.ts';
import { BASE, KEY, openStore, startService, T } from './service.ts';

const priced = `swapfold_http_requests_total{route="${BASE}/prices/get-price",status="200"} 1`;

const namesOf = (registry: Registry): string[] => registry.getMetricsAsArray().map(({ name }) => name);

test('a registry of the service takes the metrics of server and store, beside its own and the default ones, until the server closes', async () => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Counter({ name: 'own_total', help: 'Of the service.', registers: [registry] }).inc(7);
  const before = namesOf(registry);
  const service = await startService({ registry, metrics: { port: 0 } });
  assert.equal((await service.post('/prices/get-price', { tokens: [T] })).status, 200);
  const text = await registry.metrics();
  for (const line of [priced, 'own_total 7', 'swapfold_http_refused_total{reason="connections"} 0'])
    assert.ok(text.split('\n').includes(line), line);
  assert.match(text, /^swapfold_lag_seconds \d+$/m);
  assert.match(text, /^swapfold_http_connections \d+$/m);
  const served = await (await fetch(service.metricsUrl!)).text();
  assert.ok(served.includes('own_total 7') && served.includes(priced));
  await service.close();
  assert.deepEqual(namesOf(registry), before);
});

test('without a port the registry is not served, and a registry in the format of OpenMetrics will do', async () => {
  const registry = new Registry<OpenMetricsContentType>();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  const service = await startService({ registry });
  assert.equal(service.metricsUrl, undefined);
  const text = await registry.metrics();
  assert.match(text, /^swapfold_wrong_keys_total 0$/m);
  assert.match(text, /# EOF\n$/);
  await service.close();
  assert.equal(await registry.metrics(), '\n# EOF\n');
});

test('a handler registers all but its connections, and counts what is answered before it is ready', async () => {
  const registry = new Registry();
  const dex = await openStore();
  const leaving = new AbortController();
  const { listener, ready } = createHandler(dex, { keys: [KEY], registry, drain: leaving.signal });
  const server = createServer(listener).listen(0);
  const { port } = server.address() as AddressInfo;
  const asked = await fetch(`http://127.0.0.1:${port}${BASE}/prices/get-price`, {
    method: 'POST',
    headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ tokens: [T] }),
  });
  assert.equal(asked.status, 200);
  await ready;
  const text = await registry.metrics();
  assert.ok(text.includes(priced));
  assert.match(text, /^swapfold_lag_seconds \d+$/m);
  assert.deepEqual(
    namesOf(registry).filter((name) => name.startsWith('process_') || name === 'swapfold_http_connections'),
    [],
  );
  leaving.abort();
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(namesOf(registry), []);
  server.close();
  server.closeAllConnections();
  await dex.close();
});

test('a registry that has such metrics is refused and left as it is; one whose server did not start is left empty', async () => {
  const registry = new Registry();
  const service = await startService({ registry });
  const before = namesOf(registry);
  const taken = { code: 'invalid-config', message: /^"registry": it has a metric swapfold_\w+ already/ };
  const dex = await openStore();
  await assert.rejects(serve(dex, { port: 0, registry }), taken);
  const lines: string[] = [];
  const logger = { info: () => undefined, error: (_: object, message: string) => void lines.push(message) };
  await assert.rejects(createHandler(dex, { registry, logger }).ready, taken);
  assert.deepEqual(lines, ['the metrics were not registered']);
  assert.deepEqual(namesOf(registry), before);
  const another = new Registry();
  const port = Number(new URL(service.url).port);
  await assert.rejects(serve(dex, { port, registry: another }), { code: 'invalid-config', message: /in use/ });
  await assert.rejects(serve(dex, { port: 0, registry: another, cors: ['x'] }), { code: 'invalid-config' });
  assert.deepEqual(namesOf(another), []);
  await service.close();
  await dex.close();
});
