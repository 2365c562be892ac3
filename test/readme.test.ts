import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { operations, parseConfig, SwapfoldError } from '@swapfold/core';
import { runCli } from '../packages/cli/test/run-cli.ts';

const root = resolve(import.meta.dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

function blocks(text: string, language: string): string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map((match) => match[1]!);
}

/** A folder inside the project, so that its packages are found from it. */
async function withScratch<T>(use: (folder: string) => T | Promise<T>): Promise<T> {
  mkdirSync(join(root, '.swapfold'), { recursive: true });
  const folder = mkdtempSync(join(root, '.swapfold', 'readme-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('the embedding example of the README runs as it stands, and finds its winner', () =>
  withScratch((folder) => {
    const [example] = blocks(readme, 'ts');
    writeFileSync(join(folder, 'example.ts'), example!.replace("'dex.db'", JSON.stringify(join(folder, 'dex.db'))));
    const printed = execFileSync(process.execPath, ['--import', 'tsx', join(folder, 'example.ts')], {
      cwd: root,
      encoding: 'utf8',
    });
    assert.match(printed, /^1 \[/);
    assert.match(printed, /close: 3/);
    assert.ok(example!.trim().split('\n').length <= 20, 'the example has grown');
  }));

test('the command lines of the README run as they stand, but for the build and the server', () =>
  withScratch(async (folder) => {
    const lines = blocks(readme, 'sh')
      .flatMap((block) => block.trim().split('\n'))
      .filter((line) => line.startsWith('npx swapfold '));
    assert.equal(lines.length, 4);
    for (const line of lines) {
      const words = [...line.slice('npx swapfold '.length).matchAll(/'([^']*)'|(\S+)/g)].map(
        (match) => match[1] ?? match[2]!,
      );
      const args = words.map((word) => (word === 'dex.duckdb' ? join(folder, word) : word));
      const { code, stdout, stderr } = await runCli(args);
      assert.equal(code, 0, stderr);
      if (args[0] === 'query') assert.equal(JSON.parse(stdout).data.length, 3);
    }
  }));

test('the two commands of the README are scripts of the package', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const commands = blocks(readme, 'sh').join('');
  assert.match(commands, /^npm ci && npm run demo$/m);
  assert.match(commands, /^npm ci && npm test$/m);
  assert.ok(scripts.demo && scripts.test);
});

test('the README names every route and its method', () => {
  for (const { path, name } of operations) {
    assert.ok(readme.includes(`\`${path}\` | \`dex.${name}\``), `${path} as dex.${name}`);
  }
});

for (const page of pages) {
  const text = readFileSync(join(root, page), 'utf8');
  test(`every link of ${page} leads to a file`, () => {
    const targets = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map((match) => match[1]!);
    const dead = targets.filter((target) => !existsSync(join(root, page, '..', target)));
    assert.deepEqual(dead, []);
  });
}

test('the configurations that the docs show are valid', () => {
  for (const page of ['README.md', 'docs/configuration.md']) {
    for (const block of blocks(readFileSync(join(root, page), 'utf8'), 'json'))
      assert.doesNotThrow(() => parseConfig(JSON.parse(block)), page);
  }
});

test('docs/configuration.md has a row for every field of the configuration', () => {
  const page = readFileSync(join(root, 'docs/configuration.md'), 'utf8');
  const fields = [...Object.keys(parseConfig({})), 'preset'];
  assert.deepEqual(
    fields.filter((field) => !page.includes(`| \`${field}\` |`)),
    [],
  );
});

const badConfigs: readonly (readonly [title: string, config: unknown, message: RegExp])[] = [
  ['an unknown field', { dustusd: 1 }, /"dustusd": unknown field. Did you mean "dust_usd"\?/],
  ['a negative dust', { dust_usd: -1 }, /"dust_usd"/],
  ['a chain with a slash', { chain: 'a/b' }, /"chain": expected 1 to 32/],
  ['an unknown preset', { preset: 'bitcoin' }, /"preset"/],
  [
    'an unknown kind of quote token',
    { quote_tokens: [{ address: 'x', symbol: 'X', kind: 'gold' }] },
    /"quote_tokens.0.kind"/,
  ],
  [
    'two native tokens',
    {
      address_format: 'any',
      quote_tokens: [
        { address: 'x', symbol: 'X', kind: 'native' },
        { address: 'y', symbol: 'Y', kind: 'native' },
      ],
    },
    /at most one/,
  ],
  [
    'an address of another format',
    { preset: 'ethereum', quote_tokens: [{ address: 'x', symbol: 'X', kind: 'native' }] },
    /"quote_tokens.0.address": expected an address/,
  ],
  [
    'an address twice',
    {
      address_format: 'any',
      quote_tokens: [
        { address: 'x', symbol: 'X', kind: 'native' },
        { address: 'x', symbol: 'Y', kind: 'stable' },
      ],
    },
    /twice/,
  ],
  ['a short key', { api_keys: ['abc'] }, /"api_keys.0": expected at least 8/],
  ['text instead of an object', 'solana', /received "solana"/],
];

for (const [title, config, message] of badConfigs) {
  test(`a configuration with ${title} is refused, and the field is named`, () => {
    assert.throws(
      () => parseConfig(config),
      (error: unknown) =>
        error instanceof SwapfoldError && error.code === 'invalid-config' && message.test(error.message),
    );
  });
}
