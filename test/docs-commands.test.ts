import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { findOperation, parseConfig, parseRequest } from '@swapfold/core';
import { createProgram } from '../packages/cli/src/program.ts';
import { runMany, temporaryFolder } from '../packages/cli/test/run-cli.ts';
import { commandsOf, fencedBlocks } from './support/shell-lines.ts';

const root = resolve(import.meta.dirname, '..');
const path = await temporaryFolder(after);

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...['docs', 'packages', 'examples'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md') && !/node_modules|dist\//.test(name))
      .map((name) => join(folder, name)),
  ),
];
const textOf = (page: string): string => readFileSync(join(root, page), 'utf8');

const lines = pages.flatMap((page) =>
  fencedBlocks(textOf(page), ['sh', 'bash', 'console', 'text', ''])
    .flatMap(commandsOf)
    .map((words) => ({ page, words })),
);
const swapfoldLines = lines.filter(({ words: [name] }) => name === 'swapfold');

/** What the command line says against arguments, which are all that it reads: no command runs. */
async function faultOf(words: readonly string[]): Promise<string | undefined> {
  const program = createProgram(() => undefined);
  const silence = (command: typeof program): void => {
    command.exitOverride().configureOutput({ writeErr: () => undefined, writeOut: () => undefined });
    if (command.commands.length === 0) command.action(() => undefined);
    else for (const child of command.commands) silence(child as typeof program);
  };
  silence(program);
  try {
    await program.parseAsync([...words], { from: 'user' });
    return undefined;
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    const isFine = code === 'commander.helpDisplayed' || /: no store: this folder has /.test(message);
    return isFine ? undefined : message;
  }
}

test('the command line takes every line of the pages, and of its own help, that begins with swapfold', async () => {
  assert.ok(swapfoldLines.length >= 80, String(swapfoldLines.length));
  const isUsage = (words: readonly string[]): boolean => words.some((word) => /^(\[options\]|COMMAND)$/.test(word));
  const faults: string[] = [];
  for (const { page, words } of swapfoldLines.filter((line) => !isUsage(line.words))) {
    const fault = await faultOf(words.slice(1));
    if (fault !== undefined) faults.push(`${page}: ${words.join(' ')}: ${fault}`);
  }
  assert.deepEqual(faults, []);
  assert.match((await faultOf(['import', 'swaps', 'a.csv', '--database', 'dex.db']))!, /unknown option/);
});

test('every request of a line with `swapfold query` is one that its operation takes', () => {
  const requests = swapfoldLines.filter(({ words }) => words[1] === 'query' && words[3]?.startsWith('{'));
  assert.ok(requests.length >= 5);
  for (const { page, words } of requests) {
    // An address that a page shortens.
    const body = words[3]!.replaceAll(/"[\w]{0,8}\.\.\."/g, '"So11111111111111111111111111111111111111112"');
    const schema = findOperation(words[2]!).request(parseConfig({}));
    assert.doesNotThrow(() => parseRequest(schema, JSON.parse(body)), `${page}: ${words.join(' ')}`);
  }
});

test('every `npm run` of the pages names a script', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
  const named = pages.flatMap((page) =>
    [...textOf(page).matchAll(/npm run ([a-z][\w:-]*)(?! --workspace)/g)].map(([, name]) => ({ page, name: name! })),
  );
  assert.ok(named.length >= 20);
  assert.deepEqual(
    named.filter(({ name }) => !Object.hasOwn(scripts, name)),
    [],
  );
});

/** Files that pages name, each with one of the project that has its shape. */
const given: Readonly<Record<string, string>> = {
  'dune.parquet': 'examples/data/swaps.csv',
};

test('the lines for researchers and of the guide to exports run one after the other, in a folder with a file of swaps', async () => {
  const folder = path('shell');
  mkdirSync(folder);
  const wanted = ['docs/start/research.md', 'docs/guides/export.md'];
  const commands = wanted
    .flatMap((name) => swapfoldLines.filter(({ page }) => page === name))
    .map(({ words }) => words.slice(1))
    .map((words) =>
      words.map((word) =>
        word in given
          ? join(root, given[word]!)
          : word.replace('dex.db', 'dex.duckdb').replace('duckdbuckdb', 'duckdb'),
      ),
    );
  assert.ok(commands.length >= 5);
  const ended = await runMany(commands, { cwd: folder });
  for (const [i, { code, stderr }] of ended.entries()) assert.equal(code, 0, `${commands[i]!.join(' ')}\n${stderr}`);
  assert.deepEqual(
    readdirSync(folder).filter((name) => /csv|parquet/.test(name)),
    ['march.csv', 'trades.parquet'],
  );
});
