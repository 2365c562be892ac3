import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { findOperation, parseConfig, parseRequest } from '@swapfold/core/host';
import { createProgram } from '../packages/cli/src/program.ts';
import { withTimes } from '../packages/cli/src/questions/read-request.ts';
import { runMany, temporaryFolder } from '../packages/cli/test/run-cli.ts';
import { createKeyRing } from '../packages/server/src/keys.ts';
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

const guide = 'docs/guides/command-line.md';

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
    // An address that a page shortens, or a symbol in place of one.
    const body = words[3]!.replaceAll(
      /"[\w]{0,8}\.\.\."|(?<="token": )"[A-Z]{2,10}"/g,
      '"So11111111111111111111111111111111111111112"',
    );
    const schema = findOperation(words[2]!).request(parseConfig({}));
    assert.doesNotThrow(() => parseRequest(schema, withTimes(JSON.parse(body))), `${page}: ${words.join(' ')}`);
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

/** Pages whose lines with swapfold run below, one after the other, in a folder with the files that they name. */
const run = ['docs/start/research.md', 'docs/guides/export.md', 'docs/guides/import.md', 'docs/concepts/pnl.md'];

/**
 * All examples of the pages that no test runs, with the reason. The command line reads each of their lines with swapfold (above), and each
 * request in them is one that its operation takes.
 */
const notRun: Readonly<Record<string, string>> = {
  'README.md': 'test/docs-shell.test.ts runs its blocks, test/readme.test.ts its lines, but for the build',
  [guide]: 'packages/cli/test/questions.test.ts runs it and compares what it prints',
  'docs/guides/live.md': 'packages/server/test/docs.test.ts sends its requests; its servers run until they are stopped',
  'docs/guides/chain.md': 'needs a node of a chain: test/chain runs the same commands on one',
  'docs/guides/solana.md':
    'needs a node of Solana: packages/cli/test/solana.test.ts runs the same commands on a stand-in',
  'docs/guides/mcp.md': 'servers that run until their client goes: packages/cli/test/mcp.test.ts starts both',
  'docs/guides/tradingview.md': 'a server that runs until it is stopped: packages/cli/test/mcp.test.ts starts it',
  'docs/guides/deploy.md': 'a server that runs until it is stopped: test/docs-shell.test.ts runs its blocks',
  'docs/guides/forget.md':
    'needs months of swaps: test/horizon-rules.test.ts makes the calls, packages/cli/test/prune.test.ts runs the command',
  'docs/guides/sizing.md': 'needs a server of ClickHouse, or a file of millions of swaps',
  'docs/reference/cli.md': 'the help texts of the commands, which name files of the reader',
  'docs/reference/http.md': 'one position of a real market; the block below it runs the same request',
  'docs/start/host.md': 'test/docs-shell.test.ts runs its blocks',
  'docs/reference/simulate.md': 'packages/cli/test/questions.test.ts runs the command on its store',
  'CHANGELOG.md': 'names commands, and shows none',
  'packages/cli/README.md': 'the lines of the README',
};

test('each page with lines of swapfold runs, or has a reason why not', () => {
  const found = new Set(swapfoldLines.map(({ page }) => page));
  // test/docs-cookbook.test.ts and test/docs-shell.test.ts run every recipe.
  const others = [...found].filter((page) => !page.startsWith('docs/cookbook/'));
  assert.deepEqual(
    others.filter((page) => !run.includes(page) && !(page in notRun)),
    [],
  );
});

/** What checks a program of the shell lines. Others than swapfold are not run, because they need not be installed. */
const programs: Readonly<Record<string, string>> = {
  swapfold: 'above',
  claude: 'Claude Code, which need not be installed: packages/cli/test/mcp.test.ts starts what the line names',
  npm: 'its scripts above; that packages install, test/packages.test.ts and .ci/run',
  curl: 'packages/server/test/docs.test.ts sends what the line sends',
  gzip: 'packages/server/test/docs.test.ts packs the body of the push',
  echo: 'below: what it writes is a configuration or a list of keys',
  duckdb: 'test/views.test.ts runs the statement in the library',
  sqlite3: 'test/views.test.ts runs the statement in the library',
  mkdir: 'makes a folder',
  kill: 'sends a signal',
  docker: 'need not be installed: examples/deploy/try.sh tries the steps of the Dockerfile',
  sudo: 'sets up a machine',
  jq: 'reads what a program before it prints',
  unzip: 'prints what a zip file of an exchange holds',
  decoder: "stands for the reader's program",
  esbuild: 'test/bundled-store.test.ts bundles by its library, with the same options',
  tsup: 'bundles by esbuild, with the same options',
  'openapi-typescript': 'test/openapi-clients runs it',
  'openapi-ts': 'test/openapi-clients runs it',
};

test('each program of the shell lines is checked in its way', () => {
  const used = pages
    .flatMap((page) =>
      fencedBlocks(textOf(page), ['sh', 'bash']).filter((block) => !/\[(options|command)\]/.test(block)),
    )
    // What follows `<` or `>` is a file.
    .flatMap((block) => commandsOf(block.replaceAll(/[<>] ?[\w./-]+/g, '')))
    .map(([program]) => program!);
  assert.deepEqual(
    [...new Set(used)].filter((program) => !(program in programs)),
    [],
  );
});

