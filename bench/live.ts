/**
 * Subscriptions under load: a server that takes a block of 500 swaps every two seconds and answers get-price 500 times a second, with 900
 * clients of up to 20 wallets each, 90 with candles and 10 with everything, and beside it the same load without subscribers.
 * `--line costly` measures a key's look-ups beside costly requests of another key, of the kinds whose names contain `--only`.
 * `npm run bench -- live --swaps N --seconds N --engine sqlite|duckdb|memory --line with|without`; it exits with 1 where a message is missing.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once as event } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runCostly } from './live/costly.ts';
import { type Heard, Listener } from './live/listener.ts';
import type { Committed, Started } from './live/server.ts';
import { quantile } from './timing.ts';

const { values: options } = parseArgs({
  options: {
    swaps: { type: 'string', default: '200000' },
    seconds: { type: 'string', default: '30' },
    engine: { type: 'string', default: 'sqlite' },
    only: { type: 'string', default: '' },
    line: { type: 'string', multiple: true, default: ['without', 'with'] },
  },
});
const seconds = Number(options.seconds);
const RATE = 500;
const WARM_UP = 20;
/** Seconds from block to block. */
const EVERY = 2;

const now = (): number => performance.timeOrigin + performance.now();

console.log(
  `${options.engine}, ${options.swaps} swaps before, ${seconds} s, Node ${process.version}, load ${loadavg()[0]!.toFixed(2)}`,
);
for (const line of options.line)
  if (line === 'costly') await runCostly(seconds, options.only);
  else await run(line === 'with');

async function run(hasSubscribers: boolean): Promise<void> {
  const blocks = String(Math.ceil((WARM_UP + seconds) / EVERY) + 5);
  const file = fileURLToPath(new URL('./live/server.ts', import.meta.url));
  const server = fork(file, [options.engine, options.swaps, blocks]);
  try {
    const started = await once<Started>(server, 'started');
    const clients = hasSubscribers ? await connectAll(started) : [];
    const committed: Committed[] = [];
    server.on('message', (message: { committed?: Committed }) => {
      if (message.committed !== undefined) committed.push(message.committed);
    });
    server.send('begin');
    await pause(WARM_UP * 1000);
    const from = now();
    const before = processorSeconds(server.pid!);
    const prices = await askPrices(started, seconds);
    const used = processorSeconds(server.pid!) - before;
    server.send('end');
    await pause(3000);
    const measured = committed.filter(({ at }) => at >= from && at < from + seconds * 1000);
    console.log(
      `${hasSubscribers ? 'with 1,000' : 'without'} subscribers: server ${((used / seconds) * 100).toFixed(0)} % of a core, ${residentMegabytes(server.pid!)} MB`,
    );
    tell('  get-price', prices);
    const ingests = measured.map(({ milliseconds }) => milliseconds);
    tell('  ingest of a block', ingests);
    if (!hasSubscribers) return;
    const { all, byTopic, last } = delaysOf(clients, committed, measured);
    tell(`  commit to message (${all.length} messages)`, all);
    for (const [name, some] of byTopic) tell(`    ${name} (${some.length})`, some);
    tell('    the last message of a block', last);
    check(clients, committed);
    for (const { listener } of clients) listener.close();
  } finally {
    server.kill('SIGKILL');
  }
}

interface Client {
  readonly listener: Listener;
  readonly wallets: readonly string[] | undefined;
  readonly isAll: boolean;
  /** When messages came, and of which topic. */
  readonly seen: { readonly topic: string; readonly at: number }[];
  /** The swaps that came, by the slot of their block. */
  readonly swaps: Map<number, string[]>;
}

/** 900 with up to 20 wallets, 90 with candles, 10 with everything. */
async function connectAll({ url, wallets, tokens }: Started): Promise<Client[]> {
  const clients: Client[] = [];
  for (let i = 0; i < 1000; i++) {
    const some = Array.from({ length: 1 + (i % 20) }, (_, n) => wallets[(i * 37 + n * 101) % wallets.length]!);
    const own = i < 900 ? [...new Set(some)] : undefined;
    const calls =
      i < 900
        ? [{ topic: 'swaps', params: { wallets: own } }]
        : i < 990
          ? [{ topic: 'candles', params: { token: tokens[i % tokens.length], interval: 60 } }]
          : [{ topic: 'swaps' }, { topic: 'trades' }, { topic: 'prices' }];
    clients.push(await connect(url, own, calls));
  }
  return clients;
}

