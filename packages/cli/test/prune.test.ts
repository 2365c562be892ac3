import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { columnsToObjects } from '@swapfold/core';
import { formatTime } from '@swapfold/core/host';
import { generateMarket, writeSwapsCsv } from '@swapfold/testing';
import { runCli, temporaryFolder } from './run-cli.ts';

const DAY = 86_400;
const path = await temporaryFolder(after);
const market = generateMarket({ seed: 13, swaps: 400, days: 60 });
const swaps = [...market.swaps()].flatMap((batch) => [...columnsToObjects(batch)]);
writeSwapsCsv(market.swaps(), path('swaps.csv'));
const newest = Math.max(...swaps.map((swap) => swap.block_time));
const dayBefore = (days: number): number => Math.floor((newest - days * DAY) / DAY) * DAY;
const before = (time: number): number => swaps.filter((swap) => swap.block_time < time).length;

for (const engine of ['sqlite', 'duckdb'] as const)
  test(`${engine}: prune forgets the swaps before a day, tells how many, and an import names those that it refuses`, async () => {
    const db = `${engine}:${path(`store-${engine}`)}`;
    await runCli(['import', 'swaps', path('swaps.csv'), '--db', db]);
    const first = await runCli(['prune', '--db', db, '--before', formatTime(dayBefore(45) + 3600)]);
    assert.equal(first.code, 0, first.stderr);
    const gone = before(dayBefore(45));
    assert.equal(first.stdout, `Forgot ${gone} swaps. The store begins at ${formatTime(dayBefore(45))}.\n`);
    const second = await runCli(['prune', '--db', db, '--keep', '31d']);
    const all = before(dayBefore(31));
    assert.equal(second.stdout, `Forgot ${all - gone} swaps. The store begins at ${formatTime(dayBefore(31))}.\n`);
    const info = JSON.parse((await runCli(['info', '--db', db, '--format', 'json'])).stdout);
    assert.deepEqual([info.swaps, info.horizon], [swaps.length - all, dayBefore(31)]);
    assert.match((await runCli(['info', '--db', db])).stdout, new RegExp(`horizon +${formatTime(dayBefore(31))}`));
    const again = await runCli(['import', 'swaps', path('swaps.csv'), '--db', db]);
    assert.match(again.stdout, new RegExp(`rejected +${all}\n`));
    assert.match(again.stdout + again.stderr, /behind-horizon/);
    const verified = await runCli(['verify', '--db', db]);
    assert.equal(verified.code, 0, verified.stdout);
  });

test('prune ends with 2 and says what to give if it keeps less than 31 days, or is given neither or both', async () => {
  const db = path('other.db');
  await runCli(['import', 'swaps', path('swaps.csv'), '--db', db]);
  for (const [args, message] of [
    [[], /either "before", a time, or "keep"/],
    [['--keep', '31d', '--before', '2024-01-01T00:00:00Z'], /either "before", a time, or "keep"/],
    [['--keep', '30d'], /"keep": expected days from "31d" on/],
    [['--before', formatTime(newest)], /at least 31 days up to the newest swap are kept/],
  ] as const) {
    const { code, stderr } = await runCli(['prune', '--db', db, ...args]);
    assert.match(stderr, message);
    assert.equal(code, 2);
  }
});