test('each fenced block of the pages is of a language that some test reads', () => {
  /** The tests that read each: generated modules, generate-docs, docs-*, readme, search-text, views, openapi-clients, udf. */
  const read = ['ts', 'ts client', 'sh', 'bash', 'console', 'text', 'json', 'js', 'html', 'sql', ''];
  const languages = pages.flatMap((page) =>
    [...textOf(page).matchAll(/^```([^\n]*)\n[\s\S]*?^```$/gm)].map(([, name]) => name!),
  );
  const known = [...read, ...['tokens', 'wallets', 'positions'].map((kind) => `json ${kind}`)];
  assert.deepEqual(
    // packages/mcp/test/listing.test.ts asks the tools.
    [...new Set(languages)].filter((name) => !known.includes(name) && !/^json tool \w+$/.test(name)),
    [],
  );
});

test('what the pages write into files by echo is a configuration or a list of keys', () => {
  const written = pages.flatMap((page) => [...textOf(page).matchAll(/echo '([^']+)' > (\w+)\.json/g)]);
  assert.ok(written.length >= 4);
  for (const [, json, name] of written) {
    if (name === 'keys') assert.equal(createKeyRing(JSON.parse(json!)).isOpen, false);
    else assert.doesNotThrow(() => parseConfig(JSON.parse(json!)), json);
  }
});

/** Files that pages name, each with one of the project that has its shape. */
const given: Readonly<Record<string, string>> = {
  'dune.parquet': 'examples/data/swaps.csv',
  '-': 'packages/files/test/presets/geckoterminal.json',
  'export-0x5a3.csv': 'packages/files/test/presets/transfers/etherscan.csv',
  'export-0x9bc.csv': 'packages/files/test/presets/transfers/etherscan.csv',
};

/** Puts what the lines name into a folder. */
function furnish(folder: string): void {
  const csv = readFileSync(join(root, 'examples/data/swaps.csv'), 'utf8');
  mkdirSync(join(folder, 'exports'));
  writeFileSync(join(folder, 'exports/january.csv'), csv);
  writeFileSync(join(folder, '2024-december.csv.gz'), gzipSync(csv));
  const renamed = { wallet: 'trader', block_time: 'ts', token_out: 'bought' };
  const [head, ...rows] = csv.split('\n');
  const names = head!.split(',').map((name) => renamed[name as keyof typeof renamed] ?? name);
  writeFileSync(join(folder, 'mine.csv'), [names, ...rows].join('\n'));
  writeFileSync(
    join(folder, 'trades-newest-first.csv'),
    [head, ...rows.filter((row) => row !== '').toReversed(), ''].join('\n'),
  );
  writeFileSync(join(folder, 'prices.csv'), 'token,time,usd_price\nSOL,1704067200,101.5\n');
  const kline = '1704067200000,100,102,99,101.5,7,1704070799999,700,3,4,400,0\n';
  writeFileSync(join(folder, 'SOLUSDT-1h-2024-01.csv'), kline);
  const wallet = rows[0]!.split(',')[1]!;
  const [mint, at] = ['EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm', 1_710_665_692];
  const trade = { signature: 'stream', mint, traderPublicKey: wallet, txType: 'buy', tokenAmount: 12, solAmount: 1 };
  writeFileSync(join(folder, 'pumpportal.ndjson.gz'), gzipSync(JSON.stringify({ ...trade, timestamp: at })));
  const item = { tx_hash: 'feed', wallet, chain: 'solana', index: 0, timestamp: at };
  const sides = { token0_address: 'So11111111111111111111111111111111111111112', token1_address: mint };
  const swap = { ...item, ...sides, tx_type: 'swap', token0_amount: 1, token1_amount: 12 };
  const sent = { ...item, tx_type: 'transfer', from: wallet, to: mint, contract_address: mint, amount: 12 };
  writeFileSync(join(folder, 'cielo.json'), JSON.stringify({ data: { items: [swap, sent] } }));
  writeFileSync(join(folder, 'sheet.csv'), `hash;date;who;gave;got\nsheet;17.03.2024 08:54:52;${wallet};1,25;120,5\n`);
  const [sql] = fencedBlocks(textOf('docs/guides/import.md'), ['sql']).filter((block) =>
    block.startsWith('-- mine.sql'),
  );
  writeFileSync(join(folder, 'mine.sql'), sql!);
}

test('the lines for researchers, of imports and of exports run one after the other, in a folder with the files that they name', async () => {
  const folder = path('shell');
  mkdirSync(folder);
  furnish(folder);
  // The second swap: a buy of a token that is no quote token.
  const swap = readFileSync(join(root, 'examples/data/swaps.csv'), 'utf8').split('\n')[2]!.split(',');
  const named = (word: string): string =>
    word.replace('"wallet": "..."', `"wallet": "${swap[1]}"`).replace('"token": "..."', `"token": "${swap[3]}"`);
  const placed = (word: string): string =>
    word in given ? join(root, given[word]!) : named(word.replace(/^dex\.duckdb$/, 'dex.db'));
  // On SQLite, which opens soonest. The first page makes the store that the others ask.
  const commands = run
    .flatMap((name) => swapfoldLines.filter(({ page }) => page === name))
    .map(({ words }) => words.slice(1).map(placed))
    // Trades of a pool on another chain: a store is of one.
    .map((words) => (words.includes('geckoterminal') ? [...words, '--config', 'eth.json'] : words))
    .map((words) => (words.includes('geckoterminal') ? words.map((word) => word.replace('dex.db', 'eth.db')) : words));
  writeFileSync(join(folder, 'eth.json'), '{ "preset": "ethereum" }');
  assert.ok(commands.length >= 12);
  const ended = await runMany(commands, { cwd: folder });
  for (const [i, { code, stderr }] of ended.entries()) assert.equal(code, 0, `${commands[i]!.join(' ')}\n${stderr}`);
  const made = readdirSync(folder).filter((name) => /^(march|trades)\./.test(name));
  assert.deepEqual(made, ['march.csv', 'trades.parquet']);
});
