import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { test } from 'node:test';
import { type ConfigInput, memory, Swapfold, type SwapInput } from '@swapfold/core';
import { isRequiredField, swapFieldNames, transferField, transferFieldNames } from '@swapfold/core/host';
import { allExports, renderApi } from './generate-docs/api.ts';
import { blocksFolder, codeBlocks } from './generate-docs/blocks.ts';
import { renderChain } from './generate-docs/chain.ts';
import { renderCli } from './generate-docs/cli.ts';
import { operationPages, renderOperations } from './generate-docs/http.ts';
import { conditions, renderLabels } from './generate-docs/labels.ts';
import { mcpPage, renderMcp } from './generate-docs/mcp.ts';
import { renderMetrics } from './generate-docs/metrics.ts';
import { docsPath } from './generate-docs/page.ts';
import { importPage, renderImport, renderPresets } from './generate-docs/presets.ts';
import { renderSolana } from './generate-docs/solana.ts';
import { renderSql } from './generate-docs/sql.ts';
import { exampleSwap, renderSwapFields } from './generate-docs/swap-fields.ts';
import { exampleTransfer, renderTransferFields } from './generate-docs/transfer-fields.ts';
import { bundled } from './support/bundle.ts';

const root = resolve(import.meta.dirname, '..');
const page = (name: string): string => readFileSync(docsPath(name), 'utf8');

for (const [name, render] of [
  ['reference/metrics', renderMetrics],
  ['reference/labels', renderLabels],
  ['reference/swap-fields', renderSwapFields],
  ['reference/transfer-fields', renderTransferFields],
  ['reference/presets', renderPresets],
  ['guides/sql', renderSql],
  ['reference/cli', renderCli],
  ['reference/api', renderApi],
  ['guides/chain', renderChain],
  ['guides/solana', renderSolana],
] as const) {
  test(`docs/${name}.md is what a fresh generation gives (npm run docs)`, () => {
    assert.equal(page(`${name}.md`), render());
  });
}

for (const path of operationPages) {
  test(`what ${basename(path)} says of the operations is what a fresh generation gives (npm run docs)`, async () => {
    assert.equal(readFileSync(path, 'utf8'), await renderOperations(path));
  });
}

test('what docs/guides/import.md says of the presets is what a fresh generation gives (npm run docs)', () => {
  assert.equal(readFileSync(importPage, 'utf8'), renderImport());
});

test('the tools of docs/guides/mcp.md are what a fresh generation gives (npm run docs)', async () => {
  assert.equal(readFileSync(mcpPage, 'utf8'), await renderMcp());
});

test('every TypeScript block of the pages is a module that is compiled with the project (npm run docs)', () => {
  const blocks = codeBlocks();
  assert.deepEqual(readdirSync(blocksFolder).sort(), [...blocks.keys()].sort());
  for (const [name, code] of blocks) assert.equal(readFileSync(join(blocksFolder, name), 'utf8'), code, name);
  assert.ok(blocks.size >= 20);
});

test('every export of a package has a docstring, but for the generated types of the client', () => {
  const bare = [...allExports()].flatMap(([name, list]) =>
    list
      .filter(({ summary, file }) => summary === '' && file !== 'packages/client/src/types.ts')
      .map(({ name: own, file }) => `${name}: ${own} (${file})`),
  );
  assert.deepEqual(bare, []);
});

test('every option of a method has a meaning, and every variable that the command line reads is on its page', () => {
  const bare = page('reference/api.md').match(/^\| `\w+\??` +\| `.*\| +\|$/gm);
  assert.equal(bare, null);
  const sources = readdirSync(join(root, 'packages/cli/src'), { recursive: true, encoding: 'utf8' });
  const texts = sources
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(root, 'packages/cli/src', name), 'utf8'));
  const read = new Set(texts.flatMap((text) => [...text.matchAll(/process\.env\.(\w+)/g)].map(([, name]) => name!)));
  assert.ok(read.size >= 4);
  assert.deepEqual(
    [...read].filter((name) => !page('reference/cli.md').includes(`| \`${name}\``)),
    [],
  );
});

test('the swap of docs/reference/swap-fields.md has the required fields and no other, and is stored', async () => {
  assert.deepEqual(Object.keys(exampleSwap).sort(), swapFieldNames.filter(isRequiredField).sort());
  const dex = await Swapfold.open({ storage: memory() });
  assert.equal((await dex.ingest([exampleSwap])).added, 1);
  await dex.close();
});

test('the transfer of docs/reference/transfer-fields.md has the required fields and a side, and is stored', async () => {
  const required = transferFieldNames.filter((name) => transferField(name).isRequired);
  assert.deepEqual(Object.keys(exampleTransfer).sort(), [...required, 'to'].sort());
  const dex = await Swapfold.open({ storage: memory() });
  assert.equal((await dex.transfers.ingest([exampleTransfer])).added, 1);
  await dex.close();
});

