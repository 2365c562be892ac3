import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { detectors, type Mutant, sourceOf } from './mutants/mutant.ts';
import { mutants } from './mutants/mutants.ts';
import { bundle, type Change } from './support/bundle.ts';
import { withFolder } from './support/engines.ts';
import { isWhole } from './support/whole.ts';

const root = resolve(import.meta.dirname, '..');
const tried = mutants.filter((_, number) => isWhole || number % 128 === 0);
/** Folders in which a test runs at the same time. */
const WORKERS = 2;

type Detector = keyof typeof detectors;

interface Run {
  readonly hasPassed: boolean;
  readonly hasFailed: boolean;
  readonly output: string;
}

/** Runs a detector over the project with a change until a test of it fails; one that fails to load runs no test. */
async function run(folder: string, detector: Detector, change?: Change): Promise<Run> {
  const [file, ...only] = detectors[detector];
  const path = join(folder, 'detector.mjs');
  await bundle(join(root, file), path, change);
  // A test process says so in its environment: a child that inherits it would report to a parent that does not listen.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(process.execPath, ['--test-reporter=tap', ...only, path], { cwd: root, env });
  let output = '';
  const hasFailed = (): boolean => /^not ok /m.test(output);
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (change !== undefined && hasFailed()) child.kill('SIGKILL');
    });
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('close', () => done({ hasPassed: /^ok /m.test(output), hasFailed: hasFailed(), output }));
  });
}

/** Why a mutant counts as survived, as sentences; none when all the tests that it names notice it. */
async function survivals(folder: string, mutant: Mutant): Promise<string[]> {
  const path = join(root, sourceOf(mutant));
  const parts = readFileSync(path, 'utf8').split(mutant.find);
  if (parts.length !== 2)
    return [`"${mutant.breaks}": its text stands ${parts.length - 1} times in ${mutant.file}, not once`];
  const survived: string[] = [];
  for (const detector of mutant.noticedBy) {
    const { hasFailed } = await run(folder, detector, { path, text: parts.join(mutant.replace) });
    if (!hasFailed) survived.push(`"${mutant.breaks}": ${detector} does not notice`);
  }
  return survived;
}

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

test('the project that nobody broke passes the tests that are to notice', async () => {
  const failures: string[] = [];
  const needed = new Set(
    isWhole ? (Object.keys(detectors) as Detector[]) : tried.flatMap((mutant) => mutant.noticedBy),
  );
  await shareOut([...needed], async (folder, detector) => {
    const { hasPassed, hasFailed, output } = await run(folder, detector);
    if (hasFailed || !hasPassed) failures.push(`${detector}: ${output.slice(-2000)}`);
  });
  assert.deepEqual(failures, []);
});

test(`${isWhole ? 'every' : 'every hundred and twenty-eighth'} mutant is noticed by each of the tests that it names`, async (t) => {
  const survived: string[] = [];
  await shareOut(tried, async (folder, mutant) => {
    survived.push(...(await survivals(folder, mutant)));
  });
  t.diagnostic(`${tried.length} mutants, ${survived.length} survivals`);
  assert.deepEqual(survived, []);
});

test('every mutant changes a text that stands once in its file, and none is in the list twice', () => {
  for (const mutant of mutants) {
    const { breaks, file, find } = mutant;
    const source = readFileSync(join(root, sourceOf(mutant)), 'utf8');
    assert.equal(source.split(find).length, 2, `"${breaks}": its text does not stand once in ${file}`);
  }
  const seen = mutants.map(({ file, find, replace }) => `${file}: ${find} -> ${replace}`);
  assert.equal(new Set(seen).size, seen.length);
  assert.ok(mutants.every(({ find, replace, noticedBy }) => find !== replace && noticedBy.length > 0));
});
