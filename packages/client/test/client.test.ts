import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { memory, Swapfold, type SwapInput } from '@swapfold/core';
import { operations } from '@swapfold/core/host';
import { type ServeOptions, serve } from '@swapfold/server';
import { type ClientError, createClient, type LiveMessage } from '../src/index.ts';

const KEY = 'key-of-the-client';
const FEED = 'key-of-a-feed-of-it';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const T = 'T'.repeat(44);
const ANN = 'A'.repeat(44);
const START = 1_704_412_800;
const swap = (n: number): SwapInput => ({
  tx_hash: `tx${n}`,
  swap_index: 0,
  block_time: START + n,
  block_slot: n,
  wallet: ANN,
  token_in: USDC,
  token_amount_in: 100 + n,
  token_out: T,
  token_amount_out: 50,
});

async function withStore(use: (dex: Swapfold, start: (options?: ServeOptions) => Promise<Server>) => Promise<void>) {
  const dex = await Swapfold.open({ storage: memory(), config: { api_keys: [KEY] } });
  const servers: Server[] = [];
  const start = async (options: ServeOptions = {}) => {
    const server = await serve(dex, { port: 0, ...options });
    servers.push(server);
    return server;
  };
  try {
    await use(dex, start);
  } finally {
    for (const server of servers) await server.close();
    await dex.close();
  }
}
type Server = Awaited<ReturnType<typeof serve>>;

/** A fetch that gives these answers, the last one for ever, and notes when it was asked. */
function scripted(...answers: (() => Response)[]) {
  const asked: number[] = [];
  const ask = async (): Promise<Response> => {
    asked.push(performance.now());
    return answers[Math.min(asked.length, answers.length) - 1]!();
  };
  return { asked, ask };
}
const busy =
  (status: number, headers: Record<string, string> = {}) =>
  () =>
    Response.json(
      { error: 'Later.', code: status === 429 ? 'rate-limited' : 'unavailable', details: [] },
      { status, headers },
    );
const offline = (): Response => {
  throw new TypeError('fetch failed');
};
const url = 'http://dex.example/';

test('every operation is a method with the answer of the route', () =>
  withStore(async (dex, start) => {
    const { url } = await start();
    await dex.ingest([swap(1), swap(2)]);
    await dex.refresh();
    const client = createClient({ url, key: KEY });
    const tokens = [T];
    assert.deepEqual(
      await client.prices.latest({ tokens }),
      JSON.parse(JSON.stringify(await dex.prices.latest({ tokens }))),
    );
    assert.equal((await client.wallets.get({ wallet: ANN })).wallet_address, ANN);
    const found = await client.wallets.search({ filter: { 'metrics.7d.volume': { $gt: 200 } }, limit: 5 });
    assert.deepEqual(
      found.data.map(({ metrics }) => metrics?.['7d']?.volume),
      [203],
    );
    for (const { name } of operations) {
      const [group, key] = name.split('.') as [string, string];
      assert.equal(
        typeof (client as unknown as Record<string, Record<string, unknown>>)[group]![key],
        'function',
        name,
      );
    }
  }));

test('pages and items go through a whole list', () =>
  withStore(async (dex, start) => {
    const { url } = await start();
    await dex.ingest(Array.from({ length: 25 }, (_, i) => swap(i)));
    const client = createClient({ url, key: KEY });
    const sizes: number[] = [];
    for await (const { data } of client.pages('swaps.list', { limit: 10 })) sizes.push(data.length);
    assert.deepEqual(sizes, [10, 10, 5]);
    const hashes: string[] = [];
    for await (const { tx_hash } of client.items('trades.list', { wallet: ANN, limit: 10 })) hashes.push(tx_hash);
    assert.deepEqual(
      hashes,
      Array.from({ length: 25 }, (_, i) => `tx${24 - i}`),
    );
  }));

test('an error has the code, the status, the details and the request of the server', () =>
  withStore(async (_, start) => {
    const { url } = await start();
    const wrong = createClient({ url, key: 'not-a-key-of-it' });
    await assert.rejects(wrong.swaps.list(), { name: 'ClientError', code: 'unauthorized', status: 401 });
    const client = createClient({ url, key: KEY });
    await assert.rejects(client.swaps.list({ limit: 101 }), (error: ClientError) => {
      assert.deepEqual([error.code, error.status, error.details[0]?.path], ['invalid-request', 400, 'limit']);
      assert.match(error.requestId!, /^[\w-]+$/);
      return true;
    });
    await assert.rejects(createClient({ url, key: KEY, chain: 'base' }).swaps.list(), {
      code: 'not-found',
      status: 404,
    });
  }));

