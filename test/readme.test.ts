import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { test } from 'node:test';
import { memory, Swapfold, SwapfoldError } from '@swapfold/core';
import { parseConfig, questions } from '@swapfold/core/host';
import { runCli } from '../packages/cli/test/run-cli.ts';
import { sidebar } from '../site/sidebar.ts';

const root = resolve(import.meta.dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
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

test('the example for services runs as it stands, and answers what its comments say', () =>
  withScratch((folder) => {
    const [example] = blocks(readFileSync(join(root, 'docs/start/service.md'), 'utf8'), 'ts');
    writeFileSync(join(folder, 'example.ts'), example!.replace("'dex.db'", JSON.stringify(join(folder, 'dex.db'))));
    const printed = execFileSync(process.execPath, ['--import', 'tsx', join(folder, 'example.ts')], {
      cwd: root,
      encoding: 'utf8',
    });
    assert.match(printed, /^50\n/);
    assert.match(printed, /usd_price: 3,/);
  }));

test('the wallet of docs/concepts/pnl.md has the results that the page works out by hand', async () => {
  const [wallet, token, usdc] = ['wallet', 'WIF', 'USDC'];
  const dex = await Swapfold.open({
    storage: memory(),
    config: { address_format: 'any', quote_tokens: [{ address: usdc, symbol: usdc, kind: 'stable' }] },
  });
  const trades = [
    [1, 'buy', 10, 100],
    [2, 'buy', 10, 200],
    [4, 'sell', 15, 450],
    [6, 'sell', 8, 240],
    [8, 'buy', 10, 250],
  ] as const;
  await dex.ingest(
    trades.map(([day, direction, amount, usd]) => ({
      tx_hash: `day-${day}`,
      swap_index: 0,
      block_time: 1_735_689_600 + day * 86_400,
      wallet,
      ...(direction === 'buy'
        ? { token_in: usdc, token_out: token, token_amount_in: usd, token_amount_out: amount }
        : { token_in: token, token_out: usdc, token_amount_in: amount, token_amount_out: usd }),
    })),
  );
  await dex.refresh();
  const page = readFileSync(join(root, 'docs/concepts/pnl.md'), 'utf8');
  const profile = await dex.wallets.get({ wallet });
  const shown = ['pnl', 'roi', 'volume', 'winrate', 'position_count'] as const;
  for (const metric of shown) {
    const [, text] = new RegExp(`^\\| \`${metric}\` \\| ([\\d,]+)`, 'm').exec(page) ?? [];
    assert.equal(profile.metrics!['30d']![metric], Number(text!.replace(',', '')), metric);
  }
  const { data } = await dex.trades.list({ wallet });
  assert.deepEqual(
    data.map(({ realized_pnl_usd }) => realized_pnl_usd),
    [null, 50, 250, null, null],
  );
  const later = { tx_hash: 'print', swap_index: 0, block_time: 1_735_689_600 + 8 * 86_400 + 1, wallet: 'other' };
  await dex.ingest([{ ...later, token_in: usdc, token_out: token, token_amount_in: 30, token_amount_out: 1 }]);
  const { tokens } = await dex.portfolios.get({ wallet });
  assert.equal(tokens.find((held) => held.token === token)!.unrealized_pnl, 50);
  await dex.close();
});

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
      if (args[0] === 'top') assert.match(stdout, /^WIFHAT /);
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

test('docs/reference/http.md names every route and its method', () => {
  const page = readFileSync(join(root, 'docs/reference/http.md'), 'utf8');
  for (const { path, name } of questions)
    assert.match(
      page,
      new RegExp(`^\\| \`${path.replace('/dex', '')}\` +\\| \`${name.replace('.', '\\.')}\` +\\|`, 'm'),
    );
});

test('docs/README.md lists every page of the documentation', () => {
  const text = readFileSync(join(root, 'docs/README.md'), 'utf8');
  const listed = new Set([...text.matchAll(/\]\(([^)]+\.md)\)/g)].map((match) => join('docs', match[1]!)));
  const unlisted = pages.filter(
    (page) => page.startsWith('docs/') && page !== 'docs/README.md' && !page.startsWith('docs/reference/api/'),
  );
  assert.deepEqual(
    unlisted.filter((page) => !listed.has(page)),
    [],
  );
});

