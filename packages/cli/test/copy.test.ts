import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { generateMarket, writeSwapsCsv } from '@swapfold/testing';
import { runCli, temporaryFolder } from './run-cli.ts';

const path = await temporaryFolder(after);
writeSwapsCsv(generateMarket({ seed: 17, swaps: 400, withUsd: false }).swaps(), path('swaps.csv'));

async function ask(db: string, operation: string): Promise<string> {
  const { stdout, stderr, code } = await runCli(['query', operation, '{"limit": 100}', '--db', db]);
  assert.equal(code, 0, stderr);
  return stdout;
}

test('a copy on another engine answers as the store does, goes on as it would, and is no place for another copy', async () => {
  const [from, to] = [path('from.db'), path('to.duckdb')];
  await runCli(['import', 'swaps', path('swaps.csv'), '--db', from]);
  const copied = await runCli(['copy', '--from', from, '--to', to]);
  assert.equal(copied.code, 0, copied.stderr);
  assert.match(copied.stdout, /^Copied 400 swaps, [\d,]+ rows in all, to .*to\.duckdb\.\n$/);
  for (const operation of ['swaps.list', 'trades.list', 'tokens.search', 'wallets.search'])
    assert.equal(await ask(to, operation), await ask(from, operation), operation);

  const again = await runCli(['import', 'swaps', path('swaps.csv'), '--db', to]);
  assert.match(again.stdout, /added +0\n +duplicate +400\n/);
  const verified = await runCli(['verify', '--db', to]);
  assert.match(verified.stdout, /No difference\./);

  const twice = await runCli(['copy', '--from', from, '--to', to]);
  assert.notEqual(twice.code, 0);
  assert.match(twice.stderr, /copied into an empty one/);
});

test('a copy of a store that is not there makes none', async () => {
  const { code, stderr } = await runCli(['copy', '--from', path('none.db'), '--to', path('made.db')]);
  assert.notEqual(code, 0);
  assert.match(stderr, /no store at .*none\.db/);
});
