/**
 * Sends whatever comes to mind to all routes: 1,200 requests with the other tests, 4,000 in a whole run, 100,000 by `npm run fuzz`.
 * FUZZ_REQUESTS and FUZZ_SEED choose other numbers.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { cases } from '../../../test/support/whole.ts';
import { type Exchange, makeExchange, NARROW, SECRETS } from './fuzz-requests.ts';
import { Random } from './random.ts';
import { ANN, asked, at, KEY, type Service, startService, T, U } from './service.ts';

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? cases(4000, 1200));
const SEED = Number(process.env.FUZZ_SEED ?? 1);
const CALLERS = 48;
/** Bytes of the heap that may come to it after the first third of the requests: less than 40 of each. */
const GROWTH = 3_000_000;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Statuses that somebody has to have written down in docs/reference/http.md, but 417: node:http's own answer to an unknown `Expect`. */
const expected = new Set([100, 200, 400, 401, 403, 404, 405, 408, 413, 415, 417, 431]);

test(`${REQUESTS} strange requests leave the server as it was (seed ${SEED})`, {
  timeout: 60_000 + REQUESTS * 20,
}, async (t) => {
  const errors: unknown[] = [];
  const leaks: string[] = [];
  let lines = 0;
  const scan = (fields: object, message: string): void => {
    lines++;
    const line = JSON.stringify({ ...fields, message });
    for (const secret of SECRETS) if (line.includes(secret) && !isOwnRequestId(fields, secret)) leaks.push(line);
  };
  const service = await startService({
    keys: [KEY, { key: NARROW, operations: ['prices.latest'] }],
    timeouts: { headers: 1, request: 2, keepAlive: 1, stall: 2 },
    metrics: { port: 0 },
    // The fuzzer has one address, and sends wrong keys all the time.
    limits: { wrongKeys: 1_000_000 },
    logger: {
      info: scan,
      error: (fields, message) => {
        scan(fields, message);
        errors.push([message, fields]);
      },
    },
  });
  t.after(() => service.close());
  const right = await knownAnswers(service);
  const statuses = new Map<string, number>();
  const random = new Random(SEED);
  let sent = 0;
  let heap = 0;
  const runUntil = async (requests: number): Promise<void> => {
    await Promise.all(
      Array.from({ length: CALLERS }, async () => {
        while (sent < requests) {
          const exchange = makeExchange(random);
          sent += exchange.methods?.length ?? 1;
          for (const { status, body } of await send(service.url, exchange)) {
            const name = `${exchange.kind} ${status}`;
            statuses.set(name, (statuses.get(name) ?? 0) + 1);
            assertAnswer(status, body, exchange);
          }
        }
      }),
    );
    assert.deepEqual(await knownAnswers(service), right);
    collectGarbage();
  };

  await runUntil(REQUESTS / 3);
  heap = process.memoryUsage().heapUsed;
  await runUntil(REQUESTS);
  const growth = process.memoryUsage().heapUsed - heap;
  t.diagnostic(
    `${sent} requests, ${lines} lines, heap ${(growth / 1e6).toFixed(2)} MB on ${(heap / 1e6).toFixed(0)} MB`,
  );
  t.diagnostic(
    [...statuses]
      .sort()
      .map(([name, count]) => `${name}: ${count}`)
      .join(', '),
  );
  assert.deepEqual(errors, []);
  assert.deepEqual(leaks, []);
  assert.ok(lines > REQUESTS / 2);
  assert.ok(growth < GROWTH, `${growth} bytes`);
  await untilIdle(service.metricsUrl!);
  await service.close();
  await untilNoSockets();
});

/** The caller chose it: the fuzzer sends a key there to see that it is nowhere else. */
function isOwnRequestId(fields: { request_id?: string }, secret: string): boolean {
  return fields.request_id === secret && !JSON.stringify({ ...fields, request_id: '' }).includes(secret);
}

function assertAnswer(status: number, body: string, { kind, bytes }: Exchange): void {
  const what = (): string => `${status} ${body}, after ${kind}: ${bytes.subarray(0, 2000).toString('latin1')}`;
  if (status === 503) assert.equal(JSON.parse(body).code, 'unavailable', what());
  else assert.ok(expected.has(status), what());
  // Without a host, or with an unknown Expect, node:http answers by itself and without a body.
  if (body !== '') assert.doesNotThrow(() => JSON.parse(body), what());
}

