import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { test } from 'node:test';
import { Swapfold, SwapfoldError, type SwapInput } from '@swapfold/core';
import type { StorageAdapter } from '@swapfold/core/engine';
import { parseConfig, questions } from '@swapfold/core/host';
import { runCli } from '../packages/cli/test/run-cli.ts';
import { sidebar } from '../site/sidebar.ts';
import { engines, withFolder } from './support/engines.ts';

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

const START = 1_735_689_600;
const DAY = 86_400;
const pnlConfig = {
  address_format: 'any',
  quote_tokens: [{ address: 'USDC', symbol: 'USDC', kind: 'stable' }],
} as const;

type Happened = readonly [day: number, what: 'buy' | 'sell' | 'in' | 'out', amount: number, usd?: number];

/** A store with what happened to the wallet in WIF, and a print of 30 USD on the day after. */
async function happened(storage: StorageAdapter, rows: readonly Happened[]): Promise<Swapfold> {
  const dex = await Swapfold.open({ storage, config: pnlConfig });
  const timeOf = (day: number): number => START + day * DAY;
  const swap = (day: number, wallet: string, given: [string, number], received: [string, number]): SwapInput => ({
    tx_hash: `${wallet}-${day}`,
    swap_index: 0,
    block_time: timeOf(day),
    wallet,
    token_in: given[0],
    token_amount_in: given[1],
    token_out: received[0],
    token_amount_out: received[1],
  });
  const swaps = rows.flatMap(([day, what, amount, usd = 0]) => {
    if (what === 'buy') return [swap(day, 'wallet', ['USDC', usd], ['WIF', amount])];
    return what === 'sell' ? [swap(day, 'wallet', ['WIF', amount], ['USDC', usd])] : [];
  });
  await dex.ingest([...swaps, swap(rows.at(-1)![0] + 1, 'other', ['USDC', 30], ['WIF', 1])]);
  const { rejects } = await dex.transfers.ingest(
    rows.flatMap(([day, what, amount]) => {
      if (what === 'buy' || what === 'sell') return [];
      const sides = what === 'in' ? { from: 'elsewhere', to: 'wallet' } : { from: 'wallet', to: 'elsewhere' };
      const at = { tx_hash: `moved-${day}`, transfer_index: 0, block_time: timeOf(day) };
      return [{ ...at, token: 'WIF', token_amount: amount, ...sides }];
    }),
  );
  assert.deepEqual(rejects, []);
  await dex.refresh();
  return dex;
}

for (const [name, open] of Object.entries(engines)) {
  test(`${name}: the wallet of docs/concepts/pnl.md has the results that the page works out by hand`, () =>
    withFolder(async (folder) => {
      const dex = await happened(open(folder), [
        [1, 'buy', 10, 100],
        [2, 'buy', 10, 200],
        [3, 'out', 8],
        [4, 'sell', 6, 180],
        [5, 'in', 8],
        [6, 'in', 4],
        [7, 'sell', 16, 480],
        [8, 'buy', 10, 250],
        [9, 'out', 4],
      ]);
      const page = readFileSync(join(root, 'docs/concepts/pnl.md'), 'utf8');
      const wallet = 'wallet';
      const profile = await dex.wallets.get({ wallet });
      const shown = [...page.matchAll(/^\| `(\w+)` \| ([\d,.]+)/gm)];
      assert.equal(shown.length, 9);
      for (const [, metric, text] of shown) {
        const value = (profile.metrics!['30d'] as unknown as Record<string, number>)[metric!]!;
        assert.equal(Math.round(value * 100) / 100, Number(text!.replace(',', '')), metric);
      }
      const { data } = await dex.trades.list({ wallet });
      const told = data.map((trade) => [trade.realized_pnl_usd, trade.returned_cost, trade.position_state]);
      assert.deepEqual(told, [
        [null, 0, 'open'],
        [220, 80, 'close'],
        [80, 0, 'trade'],
        [null, 0, 'trade'],
        [null, 0, 'open'],
      ]);
      const { holding } = await dex.positions.get({ wallet, token: 'WIF' });
      const { balance, cost_basis, unrealized_pnl, arrived_amount, away_amount, away_cost } = holding!;
      assert.deepEqual([balance, cost_basis, unrealized_pnl], [8, 200, 40]);
      assert.deepEqual([arrived_amount, away_amount, away_cost], [0, 2, 50]);
      const { tokens } = await dex.portfolios.get({ wallet });
      const { unmatched_amount, ...held } = tokens.find(({ token }) => token === 'WIF')!;
      assert.deepEqual([held.unrealized_pnl, unmatched_amount], [40, 0]);
      const asked = await dex.at(START + 9 * DAY).positions.get({ wallet, token: 'WIF' });
      const ofMark = { price: 25, price_age: DAY, value: 200, unrealized_pnl: 0, unrealized_roi: 0 };
      assert.deepEqual(asked.holding, { ...holding, ...ofMark });
      const { points } = await dex.wallets.history({ wallet, interval: DAY, metrics: ['equity'] });
      assert.equal(points.at(-1)!.equity, 340);
      assert.deepEqual((await dex.verify()).differences, []);
      await dex.close();
    }));

  test(`${name}: the wallet of docs/faq.md that sends tokens away has the results of its table`, () =>
    withFolder(async (folder) => {
      const dex = await happened(open(folder), [
        [1, 'buy', 10, 100],
        [2, 'out', 8],
        [3, 'buy', 10, 200],
        [4, 'sell', 6, 180],
      ]);
      const { holding } = await dex.positions.get({ wallet: 'wallet', token: 'WIF' });
      const { realized_pnl, balance, cost_basis, unrealized_pnl, away_amount, away_cost } = holding!;
      assert.deepEqual([realized_pnl, balance, cost_basis, unrealized_pnl], [80, 6, 120, 60]);
      assert.deepEqual([away_amount, away_cost], [8, 80]);
      await dex.close();
    }));
}

test('the command lines of the README run as they stand, but for the build and the server', () =>
  withScratch(async (folder) => {
    const lines = blocks(readme, 'sh')
      .flatMap((block) => block.trim().split('\n'))
      .filter((line) => line.startsWith('npx swapfold ') && !line.endsWith(' wait'));
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

test('docs/README.md lists every page of the documentation, but for recipes, which the cookbook lists', () => {
  const linkedFrom = (folder: string): string[] =>
    [...readFileSync(join(root, folder, 'README.md'), 'utf8').matchAll(/\]\(([^)]+\.md)\)/g)].map((match) =>
      join(folder, match[1]!),
    );
  const listed = new Set([...linkedFrom('docs'), ...linkedFrom('docs/cookbook')]);
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
    ['Start', 'Concepts', 'Guides', 'Cookbook', 'Reference', 'Inside'],
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
  // A page in a block of code lies elsewhere.
  const text = readFileSync(join(root, page), 'utf8').replaceAll(/^```html\n[\s\S]*?^```$/gm, '');
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
