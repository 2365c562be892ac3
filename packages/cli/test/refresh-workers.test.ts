import assert from 'node:assert/strict';
import { copyFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { Swapfold, SwapfoldError } from '@swapfold/core';
import { sqlite } from '@swapfold/sqlite';
import { generateMarket, writeSwapsCsv } from '@swapfold/testing';
import { dumpStore, firstDifferences } from '../../../test/support/dump.ts';
import { takeItems } from '../src/threads/take-items.ts';
import { type Ended, runCli, temporaryFolder } from './run-cli.ts';

const path = await temporaryFolder(after);
writeSwapsCsv(generateMarket({ seed: 19, swaps: 600, withUsd: false }).swaps(), path('swaps.csv'));

async function run(...args: readonly string[]): Promise<Ended> {
  const ended = await runCli(args);
  assert.equal(ended.code, 0, ended.stderr);
  return ended;
}

test('profiles that threads have folded are those of a refresh without', async () => {
  await run('import', 'swaps', path('swaps.csv'), '--db', path('apart.db'), '--no-refresh');
  await copyFile(path('apart.db'), path('alone.db'));
  const { stdout } = await run('refresh', '--db', path('apart.db'), '--workers', '3');
  assert.match(stdout, /^Refreshed \d+ token, \d+ wallet and [\d,]+ position profiles as of /);
  const dumps: (readonly string[])[] = [];
  for (const name of ['apart.db', 'alone.db']) {
    const storage = sqlite(path(name));
    const dex = await Swapfold.open({ storage });
    if (name === 'alone.db') await dex.refresh();
    dumps.push(await dumpStore(dex, storage));
    await dex.close();
  }
  assert.deepEqual(firstDifferences(dumps[0]!, dumps[1]!), []);
});

test('on DuckDB the command says what would do, and stores nothing', async () => {
  await run('import', 'swaps', path('swaps.csv'), '--db', path('store.duckdb'), '--no-refresh');
  const { code, stderr } = await runCli(['refresh', '--db', path('store.duckdb'), '--workers', '2']);
  assert.notEqual(code, 0);
  assert.match(stderr, /a duckdb store cannot be\. Refresh it without workers, or keep it in SQLite or ClickHouse/);
});

test('a thread that dies at work is an error that says what it was doing', async () => {
  for (const [program, told] of [
    ['parentPort.on("message", () => process.exit(3))', /was folding profiles ended before it was done\./],
    ['parentPort.on("message", () => { throw new Error("no memory") })', /ended before it was done: no memory/],
  ] as const) {
    const thread = new Worker(`const { parentPort } = require('node:worker_threads'); ${program}`, { eval: true });
    await assert.rejects(
      takeItems(thread, 'folding profiles').next(),
      (error: unknown) => error instanceof SwapfoldError && error.code === 'store-failed' && told.test(error.message),
    );
  }
});