test('the sidebar of the site has every page of the index', () => {
  const groups = sidebar();
  assert.deepEqual(
    groups.map(({ text }) => text),
    ['Start', 'Concepts', 'Guides', 'Reference', 'Inside'],
  );
  const linked = new Set(groups.flatMap(({ items }) => items.map(({ link }) => `docs${link}.md`)));
  const missing = pages.filter((page) => page.startsWith('docs/') && page !== 'docs/README.md' && !linked.has(page));
  assert.deepEqual(missing, []);
});

test('every picture of the documentation is on a page', () => {
  const pictures = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(png|webp|svg)$/.test(name),
  );
  const texts = pages.map((page) => readFileSync(join(root, page), 'utf8')).join('\n');
  assert.deepEqual(
    pictures.filter((name) => !texts.includes(basename(name))),
    [],
  );
});

test('the README stays short', () => {
  assert.ok(readme.split('\n').length <= 150);
});

for (const page of pages) {
  const text = readFileSync(join(root, page), 'utf8');
  test(`every link of ${page} leads to a file`, () => {
    const targets = [...text.matchAll(/(?:\]\(|src(?:set)?=")(?!https?:|#)([^)#\s"]+)/g)].map((match) => match[1]!);
    const dead = targets.filter((target) => !existsSync(join(root, page, '..', target)));
    assert.deepEqual(dead, []);
  });

  test(`every link of ${page} to a part of a page names a heading there`, () => {
    const targets = [...text.matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)];
    const dead = targets.filter(([, file, anchor]) => {
      const target = file === '' ? join(root, page) : join(root, page, '..', file!);
      return target.endsWith('.md') && !anchorsOf(readFileSync(target, 'utf8')).has(anchor!);
    });
    assert.deepEqual(
      dead.map(([link]) => link),
      [],
    );
  });
}

/** Every source of the packages: a page may call it by the end of its path, from a folder on. */
const modules = readdirSync(join(root, 'packages')).flatMap((name) =>
  readdirSync(join(root, 'packages', name, 'src'), { recursive: true, encoding: 'utf8' }).map((file) => `/${file}`),
);

for (const page of pages.filter((name) => name === 'CONTRIBUTING.md' || name.startsWith('docs/internals/')))
  test(`every file that ${page} names is there`, () => {
    const named = [
      ...readFileSync(join(root, page), 'utf8').matchAll(/`([\w./-]+\.(?:ts|js|mjs|py|md|json|sql|svg|sh))`/g),
    ];
    const missing = named
      .map(([, name]) => name!)
      .filter((name) => !existsSync(join(root, name)) && !modules.some((path) => path.endsWith(`/${name}`)));
    assert.deepEqual(missing, []);
  });

/** What can be linked to: a heading in lower case, without punctuation, with hyphens for spaces; the second of a name has "-1". */
function anchorsOf(markdown: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  const counts = new Map<string, number>();
  for (const [, title] of markdown.matchAll(/^#+ (.*)$/gm)) {
    const anchor = title!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-');
    const count = counts.get(anchor) ?? 0;
    counts.set(anchor, count + 1);
    anchors.add(count === 0 ? anchor : `${anchor}-${count}`);
  }
  return anchors;
}

test('the configurations that the docs show are valid', () => {
  for (const page of ['README.md', 'docs/reference/configuration.md']) {
    for (const block of blocks(readFileSync(join(root, page), 'utf8'), 'json'))
      assert.doesNotThrow(() => parseConfig(JSON.parse(block)), page);
  }
});

test('docs/reference/configuration.md has a row for every field of the configuration', () => {
  const page = readFileSync(join(root, 'docs/reference/configuration.md'), 'utf8');
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