test('429, 503 and no answer are tried again, after Retry-After where it is given; what is wrong is not', async () => {
  const patient = scripted(busy(429, { 'Retry-After': '1' }), offline, busy(503), () => Response.json([]));
  assert.deepEqual(await createClient({ url, fetch: patient.ask }).prices.latest({ tokens: [T] }), []);
  assert.equal(patient.asked.length, 4);
  assert.ok(patient.asked[1]! - patient.asked[0]! > 990);
  const lasting = scripted(busy(503, { 'Retry-After': '0' }));
  await assert.rejects(createClient({ url, fetch: lasting.ask, retries: 2 }).swaps.list(), { code: 'unavailable' });
  assert.equal(lasting.asked.length, 3);
  const wrong = scripted(() => Response.json({ error: 'No.', code: 'not-found', details: [] }, { status: 404 }));
  await assert.rejects(createClient({ url, fetch: wrong.ask }).swaps.list(), { code: 'not-found' });
  assert.equal(wrong.asked.length, 1);
  const proxy = scripted(() => new Response('<html>', { status: 404 }));
  await assert.rejects(createClient({ url, fetch: proxy.ask }).swaps.list(), { code: 'no-json', status: 404 });
  await assert.rejects(createClient({ url, fetch: scripted(offline).ask, retries: 0 }).swaps.list(), {
    code: 'unreachable',
  });
});

test('swaps that are pushed are stored once, whatever the client hears of its requests', () =>
  withStore(async (dex, start) => {
    const operations = ['ingest', 'ingest.rollback', 'ingest.refresh'];
    const { url } = await start({ ingest: true, keys: [{ key: FEED, operations }] });
    let asked = 0;
    // Every second answer is lost on its way, after the server has stored what was sent.
    const lossy = async (...request: Parameters<typeof fetch>): Promise<Response> => {
      const response = await fetch(...request);
      if (asked++ % 2 === 0) throw new TypeError('fetch failed');
      return response;
    };
    const { ingest } = createClient({ url, key: FEED, fetch: lossy });
    const none = { conflicting: 0, rejected: 0, rows: [] };
    const as_of = START + 2;
    assert.deepEqual(await ingest.swaps([swap(1), swap(2)]), {
      added: 0,
      duplicate: 2,
      ...none,
      unknown_fields: [],
      as_of,
    });
    // A field that no swap has is named.
    const { unknown_fields } = await ingest.swaps([{ ...swap(1), protocl: 'raydium' } as ReturnType<typeof swap>]);
    assert.deepEqual(unknown_fields, [{ field: 'protocl', rows: 1, nearest: 'protocol' }]);
    assert.deepEqual(await ingest.tokens([{ address: T, symbol: 'TEA' }]), {
      upserted: 1,
      rejected: 0,
      rows: [],
      as_of,
    });
    assert.equal((await ingest.refresh()).tokens, 0, 'the first request has refreshed all');
    assert.deepEqual(await ingest.rollback({ from_block_slot: 2 }), { swaps: 0, transactions: 0, as_of: START + 1 });
    assert.equal(asked, 10);
    assert.deepEqual(
      (await dex.swaps.list()).data.map(({ tx_hash }) => tx_hash),
      ['tx1'],
    );
    const asking = createClient({ url, key: FEED });
    await assert.rejects(asking.swaps.list(), { code: 'forbidden', status: 403 });
  }));

test('a call that is aborted while it waits ends with the reason of its signal', async () => {
  const controller = new AbortController();
  const client = createClient({ url, fetch: scripted(busy(503, { 'Retry-After': '30' })).ask });
  const call = client.swaps.list({}, { signal: controller.signal });
  setImmediate(() => controller.abort(new Error('enough')));
  await assert.rejects(call, { message: 'enough' });
});

