import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import test, { after } from 'node:test';
import { memory, Swapfold, type SwapInput } from '@swapfold/core';
import { bundle } from '../../../../test/support/bundle.ts';
import { dumpStore, firstDifferences } from '../../../../test/support/dump.ts';
import { isWhole } from '../../../../test/support/whole.ts';
import { clickhouse } from '../../src/index.ts';
import { openClient } from '../support/chdb.ts';
import { type Fate, serveOverHttp } from '../support/http-server.ts';
import { randomOf, rivals } from '../support/rivals.ts';

const ROUNDS = Number(process.env.SWAPFOLD_ROUNDS ?? (isWhole ? 200 : 2));
const SEED = Number(process.env.SWAPFOLD_SEED ?? 1);
/** Statements from one fault to the next, at most: about two writes. */
const APART = 150;

const { client, dispose } = await openClient();
const folder = await mkdtemp(join(tmpdir(), 'swapfold-rivals-'));
const database = `swapfold_rivals_${process.pid}`;
after(async () => {
  await client.command({ query: `drop database if exists ${database} sync` });
  await dispose();
  await rm(folder, { recursive: true, force: true });
});

/** What is done to a statement: it waits until the other process has written, never arrives, loses its answer, or is its process's last. */
const faults = ['stall', 'drop', 'lose', 'kill before', 'kill after'] as const;

interface Rival {
  readonly url: string;
  readonly close: () => Promise<void>;
  process: ChildProcess;
}

/** Two processes that write against each other, with a fault to some statement of one in each round. */
async function runRivals(program: string, random: () => number, onAcknowledged: (line: string) => void): Promise<void> {
  let round = 0;
  let left = Math.floor(random() * APART);
  let begun = 0;
  let isOver = false;
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const pair: Rival[] = [];
  const waiting: (() => void)[][] = [[], []];

  function start(of: number, url: string): ChildProcess {
    const child = spawn(process.execPath, [program, `${url}/${database}`, String(SEED * 1000 + begun++)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.stdin!.on('error', () => undefined);
    createInterface(child.stdout!).on('line', (line) => {
      onAcknowledged(line);
      for (const go of waiting[of]!.splice(0)) go();
      if (round >= ROUNDS) finish();
    });
    child.on('exit', (code) => {
      if (code !== 0 && code !== null) assert.fail(`process ${of} ended with ${code}`);
    });
    return child;
  }

  async function fateOf(of: number): Promise<Fate> {
    if (isOver || round >= ROUNDS || left-- > 0) return 'pass';
    left = Math.floor(random() * APART);
    const fault = faults[round++ % faults.length]!;
    if (fault === 'drop' || fault === 'lose') return fault;
    if (fault === 'stall') {
      await new Promise<void>((resolve) => {
        waiting[1 - of]!.push(resolve);
      });
      return 'pass';
    }
    const rival = pair[of]!;
    rival.process.kill('SIGKILL');
    await once(rival.process, 'exit');
    rival.process = start(of, rival.url);
    return fault === 'kill before' ? 'drop' : 'lose';
  }

  for (const of of [0, 1]) {
    const server = await serveOverHttp(client, () => fateOf(of));
    pair.push({ ...server, process: start(of, server.url) });
  }
  await finished;
  isOver = true;
  for (const go of waiting.flat()) go();
  for (const { process: child, close } of pair) {
    const ended = child.exitCode === null ? once(child, 'exit') : undefined;
    child.stdin!.write('over\n');
    await ended;
    await close();
  }
}

/** What tells a swap from the others, as in a dump. */
const keyOf = ({ tx_hash, swap_index }: SwapInput): string => `${tx_hash} ${swap_index}`;

/** What the store has is what a store has to which just its swaps were given. */
async function assertWhole(acknowledged: ReadonlySet<SwapInput>): Promise<void> {
  const { config } = rivals;
  const storage = clickhouse({ server: client, database });
  const dex = await Swapfold.open({ storage, config });
  await dex.refresh();
  const keys = (await dumpStore(dex, storage))
    .filter((line) => line.startsWith('swaps: '))
    .map((line) => line.split(' ').slice(2, 4).join(' '));
  const stored = new Set(keys);
  assert.equal(keys.length, stored.size, 'a swap is stored twice');
  const lost = [...acknowledged].filter((swap) => !stored.has(keyOf(swap)));
  assert.deepEqual(lost, []);
  const expected = memory();
  const alone = await Swapfold.open({ storage: expected, config });
  await alone.ingest(rivals.swaps.filter((swap) => stored.has(keyOf(swap))));
  await alone.refresh();
  // Profiles hold until an instant that depends on when they were folded: `verify` knows of it.
  const [found, wanted] = [await dumpStore(dex, storage), await dumpStore(alone, expected)].map((lines) =>
    lines.filter((line) => !line.includes('_profiles: ')),
  );
  assert.deepEqual(firstDifferences(found!, wanted!), []);
  assert.deepEqual((await dex.verify()).differences, []);
  await alone.close();
  await dex.close();
}

test('two processes that write against each other, stalled and killed at their statements, lose and spoil no acknowledged swap', {
  timeout: 3_600_000,
}, async (t) => {
  symlinkSync(join(import.meta.dirname, '../../../../node_modules'), join(folder, 'node_modules'));
  const program = join(folder, 'rival-child.mjs');
  await bundle(join(import.meta.dirname, '../support/rival-child.ts'), program);
  // The store is there before they are, or each would overtake the other while it makes the tables.
  await (await Swapfold.open({ storage: clickhouse({ server: client, database }), config: rivals.config })).close();

  const acknowledged = new Set<SwapInput>();
  const counts = new Map<string, number>();
  await runRivals(program, randomOf(SEED), (line) => {
    const [what, from, to] = line.split(' ') as [string, string, string];
    counts.set(what, (counts.get(what) ?? 0) + 1);
    if (what !== 'ingested') return;
    for (const swap of rivals.swaps.slice(Number(from), Number(to)))
      if (swap.block_slot! < rivals.slot) acknowledged.add(swap);
  });
  t.diagnostic(`seed ${SEED}, ${ROUNDS} faults; acknowledged: ${JSON.stringify(Object.fromEntries(counts))}`);
  await assertWhole(acknowledged);
});
