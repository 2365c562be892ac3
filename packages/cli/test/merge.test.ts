import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { generateMarket, writeSwapsCsv } from '@swapfold/testing';
import { runCli, temporaryFolder } from './run-cli.ts';

const path = await temporaryFolder(after);
const market = generateMarket({ seed: 13, swaps: 600, withUsd: false });
writeSwapsCsv(market.swaps(), path('swaps.csv'));

/** What a query prints, without the time that profiles were stored at. */
async function ask(db: string, operation: string): Promise<string> {
  const { stdout, stderr, code } = await runCli(['query', operation, '{"limit": 100}', '--db', db]);
  assert.equal(code, 0, stderr);
  return stdout.replaceAll(/"synced_at": ?"[^"]*"/g, '');
}

test('the stores of two shards, of two engines, merge into the store of one import', async () => {
  const [one, two, all, merged] = ['part-1.db', 'part-2.duckdb', 'all.db', 'merged.duckdb'].map(path) as [
    string,
    string,
    string,
    string,
  ];
  await runCli(['import', 'swaps', path('swaps.csv'), '--db', all]);
  for (const [db, shard] of [
    [one, '1/2'],
    [two, '2/2'],
  ] as const) {
    const { code, stderr } = await runCli(['import', 'swaps', path('swaps.csv'), '--db', db, '--shard', shard]);
    assert.equal(code, 0, stderr);
  }
  const { stdout, stderr } = await runCli(['merge', one, two, '--db', merged]);
  assert.match(stdout, /^Merged 600 swaps of 2 parts\.\nRefreshed /, stderr);
  for (const operation of ['trades.list', 'wallets.search'])
    assert.equal(await ask(merged, operation), await ask(all, operation), operation);

  const turned = await runCli(['merge', two, one, '--db', path('turned.db')]);
  assert.notEqual(turned.code, 0);
  assert.match(
    turned.stderr,
    /part-2\.duckdb stands where part 1\/2 is expected: The store holds part 2\/2 of the wallets/,
  );
  const alone = await runCli(['query', 'swaps.list', '{}', '--db', one]);
  assert.match(alone.stderr, /The store holds part 1\/2 of the wallets, and is opened as one that holds all wallets/);
});

test('a shard that is none ends with 2 and says what to give', async () => {
  for (const shard of ['3/2', '0/2', 'half', '1/99999']) {
    const { code, stderr } = await runCli([
      'import',
      'swaps',
      path('swaps.csv'),
      '--db',
      path('x.db'),
      '--shard',
      shard,
    ]);
    assert.equal(code, 2, shard);
    assert.match(stderr, /Give a part and the number of parts, such as 2\/8/);
  }
});
