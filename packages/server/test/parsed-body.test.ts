import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import { after, before, test } from 'node:test';
import type { Swapfold } from '@swapfold/core';
import { createHandler, type Handler } from '../src/index.ts';
import { BASE, KEY, openStore, START, T, USDC } from './service.ts';

const WRITER = 'key-that-may-push';
let dex: Swapfold;
let handler: Handler;
before(async () => {
  dex = await openStore();
  handler = createHandler(dex, {
    keys: [KEY, { key: WRITER, operations: ['ingest'] }],
    ingest: true,
    limits: { working: 1 },
  });
});
after(() => dex.close());

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

type Parser = (request: IncomingMessage & { body?: unknown; rawBody?: unknown }) => Promise<void>;

/** What stands in front of the handler, and whether the handler gets the body from it. */
const parsers: Readonly<Record<string, { readonly parse: Parser; readonly isLost?: true }>> = {
  'nobody reads': { parse: async () => undefined },
  'a parser of JSON has read': {
    async parse(request) {
      request.body = JSON.parse((await bytesOf(request)).toString());
    },
  },
  'a parser has left as bytes': {
    async parse(request) {
      request.body = await bytesOf(request);
    },
  },
  'a parser has left as text': {
    async parse(request) {
      request.body = (await bytesOf(request)).toString();
    },
  },
  'a parser has left as bytes beside something else': {
    async parse(request) {
      request.rawBody = await bytesOf(request);
      request.body = { made: 'of it' };
    },
  },
  'a parser of other types has set to nothing and not read': {
    async parse(request) {
      request.body = {};
    },
  },
  'somebody has thrown away': {
    async parse(request) {
      await bytesOf(request);
    },
    isLost: true,
  },
};

/** Asks through a server with a parser in front. It never waits longer than two seconds. */
async function ask(
  parse: Parser,
  path: string,
  key: string,
  body: unknown,
): Promise<{ status: number; json: unknown }> {
  const server = createServer((request, response) => {
    parse(request).then(() => handler.listener(request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Api-Key': key },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(20_000),
    });
    return { status: answer.status, json: await answer.json() };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

for (const [kind, { parse, isLost }] of Object.entries(parsers)) {
  test(`a question whose body ${kind} is answered, and gives its place back`, async () => {
    // More often than there are places in work.
    for (let i = 0; i < 4; i++) {
      const { status, json } = await ask(parse, `${BASE}/prices/get-price`, KEY, { tokens: [T] });
      if (isLost) {
        const { code, error } = json as { code: string; error: string };
        assert.deepEqual([status, code], [500, 'internal']);
        assert.match(error, /was read before the handler got it.*before the body parser/);
      } else {
        assert.equal(status, 200);
        assert.match(JSON.stringify(json), /"usd_price":4/);
      }
    }
  });

  test(`swaps whose body ${kind} are stored, or refused with a sentence`, async () => {
    const swap = {
      tx_hash: `parsed-${kind.replaceAll(' ', '-')}`,
      swap_index: 0,
      block_time: START + 9000,
      block_slot: 5000,
      wallet: 'D'.repeat(44),
      token_in: USDC,
      token_amount_in: 4,
      token_out: T,
      token_amount_out: 1,
    };
    const { status, json } = await ask(parse, '/v1/solana/ingest/swaps', WRITER, [swap]);
    if (isLost) assert.deepEqual([status, (json as { code: string }).code], [500, 'internal']);
    else assert.deepEqual([status, (json as { added: number }).added], [200, 1], JSON.stringify(json));
  });
}

test('a parsed body that is larger than may be is refused as one that comes', async () => {
  const body = { tokens: [T], more: 'x'.repeat(1024 * 1024) };
  const { status } = await ask(parsers['a parser of JSON has read']!.parse, `${BASE}/prices/get-price`, KEY, body);
  assert.equal(status, 413);
});
