import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { answerOf, type Contestant, type Program, type Running, startProgram } from './contestant.ts';
import type { Market } from './market.ts';
import { poolsOf, rowOf } from './read-logs.ts';
import type { SwapRow } from './tally.ts';

const folder = resolve('bench/peers/chain');
const modules = join(folder, 'node_modules');

/** A swap as the peers store it: pool, wallet, and what the pool received of its tokens, less what it gave. */
type PeerRow = readonly [pool: string, wallet: string, amount0: string, amount1: string];

function rowsOf(market: Market, rows: readonly PeerRow[]): SwapRow[] {
  const pools = new Map(poolsOf(market).map((pool) => [pool.address.toLowerCase(), pool]));
  return rows.map(([pool, wallet, amount0, amount1]) =>
    rowOf(pools.get(pool.toLowerCase())!, wallet, [BigInt(amount0), BigInt(amount1)]),
  );
}

const environmentOf = ({ chain, exchange }: Market, database: string): NodeJS.ProcessEnv => ({
  BENCH_RPC: chain.url,
  BENCH_DATABASE: database,
  BENCH_FACTORIES: `${exchange.v2Factory.address},${exchange.v3Factory.address}`,
});

/** Ponder with pglite, which inserts a row for each swap and answers from its own HTTP server. `isLifted`: without its limit of requests. */
export const ponder = (isLifted = false): Contestant => ({
  name: isLifted ? 'Ponder, without its limit of requests' : 'Ponder',
  follows: true,
  start(market, at) {
    const port = 20_000 + Math.floor(Math.random() * 20_000);
    const program = startProgram(
      [
        ...(isLifted ? ['--import', join(folder, 'lift-limit.mjs')] : []),
        join(modules, 'ponder/dist/esm/bin/ponder.js'),
        ...['start', '--schema', 'bench', '--port', String(port)],
      ],
      {
        cwd: join(folder, 'ponder'),
        env: { ...environmentOf(market, join(at.folder, 'pglite')), PONDER_TELEMETRY_DISABLED: 'true', CI: 'true' },
        log: () => undefined,
      },
    );
    const url = `http://127.0.0.1:${port}`;
    return {
      ...program,
      count: async () => (await answerOf<{ count: number }>(`${url}/count`))?.count,
      isComplete: async () => true,
      rows: async () => rowsOf(market, (await answerOf<readonly PeerRow[]>(`${url}/rows`))!),
    };
  },
});

/** Subsquid's processor with its file store, which writes final blocks alone and has no server: its files are its answer. */
export const subsquid = (capacity?: number): Contestant => ({
  name: capacity === undefined ? 'Subsquid' : `Subsquid, ${capacity} requests at once`,
  follows: false,
  start(market, { folder: into, to }): Running {
    const database = join(into, 'files');
    mkdirSync(database);
    const program: Program = startProgram([join(folder, 'squid.mjs')], {
      cwd: folder,
      env: {
        ...environmentOf(market, database),
        BENCH_TO: String(to - FINAL),
        ...(capacity !== undefined && { BENCH_CAPACITY: String(capacity) }),
      },
      log: () => undefined,
    });
    let memory = 0;
    const read = (): PeerRow[] => {
      if (program.child.exitCode === null) memory = program.memory();
      return readdirSync(database, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name.endsWith('.ndjson'))
        .map((entry) => join(entry.parentPath, entry.name))
        .filter((path) => existsSync(path) && !path.includes('temp'))
        .flatMap((path) => readFileSync(path, 'utf8').split('\n').filter(Boolean))
        .map((line) => JSON.parse(line) as PeerRow);
    };
    return {
      count: async () => read().length,
      isComplete: async () => true,
      rows: async () => rowsOf(market, read()),
      memory: () => memory,
      stop: async () => {
        if (program.child.exitCode === null) await program.stop();
      },
    };
  },
});

/** Blocks at the end that are not final to it, which hold no swaps. */
const FINAL = 15;