test('every section of docs/reference/metrics.md that the sources refer to exists', () => {
  const headings = [...page('reference/metrics.md').matchAll(/^#+ (.+)$/gm)].map((match) => match[1]!);
  const sources = readdirSync(join(root, 'packages/core/src'), { recursive: true, encoding: 'utf8' });
  const wanted = sources
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [
      ...readFileSync(join(root, 'packages/core/src', file), 'utf8').matchAll(
        /docs\/reference\/metrics\.md, "([^"]+)"/g,
      ),
    ])
    .map((match) => match[1]!);
  assert.ok(wanted.length >= 5);
  assert.deepEqual(
    wanted.filter((heading) => !headings.includes(heading)),
    [],
  );
});

test('a filter reads as the conditions that must all hold', () => {
  assert.deepEqual(
    conditions({
      'metadata.age': { $gte: 0, $lt: 7200 },
      'market.price': 1.5,
      labels: { $in: ['a', 'b'] },
      $nor: [{ 'market.liquidity': { $lt: 10_000 } }],
      $or: [{ 'metadata.verified': true }, { 'metrics.1h.volume': { $gt: 5 }, 'metrics.7d.avg_holding_duration': 90 }],
    }),
    [
      '`metadata.age >= 0`',
      '`metadata.age < 7,200` (2 h)',
      '`market.price = 1.5`',
      '`labels one of ["a","b"]`',
      'not (`market.liquidity < 10,000`)',
      '`metadata.verified = true` or `metrics.1h.volume > 5` and `metrics.7d.avg_holding_duration = 90`',
    ],
  );
});

test('the configurations of docs/reference/labels.md open a store', async () => {
  const blocks = fenced('reference/labels.md', 'json');
  assert.equal(blocks.length, 3);
  for (const block of blocks) {
    const dex = await Swapfold.open({ storage: memory(), config: JSON.parse(block) as ConfigInput });
    await dex.close();
  }
});

test('the examples of docs/guides/extend.md are programs that are compiled with the project, run, and print what they say', async () => {
  const names = ['own-metric.ts', 'own-engine.ts'];
  const code = names.map((name) => readFileSync(join(root, 'test/docs-code', name), 'utf8'));
  assert.deepEqual(fenced('guides/extend.md', 'ts'), code);
  const programs = await Promise.all(names.map((name) => bundled(`test/docs-code/${name}`)));
  const [metric, engine] = programs.map((program) =>
    execFileSync(process.execPath, [program], {
      encoding: 'utf8',
      // Without the name of this runner: a test that thinks it is one of its files reports to it instead of printing.
      env: { ...process.env, NODE_TEST_CONTEXT: undefined },
    }),
  );
  const said = [...code[0]!.matchAll(/^\/\/ (.*)$/gm)].map((match) => match[1]);
  assert.deepEqual(metric!.trim().split('\n'), said);
  assert.match(engine!, /^(#|ℹ) fail 0$/m);
});

test('the explanation of docs/reference/http.md is a program that is compiled with the project, runs, and prints what it says', async () => {
  const path = 'test/docs-code/explain-metric.ts';
  const code = readFileSync(join(root, path), 'utf8');
  assert.ok(fenced('reference/http.md', 'ts').includes(code));
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
  const printed = execFileSync(process.execPath, [await bundled(path)], { encoding: 'utf8', env });
  const said = [...code.matchAll(/^\/\/ (.*)$/gm)].map((match) => match[1]);
  assert.deepEqual(printed.trim().split('\n'), said);
});

test("the position's life that docs/reference/metrics.md tells is what the ledger makes of it", async () => {
  const rows = [...page('reference/metrics.md').matchAll(/^\| (\d) +\| (buy|sell) (\d+) for (\d+) +\| (.*) \|$/gm)];
  assert.equal(rows.length, 5);
  const dex = await Swapfold.open({
    storage: memory(),
    config: { address_format: 'any', quote_tokens: [{ address: 'USD', symbol: 'USD', kind: 'stable' }] },
  });
  await dex.ingest(
    rows.map(([, day, side, amount, usd], i): SwapInput => {
      const [given, received] = side === 'buy' ? (['USD', 'T'] as const) : (['T', 'USD'] as const);
      const amountOf = (token: string): number => Number(token === 'USD' ? usd : amount);
      return {
        tx_hash: `tx-${i}`,
        swap_index: 0,
        block_time: Number(day) * 86_400,
        wallet: 'W',
        token_in: given,
        token_amount_in: amountOf(given),
        token_out: received,
        token_amount_out: amountOf(received),
      };
    }),
  );
  const trades = [...(await dex.trades.list({ wallet: 'W' })).data].reverse();
  const told = rows.map((row) => {
    const [state, , , cost, , pnl] = row[5]!.split('|').map((cell) => cell.trim());
    return { state, pnl: pnl === '' ? null : Number(pnl), roi: pnl === '' ? null : (Number(pnl) / Number(cost)) * 100 };
  });
  assert.deepEqual(
    trades.map((trade) => ({ state: trade.position_state, pnl: trade.realized_pnl_usd, roi: trade.realized_roi })),
    told,
  );
  await dex.close();
});

function fenced(name: string, language: string): string[] {
  return [...page(name).matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    (match) => match[1]!,
  );
}
