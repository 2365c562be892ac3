import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { generateMarket, writeSwapsCsv } from '@swapfold/testing';
import Database from 'better-sqlite3';
import { runCli, temporaryFolder } from './run-cli.ts';

const path = await temporaryFolder(after);
writeSwapsCsv(generateMarket({ seed: 4, swaps: 300 }).swaps(), path('swaps.csv'));

test('verify finds no difference in a store as it was written, and ends with 0', async () => {
  await runCli(['import', 'swaps', path('swaps.csv'), '--db', path('whole.db')]);
  const { code, stdout } = await runCli(['verify', '--db', path('whole.db')]);
  assert.equal(code, 0);
  assert.match(stdout, /^Compared [\d,]+ values of 300 swaps/);
  assert.match(stdout, /No difference\./);
});

test('verify says that profiles older than the newest swap are normal, compares the rest, and a refresh brings them in', async () => {
  const refresh = () => runCli(['refresh', '--db', path('newer.db')]);
  await runCli(['import', 'swaps', path('swaps.csv'), '--db', path('newer.db')]);
  writeSwapsCsv(generateMarket({ seed: 4, swaps: 310 }).swaps(), path('more.csv'));
  await runCli(['import', 'swaps', path('more.csv'), '--db', path('newer.db'), '--no-refresh']);
  const before = await runCli(['verify', '--db', path('newer.db')]);
  assert.equal(before.code, 0);
  assert.match(before.stdout, /It did not compare the stored profiles\. That is normal .*`swapfold refresh --db URL`/);
  assert.match(before.stdout, /No difference\./);
  await refresh();
  const after = await runCli(['verify', '--db', path('newer.db')]);
  assert.equal(after.code, 0);
  assert.doesNotMatch(after.stdout, /did not compare/);
});

test('verify names table, row and column of a number that somebody changed, and ends with 1', async () => {
  await runCli(['import', 'swaps', path('swaps.csv'), '--db', path('changed.db')]);
  const db = new Database(path('changed.db'));
  db.exec('update wallet_profiles set "metrics.30d.volume" = 1 where id = (select max(id) from wallet_profiles)');
  db.close();
  const { code, stdout } = await runCli(['verify', '--db', path('changed.db')]);
  assert.equal(code, 1);
  assert.match(
    stdout,
    /1 differ\. The first:\n {2}wallet_profiles \(id=\d+\) metrics\.30d\.volume: stored 1, expected /,
  );
});

test('query --as-of answers as if nothing later had been ingested', async () => {
  await runCli(['import', 'swaps', path('swaps.csv'), '--db', path('past.db')]);
  const { stdout } = await runCli([
    'query',
    'swaps.list',
    '{}',
    '--db',
    path('past.db'),
    '--as-of',
    '2000-01-01T00:00:00Z',
  ]);
  assert.deepEqual(JSON.parse(stdout), { count: 0, data: [] });
});
