import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { type Bundle, openBundle } from '../support/bundle.ts';
import { withFolder } from '../support/engines.ts';
import { type Detector, detectors, type Mutant, sourceOf } from './mutant.ts';
import { mutants, unnoticed } from './mutants.ts';

const root = resolve(import.meta.dirname, '../..');
/** Folders in which a test runs at the same time. */
const WORKERS = 2;
/** Mutants of one detector that are tried with one bundle. */
const SHARE = 16;

/**
 * The test that noticed each mutant last, by its title, and which is tried first; if it does not notice, all of its detector run.
 * `SWAPFOLD_NOTE=1` writes the file anew. `SWAPFOLD_MUTANTS` is a pattern of those that are tried: of what they break, or of a file.
 */
const notes = join(import.meta.dirname, 'noticed.json');
const noticed = JSON.parse(readFileSync(notes, 'utf8')) as Record<string, string>;
const wanted = new RegExp(process.env.SWAPFOLD_MUTANTS ?? '');
const tried = mutants.filter(
  (mutant) => wanted.test(`${mutant.breaks}\n${sourceOf(mutant)}`) && !unnoticed.has(mutant.breaks),
);

function note(breaks: string, title: string): void {
  if (noticed[breaks] === title) return;
  noticed[breaks] = title;
  if (process.env.SWAPFOLD_NOTE === '1') writeFileSync(notes, `${JSON.stringify(noticed, null, 2)}\n`);
}

/** What the tests of a module said, up to the first that failed: its title. One that fails to load runs no test. */
async function failureOf(
  path: string,
  only: readonly string[],
): Promise<{ failed?: string; passed: number; output: string }> {
  // A test process says so in its environment: a child that inherits it would report to a parent that does not listen.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(process.execPath, ['--test-reporter=tap', ...only, path], { cwd: root, env });
  let output = '';
  const failed = (): string | undefined => /^not ok \d+ - (.*)\n/m.exec(output)?.[1];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (failed() !== undefined) child.kill('SIGKILL');
    });
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('close', () => {
      const title = failed()?.replaceAll(/\\([#\\])/g, '$1');
      const passed = output.match(/^ok (?!.*# SKIP)/gm)?.length ?? 0;
      done({ ...(title === undefined ? {} : { failed: title }), passed, output });
    });
  });
}

const pattern = (titles: readonly string[]): string =>
  `--test-name-pattern=^(${titles.map((title) => title.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|')})$`;

/** Takes the items one by one, in as many folders as there are workers. */
async function shareOut<T>(items: readonly T[], work: (folder: string, item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  await Promise.all(
    Array.from({ length: WORKERS }, () =>
      withFolder(async (folder) => {
        symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
        for (let item = left.shift(); item !== undefined; item = left.shift()) await work(folder, item);
      }),
    ),
  );
}

/** The title of a test that fails because of the mutant; undefined if all of the detector pass. */
async function noticing(mutant: Mutant, bundle: Bundle, path: string): Promise<string | undefined> {
  const source = join(root, sourceOf(mutant));
  const text = readFileSync(source, 'utf8').replace(mutant.find, () => mutant.replace);
  await bundle.write({ path: source, text });
  const known = noticed[mutant.breaks];
  const again = known === undefined ? undefined : (await failureOf(path, [pattern([known])])).failed;
  return again ?? (await failureOf(path, detectors[mutant.noticedBy].slice(1))).failed;
}

interface Share {
  readonly detector: Detector;
  readonly mutants: readonly Mutant[];
}

/** The mutants that are tried, by their detectors, in shares that are as long as both workers have work. */
const shares: readonly Share[] = (Object.keys(detectors) as Detector[]).flatMap((detector) => {
  const own = tried.filter((mutant) => mutant.noticedBy === detector);
  return Array.from({ length: Math.ceil(own.length / SHARE) }, (_, i) => ({
    detector,
    mutants: own.slice(i * SHARE, (i + 1) * SHARE),
  }));
});

/** Tries mutants of one detector. The tests that notice them must pass without a change. */
async function survivals(folder: string, { detector, mutants }: Share): Promise<string[]> {
  const path = join(folder, 'detector.mjs');
  const bundle = await openBundle(join(root, detectors[detector][0]), path);
  const survived: string[] = [];
  const titles = new Set<string>();
  for (const mutant of mutants) {
    const title = await noticing(mutant, bundle, path);
    if (title === undefined) survived.push(`"${mutant.breaks}": ${detector} does not notice`);
    else {
      titles.add(title);
      note(mutant.breaks, title);
    }
  }
  await bundle.write();
  await bundle.close();
  const { failed, passed, output } = await failureOf(path, [pattern([...titles])]);
  if (failed !== undefined || passed < titles.size)
    survived.push(`${detector}, without a change: ${output.slice(-2000)}`);
  return survived;
}

test('each mutant is noticed by the tests that it names, which pass without it', async (t) => {
  const survived: string[] = [];
  await shareOut(shares, async (folder, share) => {
    survived.push(...(await survivals(folder, share)));
  });
  t.diagnostic(`${tried.length} mutants, ${survived.length} survivals, ${unnoticed.size} that no test notices yet`);
  assert.deepEqual(survived, []);
});
