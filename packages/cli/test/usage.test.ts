import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { after, type TestContext, test } from 'node:test';
import type { Command } from 'commander';
import { main } from '../src/main.ts';
import { createProgram } from '../src/program.ts';
import { runCli, temporaryFolder } from './run-cli.ts';

const path = await temporaryFolder(after);

/** Runs a command that says nothing on standard output in this process: a process each would take a second. */
async function fail(t: TestContext, args: readonly string[]): Promise<{ code: number; stderr: string }> {
  let stderr = '';
  const write = t.mock.method(process.stderr, 'write', (text: string) => {
    stderr += text;
    return true;
  });
  const code = await main(args);
  write.mock.restore();
  return { code, stderr };
}

function helpOf(command: Command): string {
  let help = '';
  command.configureOutput({
    writeOut: (text) => {
      help += text;
    },
  });
  command.outputHelp();
  return help;
}

function commandsOf(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(commandsOf)];
}

for (const command of commandsOf(createProgram(() => undefined))) {
  test(`the help of "${command.name()}" teaches with examples, and fits a terminal`, () => {
    const help = helpOf(command);
    assert.match(help, /\nExamples:\n {2}\$ .*swapfold /);
    assert.ok(command.description().endsWith('.'));
    for (const option of command.options) assert.ok(option.description, option.flags);
    for (const line of help.split('\n')) assert.ok(line.length <= 96, line);
  });
}

test('--help prints the commands and the exit codes, and ends with 0', async () => {
  const { code, stdout, stderr } = await runCli(['--help']);
  assert.equal(code, 0);
  for (const name of ['import', 'refresh', 'rebuild', 'query', 'serve', 'demo'])
    assert.match(stdout, new RegExp(`^  ${name}\\b`, 'm'));
  assert.match(stdout, /Exit codes:\n {2}0 .*\n {2}1 .*\n {2}2 .*\n {2}130 /);
  assert.equal(stderr, '');
});

test('a mistyped option ends the process with 2, with the option that was meant and no stack trace', async () => {
  const { code, stdout, stderr } = await runCli(['refresh', '--dbb', 'x.db']);
  assert.equal(stderr, "error: unknown option '--dbb'\n(Did you mean --db?)\nAdd --help for options and examples.\n");
  assert.equal(stdout, '');
  assert.equal(code, 2);
});

const wrong: readonly [what: string, args: readonly string[], message: RegExp][] = [
  ['no command', [], /^Usage: swapfold/],
  ['a mistyped command', ['imprt'], /unknown command 'imprt'\n\(Did you mean import\?\)/],
  ['no store', ['refresh'], /option '--db <url>' not specified/],
  ['a store of no known engine', ['refresh', '--db', 'x.foo'], /does not tell the engine\. Write sqlite:PATH/],
  [
    'a store that is not there',
    ['rebuild', '--db', path('no.db')],
    /no store at .*no\.db; "swapfold import .*" makes one/,
  ],
  ['no file to import', ['import', 'swaps', '--db', path('x.db')], /missing required argument 'file'/],
  [
    'a file that is not there',
    ['import', 'swaps', path('none.csv'), '--db', path('x.db')],
    /Cannot read .*none\.csv: there is no such file/,
  ],
  ['a batch of 0 rows', ['import', 'swaps', 'x.csv', '--db', 'x.db', '--batch', '0'], /from 1 to 1000000/],
  ['a time that is none', ['refresh', '--db', 'x.db', '--as-of', 'now'], /RFC 3339 time such as/],
  [
    'an unknown operation',
    ['query', 'wallets.serch', '--db', path('x.db')],
    /no operation "wallets\.serch"\. Did you mean "wallets\.search"\?/,
  ],
  ['a request that is not JSON', ['query', 'get-price', '{tokens}', '--db', path('x.db')], /The request is not JSON: /],
  ['an engine that the demo does not know', ['demo', '--engine', 'pg'], /Allowed choices are sqlite, duckdb/],
];

for (const [what, args, message] of wrong) {
  test(`${what} ends with 2 and a sentence without a stack trace`, async (t) => {
    const { code, stderr } = await fail(t, args);
    assert.match(stderr, message);
    assert.doesNotMatch(stderr, /^ +at /m);
    assert.equal(code, 2);
  });
}

const configs = [
  ['a field of the wrong type', '{"dust_usd": "a lot"}', /"dust_usd": .*received "a lot"/],
  ['an unknown field', '{"quote_token": []}', /"quote_token": unknown field\. Did you mean "quote_tokens"\?/],
  ['text that is not JSON', '{"chain": }', /configuration .* is not JSON: /],
] as const;

for (const [i, [what, json, message]] of configs.entries()) {
  test(`a configuration with ${what} ends with 2 and names it`, async (t) => {
    const config = path(`config-${i}.json`);
    await writeFile(config, json);
    await writeFile(path('some.csv'), 'wallet\nx\n');
    const { code, stderr } = await fail(t, [
      'import',
      'swaps',
      path('some.csv'),
      '--db',
      path('x.db'),
      '--config',
      config,
    ]);
    assert.match(stderr, message);
    assert.equal(code, 2);
  });
}

test('a server without keys ends with 2 and says how to give them', async (t) => {
  await writeFile(path('store.db'), '');
  const { code, stderr } = await fail(t, ['serve', '--db', path('store.db')]);
  assert.match(stderr, /no API key, so nobody could call .* SWAPFOLD_API_KEYS=KEY/);
  assert.equal(code, 2);
});

test('a failing engine ends with 1; only --verbose and DEBUG show a stack trace and its cause', async (t) => {
  await writeFile(path('text.db'), 'no database at all, but a text that is long enough to be one');
  const args = ['refresh', '--db', path('text.db')];
  const quiet = await fail(t, args);
  assert.match(quiet.stderr, /^error: ".*text\.db" is not an SQLite database\.\n/);
  assert.doesNotMatch(quiet.stderr, /^ +at /m);
  const verbose = await fail(t, [...args, '--verbose']);
  process.env.DEBUG = '1';
  const debug = await fail(t, args);
  delete process.env.DEBUG;
  for (const { stderr } of [verbose, debug]) assert.match(stderr, /^ +at .*\n[\s\S]*Caused by: /m);
  for (const { code } of [quiet, verbose, debug]) assert.equal(code, 1);
});

test('an address of a node without http:// or ws:// is refused by its text', async (t) => {
  for (const args of [
    ['import', 'evm', 'evm:localhost:8545', '--db', path('chain.db')],
    ['follow', 'evm:localhost:8545', '--db', path('chain.db')],
  ]) {
    const { code, stderr } = await fail(t, args);
    assert.match(stderr, /evm:localhost:8545 is no address of a node: give http:\/\//);
    assert.equal(code, 2);
  }
});
