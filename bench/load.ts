/**
 * Puts `swapfold serve` under load: 64 keep-alive connections that ask all routes for a minute, look-ups beside another key's most expensive
 * searches over 100,000 profiles and more, then four times what it could serve.
 * `npm run bench:load -- --swaps N --seconds N --engine sqlite|duckdb --keep FOLDER --line mix|searches|overload`; it exits with 1 where an answer is wrong, a look-up waits too long or the server does not recover.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { formatTime, operations } from '@swapfold/core';
import { generateMarket } from '@swapfold/testing';
import { type Engine, removeFile } from './files.ts';
import { openStore } from './open.ts';
import { quantile } from './timing.ts';

const { values: options } = parseArgs({
  options: {
    swaps: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '60' },
    engine: { type: 'string', multiple: true, default: ['sqlite', 'duckdb'] },
    // What to measure.
    line: { type: 'string', multiple: true, default: ['mix', 'searches', 'overload'] },
    // Keeps the stores there for another run.
    keep: { type: 'string' },
  },
});
const [swaps, seconds] = [Number(options.swaps), Number(options.seconds)];
const KEY = 'key-of-the-load';
const HOSTILE_KEY = 'key-of-the-searches';
const CONNECTIONS = 64;
/** Profiles of wallets that only the registry knows: there is no market of so many small enough to be made here. */
const REGISTERED = 100_000;
/** The longest that nearly every look-up may take beside searches of another key, ms. */
const BESIDE_SEARCHES = 25;
/** The time that the server has to answer as before, ms. */
const RECOVERY = 1000;

interface Question {
  readonly name: string;
  readonly path: string;
  readonly body: string;
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly milliseconds: number;
}

