import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Swapfold, SwapfoldError } from '@swapfold/core';
import { allAnswers } from './support/answers.ts';
import { bundled } from './support/bundle.ts';
import {
  BATCH,
  crashConfigs,
  crashSlot,
  crashStores,
  crashSwaps,
  crashTransfers,
  runCrashScript,
} from './support/crash-script.ts';
import { dumpStore, firstDifferences } from './support/dump.ts';
import { engines, withFolder } from './support/engines.ts';
import { shuffled } from './support/shuffle.ts';
import { cases } from './support/whole.ts';

/** `npm run test:crash` kills 200 times on each engine. One kill takes DuckDB a minute, which only a whole run spends. */
const killsOf = (engine: string): number =>
  Number(process.env.SWAPFOLD_KILLS ?? (engine === 'duckdb' ? cases(6, 0) : 2));
const SEED = Number(process.env.SWAPFOLD_SEED ?? 1);
/** Processes that are killed and compared at the same time. */
const AT_ONCE = 2;
const root = join(import.meta.dirname, '..');
const program = await bundled('test/support/crash-child.ts');

const profilesIn = (dump: readonly string[]): string =>
  dump.filter((line) => /^(token|wallet)_profiles:/.test(line)).join('\n');

/** Opens a store of the script with the configuration that it was folded for. */
async function openFound(engine: string, folder: string, number: number) {
  for (const config of crashConfigs) {
    const storage = engines[engine]!(folder, number);
    try {
      return { storage, dex: await Swapfold.open({ storage, config }) };
    } catch (error) {
      if (!(error instanceof SwapfoldError && error.code === 'store-mismatch') || config === crashConfigs.at(-1))
        throw error;
    }
  }
  throw new Error('A script has a configuration.');
}

interface Ended {
  readonly dump: readonly string[];
  readonly answers: string;
}

/** What is in the stores that the script leaves. */
async function endOf(engine: string, folder: string): Promise<readonly Ended[]> {
  const ends: Ended[] = [];
  for (const number of crashStores) {
    const { dex, storage } = await openFound(engine, folder, number);
    ends.push({ dump: await dumpStore(dex, storage), answers: await allAnswers(dex) });
    await dex.close();
  }
  return ends;
}

