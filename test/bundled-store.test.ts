import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { build, type Format } from 'esbuild';
import { cases, isWhole } from './support/whole.ts';

// The built packages, as a service bundles them: `npm run build:js` first.
const root = resolve(import.meta.dirname, '..');
/** Where the packages that stay outside of a bundle are found. */
let folder: string;
before(() => {
  mkdirSync(join(root, 'node_modules', '.swapfold-bundles'), { recursive: true });
  folder = mkdtempSync(join(root, 'node_modules', '.swapfold-bundles', 'run-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** Rows of each of five transactions, which grow the log by some 7, or 4, MB; and the bytes that it stays below if it is brought into the file. */
const ROWS = cases(8000, 4000);
const LOG = cases(24, 18) * 2 ** 20;

/** Writes more than the log may hold, and reads it as a large file is read. Prints what it found, and what it was told. */
const program = `
import { Swapfold } from '@swapfold/core';
import { sqlite } from '@swapfold/sqlite';
import { statSync } from 'node:fs';

const [path, threads_from_mb] = process.argv.slice(2);
const told = [];
const rows = (batch) => Array.from({ length: ${ROWS} }, (_, i) => ({
  tx_hash: 't'.repeat(${cases(200, 240)}) + batch + '-' + i, swap_index: 0, wallet: 'w' + (i % 50), token_in: 'USD', token_amount_in: 1,
  token_out: 'x', token_amount_out: 1, block_time: 1704412800 + batch * ${ROWS} + i, block_slot: batch * ${ROWS} + i,
}));
async function main() {
  const dex = await Swapfold.open({
    storage: sqlite({ path, threads_from_mb: Number(threads_from_mb) }),
    config: { address_format: 'any', quote_tokens: [{ address: 'USD', symbol: 'USD', kind: 'stable' }] },
    onError: (error) => told.push(error.message),
  });
  let added = 0;
  let log = 0;
  for (let batch = 0; batch < 5; batch++) {
    added += (await dex.ingest(rows(batch))).added;
    log = Math.max(log, statSync(path + '-wal').size);
  }
  await dex.refresh();
  const { count } = await dex.swaps.list({ limit: 1 });
  const wallets = (await dex.wallets.search({ limit: 1 })).count;
  await dex.close();
  console.log(JSON.stringify({ added, count, wallets, told, isLogSmall: log < ${LOG} }));
}
main();
`;

interface Found {
  readonly added: number;
  readonly count: number;
  readonly wallets: number;
  readonly told: readonly string[];
  readonly isLogSmall: boolean;
}

async function bundled(format: Format, external: readonly string[]): Promise<string> {
  const entry = join(folder, 'app.ts');
  writeFileSync(entry, program);
  const outfile = join(folder, `${format}-${external.length}.${format === 'cjs' ? 'cjs' : 'mjs'}`);
  await build({
    entryPoints: [entry],
    bundle: true,
    platform: 'node',
    format,
    outfile,
    external: [...external],
    logLevel: 'error',
  });
  return outfile;
}

function run(file: string, threadsFrom: number, flags: readonly string[] = []): Found {
  const db = join(folder, `${Date.now()}-${threadsFrom}.db`);
  const text = execFileSync(process.execPath, [...flags, file, db, String(threadsFrom)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return JSON.parse(text) as Found;
}

const right = { added: 5 * ROWS, count: 5 * ROWS, wallets: 50, isLogSmall: true };

for (const format of ['esm', 'cjs'] as const) {
  test(`a store in a bundle of ${format} without the files of its threads works, small and large, and says so once`, async () => {
    const file = await bundled(format, ['better-sqlite3']);
    // A small store lacks one of the two threads that a large one lacks: of the second format it would say no more.
    for (const threadsFrom of isWhole || format === 'esm' ? [64, 0] : [0]) {
      const { told, ...found } = run(file, threadsFrom);
      assert.deepEqual(found, right);
      assert.equal(told.length, 1, told.join('\n'));
      assert.match(told[0]!, /No thread can run/);
    }
  });

  test(`a store that a bundle of ${format} leaves outside has its threads`, async () => {
    const { told, ...found } = run(await bundled(format, ['better-sqlite3', '@swapfold/sqlite']), 0);
    assert.deepEqual([found, told], [right, []]);
  });
}

test("a store works where Node's permission model allows no thread", async () => {
  const file = await bundled('esm', ['better-sqlite3', '@swapfold/sqlite']);
  const flags = ['--experimental-permission', '--allow-addons', '--allow-fs-read=*', '--allow-fs-write=*'];
  const { told, ...found } = run(file, 0, flags);
  assert.deepEqual(found, right);
  assert.equal(told.length, 1);
  assert.match(told[0]!, /No thread can run.*restricted/);
});
