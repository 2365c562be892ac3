import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import { after, before, test } from 'node:test';
import type { Swapfold } from '@swapfold/core';
import { createHandler, type Handler } from '../../packages/server/src/index.ts';
import { BASE, KEY, openStore, T } from '../../packages/server/test/service.ts';

/** The packages of this folder, whose types the project does not have. */
const load = async (name: string): Promise<Loaded> => (await import(name)) as Loaded;
// biome-ignore lint/suspicious/noExplicitAny: the frameworks are installed by `npm run test:frameworks` alone.
type Loaded = any;

let dex: Swapfold;
let handler: Handler;
before(async () => {
  dex = await openStore();
  handler = createHandler(dex, { keys: [KEY], limits: { working: 1 } });
});
after(() => dex.close());

async function listening(listener: RequestListener): Promise<Server> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** Where each framework listens with the handler below `/dex`, as docs/guides/frameworks.md has it. */
const frameworks: Readonly<Record<string, () => Promise<{ readonly server: Server; close(): unknown }>>> = {
  async 'Express, before its parser'() {
    const { default: express } = await load('express');
    const app = express();
    app.use('/dex', handler.listener);
    app.use(express.json());
    const server = await listening(app);
    return { server, close: () => server.close() };
  },
  async 'Express, behind its parser, as NestJS has it'() {
    const { default: express } = await load('express');
    const app = express();
    app.use(express.json());
    app.use('/dex', handler.listener);
    const server = await listening(app);
    return { server, close: () => server.close() };
  },
  async Fastify() {
    const { default: fastify } = await load('fastify');
    const app = fastify();
    app.register(
      async (routes: Loaded) => {
        routes.removeAllContentTypeParsers();
        routes.addContentTypeParser('*', (_request: Loaded, _body: Loaded, done: Loaded) => done(null));
        routes.all('/*', (request: Loaded, reply: Loaded) => {
          reply.hijack();
          request.raw.url = request.raw.url.slice('/dex'.length);
          handler.listener(request.raw, reply.raw);
        });
      },
      { prefix: '/dex' },
    );
    await app.listen({ port: 0, host: '127.0.0.1' });
    return { server: app.server, close: () => app.close() };
  },
  async Hono() {
    const [{ Hono }, { serve }] = [await load('hono'), await load('@hono/node-server')];
    const app = new Hono();
    app.mount('/dex', (request: Request) => handler.fetch(request));
    const server = await new Promise<Server>((resolve) => {
      const made = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, () => resolve(made));
    });
    return { server, close: () => server.close() };
  },
};

for (const [name, start] of Object.entries(frameworks))
  test(`${name}: the handler answers questions, errors and events, as often as it is asked`, async () => {
    const { server, close } = await start();
    const { port } = server.address() as { port: number };
    const ask = (path: string, body: unknown, key = KEY): Promise<Response> =>
      fetch(`http://127.0.0.1:${port}/dex${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Api-Key': key },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(20_000),
      });
    try {
      for (let i = 0; i < 4; i++) {
        const answer = await ask(`${BASE}/prices/get-price`, { tokens: [T] });
        assert.equal(answer.status, 200);
        assert.match(await answer.text(), /"usd_price":4/);
      }
      assert.equal((await ask(`${BASE}/prices/get-price`, { tokens: 7 })).status, 400);
      assert.equal((await ask(`${BASE}/prices/get-price`, { tokens: [T] }, 'wrong-key')).status, 401);
      assert.equal((await fetch(`http://127.0.0.1:${port}/dex/healthz`)).status, 200);
      assert.equal((await ask('/nowhere', {})).status, 404);
    } finally {
      server.closeAllConnections();
      await close();
    }
  });

test('Next: a route handler answers the Web requests that it is given', async () => {
  const POST = (request: Request): Promise<Response> => handler.fetch(request);
  const headers = { 'Content-Type': 'application/json', 'X-Api-Key': KEY };
  const body = JSON.stringify({ tokens: [T] });
  const answer = await POST(
    new Request(`http://app.example${BASE}/prices/get-price`, { method: 'POST', headers, body }),
  );
  assert.match(await answer.text(), /"usd_price":4/);
});