/** Runs the script in a process of its own, killed some milliseconds after its n-th transaction has begun. */
async function runAndKill(
  program: string,
  engine: string,
  folder: string,
  { write, ms }: { readonly write: number; readonly ms: number },
): Promise<{ writes: number; ms: number; wasKilled: boolean }> {
  const child = spawn(process.execPath, [program, engine, folder], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  let writes = 0;
  let begun = performance.now();
  child.stdout.on('data', (lines: Buffer) => {
    if (writes === 0) begun = performance.now();
    const before = writes;
    writes += lines.toString().split('\n').length - 1;
    if (before < write && writes >= write) setTimeout(() => child.kill('SIGKILL'), ms);
  });
  const [code, signal] = await ended;
  assert.ok(signal === 'SIGKILL' || code === 0, `the process ended with ${code}`);
  return { writes, ms: performance.now() - begun, wasKilled: signal === 'SIGKILL' };
}

interface Undisturbed {
  /** The numbers of stored swaps between two transactions. */
  readonly counts: ReadonlySet<number>;
  /** The same of stored transfers. */
  readonly transferCounts: ReadonlySet<number>;
  /** The stored profiles between two transactions, of each store. */
  readonly profiles: readonly ReadonlySet<string>[];
  readonly ends: readonly Ended[];
  /** Transactions of the script, and the milliseconds that one takes in a process of its own. */
  readonly writes: number;
  readonly ms: number;
}

async function runUndisturbed(program: string, engine: string): Promise<Undisturbed> {
  return withFolder(async (folder) => {
    const [here, there] = ['here', 'there'].map((name) => join(folder, name));
    for (const path of [here!, there!]) mkdirSync(path);
    const between = new Set(['']);
    const transferCounts = new Set([0]);
    await runCrashScript(
      (number) => engines[engine]!(here!, number),
      async (running, storage) => {
        transferCounts.add((await running.transfers.list({ limit: 1 })).count);
        between.add(profilesIn(await dumpStore(running, storage)));
      },
    );
    const ends = await endOf(engine, here!);
    const { writes, ms, wasKilled } = await runAndKill(program, engine, there!, {
      write: Number.POSITIVE_INFINITY,
      ms: 0,
    });
    assert.equal(wasKilled, false);
    assert.ok(writes > 30, `${writes} transactions`);
    const kept = crashSwaps.filter((swap) => swap.block_slot! < crashSlot);
    const counts = new Set<number>();
    for (let to = 0; to <= crashSwaps.length; to += BATCH) {
      counts.add(to);
      counts.add(new Set([...kept, ...crashSwaps.slice(0, to)]).size);
    }
    const profiles = [between, new Set(['', profilesIn(ends[1]!.dump)])];
    assert.ok(transferCounts.has(crashTransfers.length) && transferCounts.size > 3, [...transferCounts].join());
    return { counts, transferCounts, profiles, ends, writes, ms: ms / writes };
  });
}

/** Asserts that the stores which a killed process left are whole. */
async function assertWhole(engine: string, folder: string, undisturbed: Undisturbed, where: string): Promise<void> {
  const isThere = (number: number): boolean =>
    existsSync(join(folder, `store-${number}.${engine === 'sqlite' ? 'db' : 'duckdb'}`));
  for (const [i, number] of crashStores.filter(isThere).entries()) {
    const { dex, storage } = await openFound(engine, folder, number);
    const { count } = await dex.swaps.list({ limit: 1 });
    const counts = i === 0 ? undisturbed.counts : new Set([0, crashSwaps.length]);
    assert.ok(counts.has(count), `${where}: ${count} swaps in store ${number} are no whole batches`);
    const transfers = (await dex.transfers.list({ limit: 1 })).count;
    const wanted = i === 0 ? undisturbed.transferCounts : new Set([0, crashTransfers.length]);
    assert.ok(wanted.has(transfers), `${where}: ${transfers} transfers in store ${number} are no whole call`);
    assert.ok(
      undisturbed.profiles[i]!.has(profilesIn(await dumpStore(dex, storage))),
      `${where}: the profiles of store ${number} are those of no refresh`,
    );
    const { differences } = await dex.verify();
    assert.deepEqual(differences, [], where);
    await dex.close();
  }
}

/** Whether the process was killed before it ended; asserts what is left, and what the same run again makes of it. */
async function killAndCompare(
  program: string,
  engine: string,
  instant: { readonly write: number; readonly ms: number },
  undisturbed: Undisturbed,
  where: string,
): Promise<boolean> {
  return withFolder(async (folder) => {
    const { wasKilled } = await runAndKill(program, engine, folder, instant);
    await assertWhole(engine, folder, undisturbed, where);
    await runCrashScript((number) => engines[engine]!(folder, number));
    for (const [i, { dump, answers }] of (await endOf(engine, folder)).entries()) {
      assert.deepEqual(firstDifferences(dump, undisturbed.ends[i]!.dump), [], where);
      assert.ok(answers === undisturbed.ends[i]!.answers, `${where}: the answers differ`);
    }
    return wasKilled;
  });
}

for (const engine of ['sqlite', 'duckdb'] as const) {
  const kills = killsOf(engine);
  test(`${engine}: killed at ${kills} random instants, stores are whole, and the same run again ends as an undisturbed one`, {
    skip: kills === 0 ? 'dear: npm run test:crash and npm run test:whole' : false,
  }, async (t) => {
    const undisturbed = await runUndisturbed(program, engine);
    assert.ok(undisturbed.profiles[0]!.size >= 4, 'the script refreshes to different profiles');
    // Instants spread over all transactions, each at another part of its own, in the order that the seed gives.
    const instants = shuffled(
      Array.from({ length: kills }, (_, i) => ({
        write: 1 + Math.floor(((i + 0.5) / kills) * undisturbed.writes),
        ms: ((i * 0.618) % 1) * undisturbed.ms,
      })),
      SEED,
    );
    let killed = 0;
    const left = [...instants];
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let instant = left.shift(); instant !== undefined; instant = left.shift()) {
          const { write, ms } = instant;
          const where = `${engine}, killed ${ms.toFixed(1)} ms into write ${write} of ${undisturbed.writes}`;
          if (await killAndCompare(program, engine, instant, undisturbed, where)) killed++;
        }
      }),
    );
    t.diagnostic(`${killed} of ${kills} processes were killed before they ended, seed ${SEED}`);
    assert.ok(killed >= kills * 0.4, `only ${killed} processes were killed before they ended`);
  });
}
