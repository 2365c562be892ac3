import assert from 'node:assert/strict';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import threads from 'node:worker_threads';
import { DuckDBConnection } from '@duckdb/node-api';
import { type StorageAdapter, storeFile } from '@swapfold/core/engine';
import { duckdb } from '@swapfold/duckdb';
import { sqlite } from '@swapfold/sqlite';
import Database from 'better-sqlite3';
import { openSession } from '../packages/core/src/store/open/open-session.ts';
import { Swapfold } from '../packages/core/src/swapfold.ts';
import { withFolder } from './support/engines.ts';
import { smallMarket } from './support/market.ts';
import { cases, isWhole } from './support/whole.ts';

const { swaps, config } = smallMarket({ seed: 11, swaps: cases(160, 80), wallets: 20, tokens: 8, days: 60 });
/** Where the market is cut: what is stored first, what is written next, and what comes last. */
const [FIRST, SECOND] = [cases(100, 60), cases(130, 70)];
const lastSlot = Math.max(...swaps.map((swap) => Number(swap.block_slot)));

/** Lets one call throw of those that come between a commit and the answer to whoever wrote. */
class Chaos {
  /** Which call throws; none if it is beyond the last. */
  readonly #nth: number;
  /** Commits of the write until calls are counted; none is awaited outside of it. */
  #awaited = 0;
  #isArmed = false;
  /** Those that were counted. */
  calls = 0;
  thrown: string | undefined;

  constructor(nth: number) {
    this.#nth = nth;
  }

  /** Calls from the last of so many commits on until the answer are counted. */
  async during<T>(commits: number, write: () => Promise<T>): Promise<T> {
    this.#awaited = commits;
    try {
      return await write();
    } finally {
      this.#isArmed = false;
      this.#awaited = 0;
    }
  }

  commit(): void {
    if (this.#awaited > 0 && --this.#awaited === 0) this.#isArmed = true;
  }

  call(name: string): void {
    if (!this.#isArmed || ++this.calls !== this.#nth) return;
    this.thrown = name;
    throw new Error(`broken: ${name}`);
  }
}

/** The chaos of the case that runs. */
let chaos = new Chaos(Number.POSITIVE_INFINITY);

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Methods of `of` count as calls; one that commits says so when it has. Gives a function that takes it back. */
function watch(
  of: object,
  names: readonly string[],
  name: string,
  commits?: (self: unknown, args: unknown[]) => boolean,
) {
  const methods = of as Record<string, Method>;
  const own = names.map((method) => [method, methods[method]!] as const);
  for (const [method, original] of own)
    methods[method] = function (...args) {
      chaos.call(`${name}.${method}`);
      const answer = original.apply(this, args);
      if (commits?.(this, args) !== true) return answer;
      if (!(answer instanceof Promise)) chaos.commit();
      else
        return answer.then((value) => {
          chaos.commit();
          return value;
        });
      return answer;
    };
  return () => Object.assign(methods, Object.fromEntries(own));
}

const filed = [
  'statSync',
  'existsSync',
  'readFileSync',
  'writeFileSync',
  'unlinkSync',
  'openSync',
  'closeSync',
  'realpathSync',
];
/** Bytes that a log seems to have, so that a small store moves it, too. */
const LONG = 9e6;

function watchAll(): () => void {
  const scratch = new Database(':memory:');
  const statement = Object.getPrototypeOf(scratch.prepare('select 1')) as object;
  const back = [
    watch(Database.prototype, ['prepare', 'pragma', 'exec'], 'database'),
    watch(
      statement,
      ['run', 'get', 'all', 'iterate', 'raw'],
      'statement',
      (self) => (self as { source: string }).source === 'commit',
    ),
    watch(
      DuckDBConnection.prototype,
      ['run', 'prepare', 'createAppender', 'closeSync'],
      'duckdb',
      (_, [sql]) => sql === 'commit',
    ),
    watch(threads.Worker.prototype, ['ref', 'unref', 'postMessage', 'on'], 'thread'),
  ];
  const { Worker } = threads;
  threads.Worker = class extends Worker {
    constructor(...args: ConstructorParameters<typeof Worker>) {
      chaos.call('new Worker');
      super(...args);
    }
  };
  const { statSync } = fs;
  const files = fs as { statSync: typeof statSync };
  files.statSync = ((path: string, options: object) => {
    const found = statSync(path, options as { bigint: false; throwIfNoEntry: false });
    return found !== undefined && String(path).endsWith('.db-wal') && !('bigint' in options)
      ? { ...found, size: LONG }
      : found;
  }) as typeof statSync;
  const mended = watch(fs, filed, 'fs');
  syncBuiltinESMExports();
  return () => {
    mended();
    files.statSync = statSync;
    threads.Worker = Worker;
    syncBuiltinESMExports();
    for (const undo of back) undo();
    scratch.close();
  };
}

interface Opened {
  readonly dex: Swapfold;
  readonly told: unknown[];
}

/** A store in which each thing that is kept, each listener and whoever is told counts as a call. */
async function opened(storage: StorageAdapter, keep: string | undefined): Promise<Opened> {
  const told: unknown[] = [];
  const onError = (error: unknown): void => {
    told.push(error);
    chaos.call('onError');
  };
  const session = await openSession({ storage, config, keep, onError });
  for (const [name, thing] of Object.entries(session.memory.things)) watch(thing, ['commit', 'drop'], `kept ${name}`);
  session.memory.onCommit(() => chaos.call('listener'));
  session.live.watch();
  return { dex: Reflect.construct(Swapfold, [session]) as Swapfold, told };
}

/** Where a write is followed by another, which may only succeed after the next commit. */
const forgetting = 'ingest that forgets';

/** The writes whose commits are watched, and what each answers. */
const writes: Readonly<Record<string, (dex: Swapfold) => Promise<unknown>>> = {
  [forgetting]: (dex) => dex.ingest(swaps.slice(FIRST, SECOND)),
  ingest: (dex) => dex.ingest(swaps.slice(FIRST, SECOND)),
  refresh: (dex) => dex.refresh(),
  'refresh beside': (dex) => dex.refresh({ beside: true }),
  upsert: (dex) => dex.tokens.upsert([{ address: swaps[0]!.token_in, symbol: 'ONE' }]),
  rollback: (dex) => dex.rollback({ from_block_slot: lastSlot }),
};

/** What a write answered, what the process answers after it and after more writes, and what another process finds. */
async function outcome(open: () => StorageAdapter, name: string): Promise<unknown[]> {
  const isForgetting = name === forgetting;
  const { dex } = await opened(open(), isForgetting ? '31d' : undefined);
  await dex.ingest(swaps.slice(0, FIRST));
  await dex.refresh();
  const before = await stored(dex);
  // A refresh beside others notes first, in a commit of its own, that it folds.
  const answer = await chaos.during(name === 'refresh beside' ? 2 : 1, () => writes[name]!(dex));
  const after = await stored(dex);
  const { added } = await dex.ingest(swaps.slice(SECOND));
  await dex.refresh();
  const last = await stored(dex);
  await dex.close();
  const again = await Swapfold.open({ storage: open() });
  const found = await stored(again);
  await again.close();
  assert.deepEqual(found, last, 'what this process answers is stored');
  return [before, answer, ...(isForgetting ? [] : [after]), added, last];
}

async function stored(dex: Swapfold): Promise<unknown> {
  const answers = [
    await dex.swaps.list({ limit: 100 }),
    await dex.tokens.search({ limit: 50 }),
    await dex.wallets.search({ limit: 50 }),
    await dex.prices.latest({ tokens: [...new Set(swaps.map(({ token_in }) => token_in))].slice(0, 20) }),
  ];
  return timeless(answers);
}

/** Without the times of the clock. */
const timeless = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (name, inner) => (name === 'synced_at' || name === 'duration_ms' ? undefined : inner)),
  );