test('a live topic goes on without a gap when its server comes back, and says when it missed some', () =>
  withStore(async (dex, start) => {
    let server = await start();
    const port = Number(new URL(server.url).port);
    const client = createClient({ url: server.url, key: KEY });
    const live = client.subscribe('swaps', { wallets: [ANN] });
    await live.ready;
    const messages = live[Symbol.asyncIterator]();
    const next = async (): Promise<LiveMessage<'swaps'>> => (await messages.next()).value;
    await dex.ingest([swap(1)]);
    assert.deepEqual(
      (await next()).data.map(({ tx_hash }) => tx_hash),
      ['tx1'],
    );
    const second = next();
    await server.close();
    await dex.ingest([swap(2)]);
    server = await start({ port });
    assert.deepEqual(
      (await second).data.map(({ tx_hash }) => tx_hash),
      ['tx2'],
    );
    const third = next();
    await dex.rebuild();
    const { expired, data } = await third;
    assert.deepEqual([expired, data], [true, []]);
    await dex.ingest([swap(3)]);
    assert.deepEqual(
      (await next()).data.map(({ tx_hash }) => tx_hash),
      ['tx3'],
    );
    await messages.return?.();
  }));

test('a loop over a live topic goes on where the one before was left', () =>
  withStore(async (dex, start) => {
    const { url } = await start();
    const live = createClient({ url, key: KEY }).subscribe('swaps');
    await live.ready;
    for (let i = 1; i <= 3; i++) await dex.ingest([swap(i)]);
    const heard: string[] = [];
    for await (const { data } of live) {
      heard.push(...data.map(({ tx_hash }) => tx_hash));
      if (heard.length === 1) break;
    }
    for await (const { data } of live) {
      heard.push(...data.map(({ tx_hash }) => tx_hash));
      if (heard.at(-1) === 'tx3') break;
    }
    // Who stops in a message gets it again.
    assert.deepEqual(heard, ['tx1', 'tx1', 'tx2', 'tx3']);
  }));

test('a name with line ends that only JavaScript takes for such costs no message', () =>
  withStore(async (dex, start) => {
    const { url } = await start();
    const live = createClient({ url, key: KEY }).subscribe('trades');
    await live.ready;
    await dex.tokens.upsert([{ address: T, symbol: 'BAD\u2028X\u2029' }]);
    await dex.ingest([swap(1)]);
    const { value } = await live[Symbol.asyncIterator]().next();
    assert.deepEqual([value.data[0].tx_hash, value.data[0].token_symbol], ['tx1', 'BAD\u2028X\u2029']);
  }));

test('a live topic that begins after an expired cursor is ready without it, and says first that some were missed', async () => {
  const expired = (): Response =>
    Response.json({ error: 'Too late.', code: 'cursor-expired', details: [] }, { status: 409 });
  const accepted = (): Response => new Response('id: e.7\ndata: {"topic":"swaps","cursor":"e.7","data":[]}\n\n');
  const { ask, asked } = scripted(expired, accepted);
  const live = createClient({ url, retries: 0, fetch: ask }).subscribe('swaps', {}, { after: 'e.0' });
  await live.ready;
  const messages = live[Symbol.asyncIterator]();
  assert.equal((await messages.next()).value?.expired, true);
  assert.equal((await messages.next()).value?.cursor, 'e.7');
  assert.equal(asked.length, 2);
  await messages.return?.();
});

test('a live topic goes on after an error of the stream that passes, and throws one that does not', async () => {
  const failing = (code: string) => (): Response =>
    new Response(`id: e.1\n\nevent: error\ndata: {"error":"Not now.","code":"${code}"}\n\n`);
  const accepted = (): Response => new Response('id: e.2\ndata: {"topic":"swaps","cursor":"e.2","data":[]}\n\n');
  const passing = createClient({ url, retries: 0, fetch: scripted(failing('unavailable'), accepted).ask });
  for await (const message of passing.subscribe('swaps')) {
    assert.equal(message.cursor, 'e.2');
    break;
  }
  const lasting = createClient({ url, retries: 0, fetch: scripted(failing('too-many-matches')).ask });
  await assert.rejects(lasting.subscribe('swaps')[Symbol.asyncIterator]().next(), { code: 'too-many-matches' });
});