async function connect(url: string, wallets: Client['wallets'], calls: readonly object[]): Promise<Client> {
  const seen: { topic: string; at: number }[] = [];
  const swaps = new Map<number, string[]>();
  const isAll = calls.length > 1;
  let accepted = 0;
  let onAccepted = (): void => undefined;
  const isAccepted = new Promise<void>((resolve) => {
    onAccepted = resolve;
  });
  const fail = (why: string): never => {
    throw new Error(why);
  };
  function hear({ at, bytes }: Heard): void {
    const message = JSON.parse(String(bytes)) as Sent;
    if ('method' in message) {
      if (!message.ok) fail(String(bytes));
      if (++accepted === calls.length) onAccepted();
      return;
    }
    const { topic, data } = message;
    // Who gets nothing for long is sent an empty message, with a cursor that does not expire.
    if (data.length === 0) return;
    const name = topic.split('.').at(-1)!;
    seen.push({ topic: isAll ? `${name}, all` : name, at });
    if (name !== 'swaps') return;
    const slot = data[0]!.block_slot;
    swaps.set(slot, [...(swaps.get(slot) ?? []), ...data.map(({ tx_hash }) => tx_hash)]);
  }
  const listener = await Listener.open(`${url}/v1/ws`, hear, (why) => fail(`a client was cut off: ${why}`));
  for (const call of calls) listener.send({ method: 'subscribe', ...call });
  await isAccepted;
  listener.readLater();
  return { listener, wallets, isAll, seen, swaps };
}

/** What the server sends: an answer, or a message of a topic. */
type Sent =
  | { readonly method: string; readonly ok?: true }
  | { readonly topic: string; readonly data: readonly { readonly block_slot: number; readonly tx_hash: string }[] };

/** Milliseconds from the commit of each measured block to its messages, by topic, and to the last one; they come before the next block. */
function delaysOf(clients: readonly Client[], committed: readonly Committed[], measured: readonly Committed[]) {
  const counts = new Set(measured);
  const last = new Map<Committed, number>();
  const byTopic = new Map<string, number[]>();
  for (const { topic, at } of clients.flatMap(({ seen }) => seen)) {
    const block = committed.findLast((one) => one.at <= at);
    if (block === undefined || !counts.has(block)) continue;
    const delay = at - block.at;
    last.set(block, Math.max(delay, last.get(block) ?? 0));
    const delays = byTopic.get(topic) ?? [];
    delays.push(delay);
    byTopic.set(topic, delays);
  }
  return { all: [...byTopic.values()].flat(), byTopic, last: [...last.values()] };
}

/** Every client has each swap of each block that is its own, once. */
function check(clients: readonly Client[], committed: readonly Committed[]): void {
  let missing = 0;
  for (const { wallets, swaps, isAll } of clients) {
    if (wallets === undefined && !isAll) continue;
    const own = wallets && new Set(wallets);
    for (const { slot, swaps: sent } of committed) {
      const expected = sent.filter(({ wallet }) => own?.has(wallet) ?? true).map(({ tx_hash }) => tx_hash);
      const got = swaps.get(slot) ?? [];
      if (expected.length !== got.length || expected.some((hash, i) => hash !== got[i])) missing++;
    }
  }
  console.log(
    `  ${missing === 0 ? 'every message arrived, in order' : `${missing} messages are not what they ought to be`}`,
  );
  if (missing > 0) process.exitCode = 1;
}

/** Asks for prices at a steady rate, whatever the answers take: milliseconds of each from when it was due. */
async function askPrices({ url, tokens }: Started, duration: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const headers = { 'content-type': 'application/json' };
  const times: number[] = [];
  const begun = performance.now();
  const ask = async (token: string | undefined, due: number): Promise<void> => {
    const call = request(`${url}/v1/solana/dex/prices/get-price`, { method: 'POST', agent, headers });
    call.end(JSON.stringify({ tokens: [token] }));
    const [response] = (await event(call, 'response')) as [IncomingMessage];
    await event(response.resume(), 'end');
    times.push(performance.now() - due);
    if (response.statusCode !== 200) throw new Error(`get-price answered ${response.statusCode}`);
  };
  const asked: Promise<void>[] = [];
  for (let i = 0; i < duration * RATE; i++) {
    const due = begun + (i * 1000) / RATE;
    const wait = due - performance.now();
    if (wait > 1) await pause(wait);
    asked.push(ask(tokens[i % tokens.length], due));
  }
  await Promise.all(asked);
  agent.destroy();
  return times;
}

function tell(what: string, times: readonly number[]): void {
  const at = (q: number): string => quantile(times, q).toFixed(1);
  console.log(`${what}: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, most ${at(1)} ms`);
}

/** Megabytes, as Linux has them. */
function residentMegabytes(pid: number): number {
  const [, pages] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ');
  return Math.round((Number(pages) * 4096) / 1e6);
}

function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function once<T>(child: ChildProcess, name: string): Promise<T> {
  return new Promise((resolve, reject) => {
    child.on('message', (message: Record<string, T>) => {
      if (name in message) resolve(message[name]!);
    });
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
}