const opening: Readonly<Record<string, (folder: string) => StorageAdapter>> = {
  sqlite: (folder) => sqlite({ path: join(storeFile(folder), 'chaos.db'), threads_from_mb: Number.POSITIVE_INFINITY }),
  duckdb: (folder) => duckdb({ path: join(storeFile(folder), 'chaos.duckdb'), threads: 1 }),
};

for (const [engine, open] of Object.entries(opening))
  for (const name of Object.keys(writes)) {
    // Every write ends by the same code; what each keeps differs. Most calls of one that forgets are of that write itself. The whole run tries every call.
    const most = name === 'ingest' ? 12 : name === forgetting ? 240 : 30;
    test(`${engine}: whatever throws after the commit of ${name}, it answers what is stored, and so do all that follow`, async () => {
      const unwatch = watchAll();
      try {
        const run = (nth: number): Promise<unknown[]> => {
          chaos = new Chaos(nth);
          return withFolder((folder) => outcome(() => open(folder), name));
        };
        const undisturbed = timeless(await run(Number.POSITIVE_INFINITY));
        const broken: string[] = [];
        // A whole run goes on until a call is not made; by default the count of the undisturbed run tells.
        const last = isWhole ? Number.POSITIVE_INFINITY : chaos.calls;
        const step = isWhole ? 1 : Math.min(most, Math.ceil(chaos.calls / 3));
        for (let nth = 1; nth <= last; nth += step) {
          const found = await run(nth).then(timeless, (error: unknown) => {
            throw new Error(`call ${nth} (${chaos.thrown}) after the commit denied it`, { cause: error });
          });
          if (chaos.thrown === undefined) break;
          broken.push(chaos.thrown);
          assert.deepEqual(found, undisturbed, `call ${nth} (${chaos.thrown})`);
        }
        assert.ok(broken.length > (isWhole ? 5 : 1), `calls that can throw: ${broken.join(', ')}`);
        if (process.env.SWAPFOLD_CHAOS) console.error(`${engine} ${name}: ${broken.join(', ')}`);
      } finally {
        unwatch();
      }
    });
  }
