import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { detectors, type Mutant } from './mutants/mutant.ts';
import { mutants } from './mutants/mutants.ts';
import { withFolder } from './support/engines.ts';

const root = resolve(import.meta.dirname, '..');
const source = 'packages/core/src';
/** Copies in which a test runs at the same time. */
const WORKERS = 2;

type Detector = keyof typeof detectors;

/** What the detectors need of the project, as a copy that may be broken. */
function copyProject(to: string): void {
  for (const path of ['tsconfig.json', 'package.json', 'packages/core/package.json', source, 'packages/core/test'])
    cpSync(join(root, path), join(to, path), { recursive: true });
  for (const path of ['boundaries', 'fixtures', 'support', 'boundaries.test.ts', 'golden.test.ts'])
    cpSync(join(root, 'test', path), join(to, 'test', path), { recursive: true });
  for (const name of ['sqlite', 'duckdb']) {
    mkdirSync(join(to, 'packages', name), { recursive: true });
    symlinkSync(join(root, 'packages', name, 'src'), join(to, 'packages', name, 'src'));
  }
  symlinkSync(join(root, 'node_modules'), join(to, 'node_modules'));
}

interface Run {
  readonly passed: number;
  readonly failed: number;
  readonly output: string;
}

/** Runs a detector in a copy of the project. */
function run(folder: string, detector: Detector): Promise<Run> {
  const [file, ...only] = detectors[detector];
  // A test process says so in its environment: a child that inherits it would report to a parent that does not listen.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(process.execPath, ['--import', 'tsx', '--test-reporter=tap', ...only, file], {
    cwd: folder,
    env,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const count = (what: string): number => Number(new RegExp(`^# ${what} (\\d+)$`, 'm').exec(output)?.[1] ?? 0);
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('close', () => done({ passed: count('pass'), failed: count('fail'), output }));
  });
}

/** Why a mutant counts as survived, as sentences; none when all the tests that it names notice it. */
async function survivals(folder: string, mutant: Mutant): Promise<string[]> {
  const path = join(folder, source, mutant.file);
  const text = readFileSync(path, 'utf8');
  const parts = text.split(mutant.find);
  if (parts.length !== 2)
    return [`"${mutant.breaks}": its text stands ${parts.length - 1} times in ${mutant.file}, not once`];
  writeFileSync(path, parts.join(mutant.replace));
  const survived: string[] = [];
  try {
    for (const detector of mutant.noticedBy) {
      // A copy that no longer loads runs no test, so that none fails: it has not been noticed either.
      const { failed } = await run(folder, detector);
      if (failed === 0) survived.push(`"${mutant.breaks}": ${detector} does not notice`);
    }
  } finally {
    writeFileSync(path, text);
  }
  return survived;
}

/** Takes the items one by one, in as many copies of the project as there are workers. */
async function shareOut<T>(items: readonly T[], work: (folder: string, item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  await Promise.all(
    Array.from({ length: WORKERS }, () =>
      withFolder(async (folder) => {
        copyProject(folder);
        for (let item = left.shift(); item !== undefined; item = left.shift()) await work(folder, item);
      }),
    ),
  );
}

test('a copy of the project that nobody broke passes the tests that are to notice', async () => {
  const failures: string[] = [];
  await shareOut(Object.keys(detectors) as Detector[], async (folder, detector) => {
    const { passed, failed, output } = await run(folder, detector);
    if (failed > 0 || passed === 0) failures.push(`${detector}: ${output.slice(-2000)}`);
  });
  assert.deepEqual(failures, []);
});

test('every mutant is noticed by each of the tests that it names', async (t) => {
  const survived: string[] = [];
  await shareOut(mutants, async (folder, mutant) => {
    survived.push(...(await survivals(folder, mutant)));
  });
  t.diagnostic(`${mutants.length} mutants, ${survived.length} survivals`);
  assert.deepEqual(survived, []);
});

test('no mutant stands in the list twice', () => {
  const seen = mutants.map(({ file, find, replace }) => `${file}: ${find} -> ${replace}`);
  assert.equal(new Set(seen).size, seen.length);
  assert.ok(mutants.every(({ find, replace, noticedBy }) => find !== replace && noticedBy.length > 0));
});
