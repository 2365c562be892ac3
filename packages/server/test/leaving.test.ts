import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { BASE, startService, T } from './service.ts';

/** A connection that has sent this and nothing more. */
async function sent(url: string, text: string): Promise<Socket> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  await new Promise<void>((resolve) => socket.write(text, () => resolve()));
  return socket;
}

const halves: Readonly<Record<string, string>> = {
  'a body': `POST ${BASE}/prices/get-price HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: key-of-the-tests\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"tok`,
  'a body in chunks': `POST ${BASE}/prices/get-price HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: key-of-the-tests\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"tok\r\n`,
  headers: `POST ${BASE}/prices/get-price HTTP/1.1\r\nHost: localh`,
  nothing: '',
};

for (const [what, text] of Object.entries(halves))
  test(`a client that has sent half of ${what} holds a stop for about a second`, async () => {
    const service = await startService();
    const socket = await sent(service.url, text);
    await service.request('/healthz');
    const begun = performance.now();
    await service.close();
    const took = performance.now() - begun;
    socket.destroy();
    assert.ok(took < 5000, `${Math.round(took)} ms`);
  });

test('while a server leaves, /readyz is 503 on its open port, and all else is answered', async () => {
  const service = await startService({ timeouts: { leave: 3 } });
  assert.equal((await service.request('/readyz')).status, 200);
  const closed = service.close();
  const ready = await service.request('/readyz');
  assert.deepEqual([ready.status, ready.json.code], [503, 'unavailable']);
  assert.match(ready.json.error, /about to shut down/);
  assert.equal((await service.request('/healthz')).status, 200);
  assert.match(JSON.stringify(await service.client().prices.latest({ tokens: [T] })), /"usd_price":4/);
  await closed;
  await assert.rejects(fetch(`${service.url}/readyz`));
});

test('a logger that throws ends no request, and no server', async () => {
  const broken = (): never => {
    throw new Error('the disk of the log is full');
  };
  const service = await startService({ logger: { info: broken, error: broken } });
  for (let i = 0; i < 3; i++) {
    assert.equal((await service.request('/healthz')).status, 200);
    assert.equal((await service.request('/nowhere')).status, 404);
  }
  await service.close();
});