interface Server {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

console.log(`${swaps} swaps, ${seconds} s, Node ${process.version}, load ${loadavg()[0]!.toFixed(2)}`);
for (const engine of options.engine as Engine[]) await loadEngine(engine);

async function loadEngine(engine: Engine): Promise<void> {
  const folder = options.keep ?? mkdtempSync(join(tmpdir(), 'swapfold-load-'));
  try {
    const path = join(folder, `load-${swaps}.${engine === 'sqlite' ? 'db' : 'duckdb'}`);
    if (!existsSync(path)) await makeStore(engine, path);
    const questions = await questionsAbout(engine, path);
    const server = await startServer(`${engine}:${path}`);
    try {
      const isMeasured = (line: string): boolean => options.line.includes(line);
      const rate = isMeasured('mix') || isMeasured('overload') ? await mix(engine, server, questions) : 0;
      for (const connections of isMeasured('searches') ? [0, 1, 8] : [])
        for (const search of hostileSearches())
          await besideSearches(engine, server, questions, { search, connections });
      if (isMeasured('overload')) await overload(engine, server, questions, 4 * rate);
      console.log(`${engine}: peak memory of the server ${peakMemory(server.pid)} MB`);
    } finally {
      await server.stop();
    }
  } finally {
    if (options.keep === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/** Fills a store, and gives it its name once it is whole. */
async function makeStore(engine: Engine, path: string): Promise<void> {
  const market = generateMarket({ seed: 1, swaps, batchRows: 100_000 });
  mkdirSync(dirname(path), { recursive: true });
  const making = `${path}.making`;
  removeFile(making);
  const dex = await openStore(engine, making);
  await dex.ingest(market.swaps());
  await dex.tokens.upsert(market.tokens());
  const registered = Array.from({ length: REGISTERED }, (_, i) => ({
    address: addressOf(i),
    name: `trader bonk ${i}`,
  }));
  await dex.wallets.upsert(registered);
  await dex.refresh();
  await dex.close();
  renameSync(making, path);
}

/** An address that no market has. */
function addressOf(i: number): string {
  return `Registered${String(i).replaceAll('0', 'o').padStart(34, 'x')}`;
}

/** What costs most of a search: 64 looks into every address, and a text with typos that may go on anywhere. */
function hostileSearches(): Question[] {
  const path = '/profiles/wallets/search-profiles';
  const contains = Array.from({ length: 64 }, (_, i) => ({ wallet_address: { $contains: `${i}zz` } }));
  return [
    { name: '64 $contains', path, body: JSON.stringify({ filter: { $or: contains } }) },
    {
      name: 'fuzzy text',
      path,
      body: JSON.stringify({ query: { text: 'tradar bonkk', fuzzy: true, autocomplete: true } }),
    },
  ];
}

/** Questions about what is in a store, a hundred of each operation. */
async function questionsAbout(engine: Engine, path: string): Promise<Question[]> {
  const dex = await openStore(engine, path);
  const sort = { field: 'metrics.7d.trade_count' } as const;
  const tokens = (await dex.tokens.search({ limit: 100, sort, options: {} })).data.map((row) => row.token_address);
  const wallets = (await dex.wallets.search({ limit: 100, sort, options: {} })).data.map((row) => row.wallet_address);
  const positions = (await dex.positions.search({ limit: 100, sort, options: {} })).data;
  const newest = (await dex.swaps.list({ limit: 1 })).data[0]!.block_time;
  await dex.close();
  const from = formatTime(newest - 86_400);
  return tokens.flatMap((token, i) => {
    const wallet = wallets[i % wallets.length]!;
    const some = Array.from({ length: 20 }, (_, k) => tokens[(i + k) % tokens.length]!);
    const { wallet_address, token_address } = positions[i % positions.length]!;
    const asPosition = { wallet: wallet_address, token: token_address };
    const bodies: Readonly<Record<string, object>> = {
      'tokens.search': { filter: { 'metrics.1d.trade_count': { $gte: i % 30 } }, limit: 20 },
      'wallets.search': {
        filter: { 'metrics.7d.pnl': { $gt: i }, 'metrics.30d.winrate': { $gte: i % 60 } },
        limit: 20,
      },
      'tokens.get': { token },
      'wallets.get': { wallet },
      'tokens.explain': { token, metric: 'volume', window: '1d' },
      'wallets.explain': { wallet, metric: 'pnl', window: '7d' },
      'positions.explain': { ...asPosition, metric: 'pnl', window: '7d' },
      'positions.search': { filter: { token_address: token }, limit: 20 },
      'positions.get': asPosition,
      'tokens.history': { token, from, interval: 3600 },
      'wallets.history': { wallet, from, interval: 3600 },
      'swaps.list': { wallet },
      'trades.list': { token },
      'prices.latest': { tokens: some },
      'prices.stats': { tokens: some },
      'prices.candles': { token, interval: 300 },
      'prices.history': { tokens: [token], from, interval: 3600 },
      'portfolios.get': { wallet },
    };
    return operations.map(({ name, path }) => {
      const body = bodies[name];
      if (body === undefined) throw new Error(`No question of ${name} is asked: add one to bench/load.ts`);
      return { name, path, body: JSON.stringify(body) };
    });
  });
}

async function startServer(db: string): Promise<Server> {
  const cli = join(import.meta.dirname, '../packages/cli/src/bin.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', cli, 'serve', '--db', db, '--port', '0'], {
    env: { ...process.env, SWAPFOLD_API_KEYS: `${KEY},${HOSTILE_KEY}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (data) => resolve(String(data)));
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}`)));
  });
  const [url] = /http:\S+:\d+/.exec(line)!;
  const stop = (): Promise<void> => {
    child.kill('SIGTERM');
    return ended;
  };
  return { url, pid: child.pid!, stop };
}

function ask(server: Server, { path, body }: Question, agent: Agent, key = KEY): Promise<Answer> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), 'x-api-key': key };
    request(`${server.url}/v1/solana/dex${path}`, { method: 'POST', agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode!, text, milliseconds: performance.now() - start }),
      );
      response.on('error', reject);
    })
      .on('error', reject)
      .end(body);
  });
}

/** Asks all routes over 64 connections and gives the answers a second. Errors: where one is not 200. */
async function mix(engine: Engine, server: Server, questions: readonly Question[]): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, maxFreeSockets: CONNECTIONS });
  // What the server keeps is filled, and its code compiled, before the time counts.
  for (let at = 0; at < questions.length; at += CONNECTIONS)
    await Promise.all(questions.slice(at, at + CONNECTIONS).map((question) => ask(server, question, agent)));
  const times = new Map(operations.map(({ name }) => [name, [] as number[]]));
  const begin = performance.now();
  let [next, answered] = [0, 0];
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (performance.now() - begin < seconds * 1000) {
        const question = questions[next++ % questions.length]!;
        const { status, text, milliseconds } = await ask(server, question, agent);
        if (status !== 200) throw new Error(`${question.name}: ${status} ${text.slice(0, 300)}`);
        times.get(question.name)!.push(milliseconds);
        answered++;
      }
    }),
  );
  const rate = (answered / (performance.now() - begin)) * 1000;
  agent.destroy();
  console.log(`\n${engine}: ${answered} answers over ${CONNECTIONS} connections, ${rate.toFixed(0)}/s, errors 0`);
  for (const [name, values] of times) {
    const [p50, p99] = [0.5, 0.99].map((part) => quantile(values, part).toFixed(1));
    console.log(`  ${name.padEnd(16)} p50 ${p50!.padStart(7)} ms   p99 ${p99!.padStart(7)} ms   ${values.length}`);
  }
  return rate;
}