test('a live topic that the server refuses throws; one whose signal aborts ends', () =>
  withStore(async (_, start) => {
    const { url } = await start();
    const client = createClient({ url, key: KEY });
    const refused = client.subscribe('swaps', { wallets: ['x'] });
    await assert.rejects(refused.ready, { code: 'invalid-request' });
    await assert.rejects(refused[Symbol.asyncIterator]().next(), { code: 'invalid-request' });
    const controller = new AbortController();
    const live = client.subscribe('prices', {}, { signal: controller.signal });
    await live.ready;
    const ended = live[Symbol.asyncIterator]().next();
    controller.abort();
    assert.equal((await ended).done, true);
  }));

test('a live topic that missed some connects again although the server is away, and ends if its signal aborts meanwhile', async () => {
  const expired = (): Response =>
    Response.json({ error: 'Too late.', code: 'cursor-expired', details: [] }, { status: 409 });
  const accepted = (): Response => new Response('id: e.1\n\n');
  const away = createClient({ url, retries: 0, fetch: scripted(expired, offline, accepted).ask });
  const messages = away.subscribe('swaps', {}, { after: 'e.0' })[Symbol.asyncIterator]();
  assert.equal((await messages.next()).value?.expired, true);
  await messages.return?.();

  const controller = new AbortController();
  let asked = 0;
  const hanging = createClient({
    url,
    retries: 0,
    fetch: async (_, init) => {
      if (asked++ === 0) return expired();
      setImmediate(() => controller.abort());
      return new Promise((_, reject) => init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason)));
    },
  });
  const live = hanging.subscribe('swaps', {}, { after: 'e.0', signal: controller.signal });
  assert.equal((await live[Symbol.asyncIterator]().next()).done, true);
  assert.equal(asked, 2);
});

test('the client imports nothing but its own files', () => {
  const folder = resolve(import.meta.dirname, '../src');
  for (const file of readdirSync(folder))
    for (const [, from] of readFileSync(resolve(folder, file), 'utf8').matchAll(/from '([^']+)'/g))
      assert.match(from!, /^\.\//, file);
});

test('an answer that is cut short is asked for again, and a page of a proxy is an error of the client', async () => {
  const cut = (): Response =>
    new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('[{"token"'));
          controller.error(new TypeError('terminated'));
        },
      }),
    );
  const once = scripted(cut, () => Response.json([]));
  assert.deepEqual(await createClient({ url, fetch: once.ask }).prices.latest({ tokens: [T] }), []);
  const never = createClient({ url, fetch: scripted(cut).ask, retries: 0 });
  await assert.rejects(never.prices.latest({ tokens: [T] }), { code: 'unreachable' });
  const page = createClient({ url, fetch: scripted(() => new Response('<html>')).ask });
  await assert.rejects(page.prices.latest({ tokens: [T] }), { code: 'no-json', status: 200 });
  const gateway = createClient({
    url,
    fetch: scripted(() => Response.json({ message: 'Forbidden' }, { status: 403 })).ask,
  });
  await assert.rejects(gateway.prices.latest({ tokens: [T] }), { code: 'no-json', status: 403 });
});

test('a subscription whose connection ends before its first event says that messages may be missed', async () => {
  const bodies: unknown[] = [];
  const ask: typeof fetch = async (_, init) => {
    bodies.push(JSON.parse(String(init?.body)));
    const events = 'id: e.7\n\ndata: {"topic":"solana.dex.prices","cursor":"e.8","data":[]}\n\n';
    return new Response(bodies.length === 1 ? '' : events, { status: 200 });
  };
  const messages: LiveMessage<'prices'>[] = [];
  for await (const message of createClient({ url: 'http://127.0.0.1:1', fetch: ask }).subscribe('prices')) {
    messages.push(message);
    if (messages.length === 2) break;
  }
  assert.deepEqual(
    messages.map(({ cursor, expired }) => [cursor, expired]),
    [
      ['', true],
      ['e.8', undefined],
    ],
  );
});

test('a request that is no JSON fails at once, and is not sent', async () => {
  const ask = async (): Promise<Response> => assert.fail('it was sent');
  const client = createClient({ url: 'http://127.0.0.1:1', fetch: ask });
  await assert.rejects(client.call('prices.latest', { tokens: [1n] } as never), TypeError);
});
