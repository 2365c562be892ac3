import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { Swapfold } from '@swapfold/core';
import { allAnswers } from './support/answers.ts';
import { BATCH, crashConfig, crashSlot, crashSwaps, runCrashScript } from './support/crash-script.ts';
import { dumpStore, firstDifferences } from './support/dump.ts';
import { engines, withFolder } from './support/engines.ts';
import { shuffled } from './support/shuffle.ts';

/** `npm run test:crash` kills 200 times on each engine. */
const KILLS = Number(process.env.SWAPFOLD_KILLS ?? 5);
const SEED = Number(process.env.SWAPFOLD_SEED ?? 1);
const root = join(import.meta.dirname, '..');

const profilesIn = (dump: readonly string[]): string =>
  dump.filter((line) => /^(token|wallet)_profiles:/.test(line)).join('\n');

/** Runs the script in a process of its own, killed some milliseconds after its n-th transaction has begun. */
async function runAndKill(
  engine: string,
  folder: string,
  { write, ms }: { readonly write: number; readonly ms: number },
): Promise<{ writes: number; ms: number; wasKilled: boolean }> {
  const program = join(root, 'test/support/crash-child.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', program, engine, folder], {
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
  /** The stored profiles between two transactions. */
  readonly profiles: ReadonlySet<string>;
  readonly end: readonly string[];
  readonly answers: string;
  /** Transactions of the script, and the milliseconds that one takes in a process of its own. */
  readonly writes: number;
  readonly ms: number;
}

async function runUndisturbed(engine: string): Promise<Undisturbed> {
  return withFolder(async (folder) => {
    const storage = engines[engine]!(folder, 1);
    const profiles = new Set<string>();
    const dex = await runCrashScript(storage, async (_, running) => {
      profiles.add(profilesIn(await dumpStore(running, storage)));
    });
    const end = await dumpStore(dex, storage);
    profiles.add('').add(profilesIn(end));
    const answers = await allAnswers(dex);
    await dex.close();
    const { writes, ms, wasKilled } = await runAndKill(engine, folder, { write: Number.POSITIVE_INFINITY, ms: 0 });
    assert.equal(wasKilled, false);
    assert.ok(writes > 20, `${writes} transactions`);
    const kept = crashSwaps.filter((swap) => swap.block_slot! < crashSlot);
    const counts = new Set<number>();
    for (let to = 0; to <= crashSwaps.length; to += BATCH) {
      counts.add(to);
      counts.add(new Set([...kept, ...crashSwaps.slice(0, to)]).size);
    }
    return { counts, profiles, end, answers, writes, ms: ms / writes };
  });
}

for (const engine of ['sqlite', 'duckdb'] as const) {
  test(`${engine}: killed at ${KILLS} random instants, a store is whole, and the same run again ends as an undisturbed one`, async (t) => {
    const undisturbed = await runUndisturbed(engine);
    assert.ok(undisturbed.profiles.size >= 3, 'the script refreshes to different profiles');
    // Instants spread over all transactions, each at another part of its own, in the order that the seed gives.
    const instants = shuffled(
      Array.from({ length: KILLS }, (_, i) => ({
        write: 1 + Math.floor((i / KILLS) * undisturbed.writes),
        ms: ((i * 0.618) % 1) * undisturbed.ms,
      })),
      SEED,
    );
    let killed = 0;
    for (const instant of instants) {
      await withFolder(async (folder) => {
        const where = `${engine}, killed ${instant.ms.toFixed(1)} ms into write ${instant.write} of ${undisturbed.writes}`;
        if ((await runAndKill(engine, folder, instant)).wasKilled) killed++;
        const storage = engines[engine]!(folder);
        const found = await Swapfold.open({ storage, config: crashConfig });
        const { count } = await found.swaps.list({ limit: 1 });
        assert.ok(undisturbed.counts.has(count), `${where}: ${count} swaps are no whole batches`);
        assert.ok(
          undisturbed.profiles.has(profilesIn(await dumpStore(found, storage))),
          `${where}: the profiles are those of no refresh`,
        );
        const { differences } = await found.verify();
        assert.deepEqual(differences, [], where);
        await found.close();

        const again = engines[engine]!(folder);
        const dex = await runCrashScript(again);
        assert.deepEqual(firstDifferences(await dumpStore(dex, again), undisturbed.end), [], where);
        assert.ok((await allAnswers(dex)) === undisturbed.answers, `${where}: the answers differ`);
        await dex.close();
      });
    }
    t.diagnostic(`${killed} of ${KILLS} processes were killed before they ended, seed ${SEED}`);
    assert.ok(killed >= KILLS * 0.4, `only ${killed} processes were killed before they ended`);
  });
}