/** Asks for prices over one connection while another key asks for one search over and over on so many. */
async function besideSearches(
  engine: Engine,
  server: Server,
  questions: readonly Question[],
  { search, connections }: { readonly search: Question; readonly connections: number },
): Promise<void> {
  const [quick, slow] = [1, Math.max(1, connections)].map((maxSockets) => new Agent({ keepAlive: true, maxSockets }));
  const prices = questions.filter(({ name }) => name === 'prices.latest');
  const lasting = Math.min(10, seconds) * 1000;
  const checked = async (question: Question, agent: Agent, key: string): Promise<number> => {
    const { status, text, milliseconds } = await ask(server, question, agent, key);
    if (status !== 200) throw new Error(`${question.name}: ${status} ${text.slice(0, 300)}`);
    return milliseconds;
  };
  // The first one may ask the engine, and has the profiles loaded.
  for (let i = 0; i < 2 && connections > 0; i++) await checked(search, slow!, HOSTILE_KEY);
  const begin = performance.now();
  const goesOn = (): boolean => performance.now() - begin < lasting;
  const searches: number[] = [];
  const lookups: number[] = [];
  await Promise.all([
    ...Array.from({ length: connections }, async () => {
      while (goesOn()) searches.push(await checked(search, slow!, HOSTILE_KEY));
    }),
    (async () => {
      for (let i = 0; goesOn(); i++) lookups.push(await checked(prices[i % prices.length]!, quick!, KEY));
    })(),
  ]);
  for (const agent of [quick!, slow!]) agent.destroy();
  const p99 = quantile(lookups, 0.99);
  const of = (values: readonly number[]): string =>
    `p50 ${quantile([...values], 0.5).toFixed(1)} ms, p99 ${quantile([...values], 0.99).toFixed(1)} ms of ${values.length}`;
  const searched = connections === 0 ? '' : `; the searches ${of(searches)}`;
  console.log(
    `${engine}: get-price beside ${search.name} over ${connections} connections of another key: ${of(lookups)}${searched}; load ${loadavg()[0]!.toFixed(2)}`,
  );
  if (p99 > BESIDE_SEARCHES) process.exitCode = 1;
}

/** Sends so many requests a second, whether they are answered or not, then tells how soon all is as before. */
async function overload(engine: Engine, server: Server, questions: readonly Question[], rate: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 900, maxFreeSockets: 900 });
  const statuses = new Map<number | string, number>();
  const pending = new Set<Promise<void>>();
  const begin = performance.now();
  const lasting = Math.min(10, seconds);
  for (let sent = 0; performance.now() - begin < lasting * 1000; await pause(5)) {
    const due = ((performance.now() - begin) / 1000) * rate;
    // What the client itself cannot hold is not sent.
    for (; sent < due; sent++) {
      if (pending.size >= 900) continue;
      const work: Promise<void> = ask(server, questions[sent % questions.length]!, agent)
        .then(
          ({ status }) => status,
          (error: NodeJS.ErrnoException) => error.code ?? 'error',
        )
        .then((status) => {
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          pending.delete(work);
        });
      pending.add(work);
    }
  }
  const stopped = performance.now();
  const fresh = new Agent({ keepAlive: true });
  const probes = questions.slice(0, operations.length);
  let answers: Answer[];
  do answers = await Promise.all(probes.map((probe) => ask(server, probe, fresh)));
  while (answers.some(({ status }) => status !== 200) && performance.now() - stopped < 30_000);
  const recovered = performance.now() - stopped;
  await Promise.all(pending);
  for (const used of [agent, fresh]) used.destroy();
  const counts = [...statuses].map(([status, count]) => `${status}: ${count}`).join(', ');
  console.log(
    `${engine}: ${rate.toFixed(0)} requests/s for ${lasting} s: ${counts}; all routes answer after ${recovered.toFixed(0)} ms`,
  );
  const others = [...statuses.keys()].filter((status) => ![200, 429, 503].includes(Number(status)));
  if (others.length > 0 || recovered > RECOVERY) process.exitCode = 1;
}

/** The most memory that a process has had resident, MB, as Linux tells it. */
function peakMemory(pid: number): string {
  const [, kilobytes] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return (Number(kilobytes) / 1000).toFixed(0);
}