/** What every operation answers to a right question. */
async function knownAnswers({ post }: Service): Promise<readonly string[]> {
  const bodies: Readonly<Record<string, object>> = {
    'tokens.get': { token: T },
    'wallets.get': { wallet: ANN },
    'positions.get': { wallet: ANN, token: T },
    'tokens.explain': { token: T, metric: 'pnl', window: '7d' },
    'wallets.explain': { wallet: ANN, metric: 'pnl', window: '7d' },
    'positions.explain': { wallet: ANN, token: T, metric: 'pnl', window: '7d' },
    'tokens.history': { token: T, interval: 600 },
    'wallets.history': { wallet: ANN, interval: 600 },
    'wallets.simulate': { wallet: ANN },
    'prices.latest': { tokens: [T, U] },
    'prices.stats': { tokens: [T, U] },
    'prices.candles': { token: T, interval: 3600 },
    'prices.history': { tokens: [T], from: at(0), to: at(9000), interval: 600 },
    'portfolios.get': { wallet: ANN },
  };
  const texts: string[] = [];
  for (const { name, path } of asked) {
    const { status, text } = await post(path, bodies[name] ?? {});
    assert.equal(status, 200, text);
    texts.push(text);
  }
  return texts;
}

const EMPTY_CHUNK = '0\r\n\r\n';

interface Received {
  readonly status: number;
  readonly body: string;
}

/** Sends an exchange and gives the answers that came until all had, or the connection was closed. */
async function send(url: string, { bytes, methods, cuts, hangsUpAt }: Exchange): Promise<readonly Received[]> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const chunks: Buffer[] = [];
  let answers: readonly Received[] = [];
  socket.on('error', () => undefined);
  const closed = once(socket, 'close').catch(() => undefined);
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    answers = readAnswers(Buffer.concat(chunks), methods);
    if (methods !== undefined && answers.filter(({ status }) => status !== 100).length === methods.length)
      socket.destroy();
  });
  const end = hangsUpAt ?? bytes.length;
  let from = 0;
  for (const cut of [...cuts.filter((cut) => cut < end), end]) {
    socket.write(bytes.subarray(from, cut));
    from = cut;
    await setImmediate();
  }
  if (hangsUpAt !== undefined) socket.destroy();
  // Nothing more comes: what waits for more is told so.
  else if (methods === undefined) socket.end();
  await closed;
  return answers;
}

function readAnswers(received: Buffer, methods: readonly string[] | undefined): readonly Received[] {
  const answers: Received[] = [];
  let from = 0;
  let requests = 0;
  for (;;) {
    const at = received.indexOf('\r\n\r\n', from);
    if (at < 0) return answers;
    const head = received.subarray(from, at).toString('latin1');
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? Number.NaN);
    assert.ok(status > 0, head);
    const hasBody = status !== 100 && methods?.[requests] !== 'HEAD';
    // node:http ends its own answers by an empty chunk.
    const isChunked = /\r\ntransfer-encoding: chunked/i.test(head);
    const length = hasBody && !isChunked ? Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0) : 0;
    const end = at + 4 + length + (hasBody && isChunked ? EMPTY_CHUNK.length : 0);
    if (received.length < end) return answers;
    answers.push({ status, body: received.subarray(at + 4, at + 4 + length).toString() });
    if (status !== 100) requests++;
    from = end;
  }
}

/** Waits until nothing is left on the server of what was sent. Connections that are kept alive end a second after their last answer. */
async function untilIdle(metricsUrl: string): Promise<void> {
  const left = ['connections', 'requests_working', 'requests_waiting', 'body_bytes'];
  for (;;) {
    const text = await (await fetch(metricsUrl)).text();
    if (left.every((name) => text.includes(`\nswapfold_http_${name} 0\n`))) return;
    await setImmediate();
  }
}

/** Waits until the process has neither sockets nor servers open. */
async function untilNoSockets(): Promise<void> {
  while (process.getActiveResourcesInfo().some((kind) => kind.startsWith('TCP'))) await setImmediate();
}
