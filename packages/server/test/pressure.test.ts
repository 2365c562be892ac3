import assert from 'node:assert/strict';
import { request as send } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { mock, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { memory, Swapfold } from '@swapfold/core';
import { newShare } from '@swapfold/core/host';
import { Admission } from '../src/admission.ts';
import { createHandlerOf } from '../src/handler.ts';
import { type RunningServer, type ServeOptions, serve } from '../src/index.ts';
import { sendTo } from '../src/live/outlet.ts';
import { swaps } from './service.ts';

const [A, B] = ['key-of-the-first', 'key-of-the-second'];

async function withServer(
  options: ServeOptions,
  use: (server: RunningServer, dex: Swapfold) => Promise<void>,
): Promise<void> {
  const dex = await Swapfold.open({ storage: memory() });
  const server = await serve(dex, { port: 0, keys: [A, B], ...options });
  try {
    await use(server, dex);
  } finally {
    await server.close();
    await dex.close();
  }
}

/** Waits until something is so. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const begun = Date.now(); !(await isSo()); await sleep(10))
    assert.ok(Date.now() - begun < 10_000, 'it did not become so');
}

test('a push that needs the room of another one, which goes on slowly, gets it at once', async () => {
  const keys = [A, B].map((key) => ({ key, operations: ['ingest'] }));
  await withServer({ ingest: true, keys, limits: { pushBytes: 1 << 20 } }, async (server) => {
    const row = `${JSON.stringify({ tx_hash: 'x'.repeat(60_000) })}\n`;
    const push = (key: string) => {
      const headers = { 'X-Api-Key': key, 'Content-Type': 'application/x-ndjson' };
      const request = send(`${server.url}/v1/solana/ingest/swaps`, { method: 'POST', headers });
      const status = new Promise<number | undefined>((resolve, reject) => {
        request.on('error', reject).on('response', (response) => resolve(response.resume().statusCode));
      });
      return { request, status };
    };
    const slow = push(A);
    for (let i = 0; i < 14; i++) slow.request.write(row);
    await new Promise((resolve) => slow.request.write(row, resolve));
    await sleep(200);
    const other = push(B);
    for (let i = 0; i < 5; i++) other.request.write(row);
    other.request.end();
    assert.deepEqual([await slow.status, await other.status], [503, 200]);
    slow.request.destroy();
  });
});

/** A connection on which streams are asked for, one behind the other, and nothing is read. */
function pipelined(server: RunningServer, streams: number): Socket {
  const socket = connect(Number(new URL(server.url).port));
  const body = JSON.stringify({ topics: [{ topic: 'swaps' }] });
  const head = `POST /v1/solana/dex/stream HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${A}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  socket.pause();
  for (let i = 0; i < streams; i++) socket.write(head + body);
  return socket;
}

const openStreams = async (server: RunningServer): Promise<number> => {
  const text = await (await fetch(server.metricsUrl!)).text();
  return Number(/^swapfold_live_connections (\d+)$/m.exec(text)?.[1]);
};

test('streams that wait behind another one on their connection end with it', () =>
  withServer({ metrics: { port: 0 } }, async (server) => {
    const socket = pipelined(server, 4);
    await until(async () => (await openStreams(server)) === 4);
    socket.destroy();
    await until(async () => (await openStreams(server)) === 0);
  }));

test('a stream that was ended behind another one is not written to again', async () => {
  mock.timers.enable({ apis: ['setInterval'] });
  try {
    await withServer({ metrics: { port: 0 } }, async (server) => {
      const socket = pipelined(server, 2);
      await until(async () => (await openStreams(server)) === 2);
      server.setKeys([B]);
      await sleep(50);
      mock.timers.tick(60_000);
      await sleep(50);
      assert.equal(socket.destroyed, false);
      socket.destroy();
    });
  } finally {
    mock.timers.reset();
  }
});

test('a client that reads a large message slowly is waited for, and one that reads nothing is not', async () => {
  for (const isReading of [true, false]) {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const client = connect((server.address() as AddressInfo).port);
    client.on('data', () => {
      client.pause();
      if (isReading) setTimeout(() => client.resume(), 5);
    });
    const socket = await new Promise<Socket>((resolve) => server.once('connection', resolve));
    socket.on('error', () => undefined);
    assert.equal(await sendTo(socket, Buffer.alloc(24_000_000), 1 << 20), isReading);
    client.destroy();
    socket.destroy();
    server.close();
  }
});

test('how far the store is behind is said at the first look, and nothing where it is not known', () =>
  withServer({ metrics: { port: 0 } }, async (server, dex) => {
    const lag = async (): Promise<number | undefined> => {
      const text = await (await fetch(server.metricsUrl!)).text();
      const found = /^swapfold_lag_seconds ([\d.]+)$/m.exec(text)?.[1];
      return found === undefined ? undefined : Number(found);
    };
    assert.equal(await lag(), undefined);
    const now = Math.floor(Date.now() / 1000);
    for (const [i, behind] of [7200, 5].entries()) {
      await dex.ingest([{ ...swaps[0]!, tx_hash: `late${i}`, block_time: now - behind }]);
      const found = await lag();
      assert.ok(found !== undefined && Math.abs(found - behind) < 30, `${found}`);
    }
  }));

test('a subscription by filter that gets no place searches nothing', async () => {
  const dex = await Swapfold.open({ storage: memory() });
  await dex.ingest([...swaps]);
  await dex.refresh();
  let begun = 0;
  const watched = new Proxy(dex, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        if (name === 'stream') begun++;
        return value.apply(target, args);
      };
    },
  });
  const admission = new Admission({ keys: [A], limits: { working: 1, waiting: 0 } });
  const { listener } = createHandlerOf(watched, admission, { keys: [A] });
  for (let i = 0; i < 2; i++) await admission.gates.scan.enter({ isWanted: true, share: newShare() });
  const { createServer: createHttpServer } = await import('node:http');
  const server = createHttpServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const topics = [{ topic: 'profiles.wallet', params: { filter: { 'metrics.30d.trade_count': { $gt: 0 } } } }];
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/solana/dex/stream`, {
    method: 'POST',
    headers: { 'X-Api-Key': A, 'Content-Type': 'application/json' },
    body: JSON.stringify({ topics }),
  });
  assert.deepEqual([response.status, begun], [503, 0]);
  server.closeAllConnections();
  server.close();
  await dex.close();
});
