/**
 * Two versions of the library in turns: this checkout, and another one that is built (`npm ci && npm run build:js`). Asks them questions, or,
 * with `--writes`, has them import the market and take blocks of new swaps.
 * `npm run bench:versions -- --beside FOLDER [--writes] [--swaps N] [--engine sqlite] [--rounds N] [--runs N] [--keep FOLDER]`
 *
 * Each version imports the market by its own command line, and answers in a process of its own, which loads nothing but that version.
 * Two processes of one version differ too: let three rounds or more tell. Throws where a field that both versions answer differs.
 */
import assert from 'node:assert/strict';
import { execFileSync, fork } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { databases } from './databases.ts';
import { type Files, filesOf } from './files.ts';
import { openPlain } from './plain/sql.ts';
import { prepareMarket, prepareStore, tell } from './prepare.ts';
import { takeSamples } from './samples.ts';
import { quantile } from './timing.ts';
import type { Asked, Asking } from './versions/ask.ts';
import type { VersionStore } from './versions/load.ts';
import type { Writing, Written } from './versions/write.ts';

const { values: options } = parseArgs({
  options: {
    beside: { type: 'string' },
    writes: { type: 'boolean', default: false },
    swaps: { type: 'string', default: '1000000' },
    engine: { type: 'string', multiple: true, default: ['sqlite', 'duckdb'] },
    rounds: { type: 'string', default: '3' },
    runs: { type: 'string', default: '400' },
    keep: { type: 'string' },
  },
});
if (options.beside === undefined) throw new Error('--beside FOLDER: the checkout of another version is needed.');
/** When a profile was written by the clock: the stores were made one after the other. */
const BY_CLOCK = 'synced_at';
const swaps = Number(options.swaps);
const versions = [resolve(import.meta.dirname, '..'), resolve(options.beside)] as const;
const root = options.keep === undefined ? mkdtempSync(join(tmpdir(), 'swapfold-versions-')) : resolve(options.keep);
mkdirSync(root, { recursive: true });
try {
  for (const engine of options.engine as Asking['engine'][]) await (options.writes ? compareWrites : compare)(engine);
} finally {
  if (options.keep === undefined) rmSync(root, { recursive: true, force: true });
}

async function compare(engine: Asking['engine']): Promise<void> {
  await prepareMarket({ swaps, root });
  await prepareStore({ engine, swaps, root });
  const files = filesOf(root, swaps);
  const other = files.scratch(`beside.${engine}`);
  if (!existsSync(other)) importBy(versions[1], files, `${engine}:${other}`);
  const plain = await openPlain(engine, files.plain[engine]);
  const samples = await takeSamples(plain);
  await plain.close();
  const stores = [files.store[engine], other] as const;
  const rounds: [ours: Asked, other: Asked][] = [];
  for (let round = 0; round < Number(options.rounds); round++) {
    const asked: Asked[] = [];
    for (const side of round % 2 === 0 ? [0, 1] : [1, 0]) {
      tell(`${engine}, round ${round + 1}: ${versions[side]}`);
      asked[side] = await run<Asking, Asked>('ask', {
        version: versions[side]!,
        engine,
        store: stores[side]!,
        samples,
        runs: Number(options.runs),
      });
    }
    const [ours, theirs] = asked as [Asked, Asked];
    for (const [name, answers] of Object.entries(theirs.answers)) assertWithin(ours.answers[name], answers, name);
    rounds.push([ours, theirs]);
  }
  print(engine, rounds);
}

function importBy(version: string, { tokens, parquet }: Files, url: string): void {
  tell(`${version}: importing ${swaps.toLocaleString('en-US')} swaps`);
  const swapfold = (...args: readonly string[]) =>
    execFileSync(process.execPath, [join(version, 'packages/cli/bin/swapfold.js'), ...args, '--db', url]);
  swapfold('import', 'tokens', tokens, '--no-refresh');
  swapfold('import', 'swaps', parquet);
}

/** Has the versions import the market, and then take blocks, a round after the other. */
async function compareWrites(engine: Writing['engine']): Promise<void> {
  await prepareMarket({ swaps, root });
  const { tokens, parquet, tail, scratch } = filesOf(root, swaps);
  const written: Written[][] = [[], []];
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const side of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const store = scratch(`writes.${engine}`);
      await databases[engine].remove(store);
      tell(`${engine}, round ${round + 1}: ${versions[side]}`);
      const version = versions[side]!;
      written[side]!.push(await run<Writing, Written>('write', { version, engine, store, tokens, parquet, tail }));
      await databases[engine].remove(store);
    }
  }
  console.log(
    `${engine}, ${swaps.toLocaleString('en-US')} swaps: medians of ${options.rounds} rounds, and of their blocks, the least and the greatest; load ${loadavg()[0]!.toFixed(2)}`,
  );
  // The tail of a small market has no blocks of a hundred.
  const names = Object.entries(written[0]![0]!).flatMap(([name, values]) => (values.length > 0 ? [name] : []));
  const rows = names.map((name) => [name, written.map((side) => side.flatMap((one) => one[name]!))]);
  printRows(Object.fromEntries(rows));
}

async function run<I extends VersionStore, R>(program: 'ask' | 'write', input: I): Promise<R> {
  return new Promise((done, fail) => {
    const child = fork(join(import.meta.dirname, `versions/${program}.ts`), {
      execArgv: ['--import', 'tsx', '--max-old-space-size=8192'],
      serialization: 'advanced',
      // The command line reports there.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    child.once('message', (answer) => done(answer as R)).once('error', fail);
    child.once('exit', (code) => fail(new Error(`${input.version} ended with code ${code}.`)));
    child.send(input);
  });
}

/** Whether all that `theirs` holds is in `ours`, which may have further fields. */
function assertWithin(ours: unknown, theirs: unknown, path: string): void {
  if (typeof theirs !== 'object' || theirs === null) assert.equal(ours, theirs, `${path}: ${ours}, not ${theirs}`);
  else
    for (const [key, value] of Object.entries(theirs))
      if (key !== BY_CLOCK) assertWithin((ours as Record<string, unknown> | null)?.[key], value, `${path}.${key}`);
}

function print(engine: string, rounds: readonly (readonly [ours: Asked, other: Asked])[]): void {
  const { length } = rounds;
  console.log(
    `${engine}, ${swaps.toLocaleString('en-US')} swaps, ms: medians of ${length} rounds, the least and the greatest; load ${loadavg()[0]!.toFixed(2)}`,
  );
  const rows = Object.keys(rounds[0]![0].times).map((name) => [
    name,
    [0, 1].map((side) => rounds.map((round) => round[side]!.times[name]!.median)),
  ]);
  printRows(Object.fromEntries(rows));
}

/** A line for each thing: values of this version, and of the other one. */
function printRows(rows: Readonly<Record<string, readonly [ours: readonly number[], other: readonly number[]]>>): void {
  console.log(`${''.padEnd(20)}${'this'.padStart(30)}${'beside'.padStart(30)}${'ratio'.padStart(8)}`);
  for (const [name, [ours, other]] of Object.entries(rows)) {
    const ratio = quantile(ours, 0.5) / quantile(other, 0.5);
    console.log(`${name.padEnd(20)}${shown(ours)}${shown(other)}${ratio.toFixed(2).padStart(8)}`);
  }
}

function shown(medians: readonly number[]): string {
  const [least, median, greatest] = [0, 0.5, 1].map((part) => Number(quantile(medians, part).toPrecision(4)));
  return `${median} (${least} to ${greatest})`.padStart(30);
}
