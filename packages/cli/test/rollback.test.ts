import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { columnsToObjects } from '@swapfold/core';
import { generateMarket, writeSwapsCsv } from '@swapfold/testing';
import { runCli, temporaryFolder } from './run-cli.ts';

const path = await temporaryFolder(after);
const market = generateMarket({ seed: 12, swaps: 400 });
const swaps = [...market.swaps()].flatMap((batch) => [...columnsToObjects(batch)]);
writeSwapsCsv(market.swaps(), path('swaps.csv'));
const slots = swaps.map((swap) => swap.block_slot!).sort((a, b) => a - b);

for (const engine of ['sqlite', 'duckdb'] as const) {
  test(`${engine}: rollback removes the swaps of a slot and later ones, tells how many, and importing puts them back`, async () => {
    const db = `${engine}:${path(`store-${engine}`)}`;
    const slot = slots[300]!;
    const gone = swaps.filter((swap) => swap.block_slot! >= slot).length;
    await runCli(['import', 'swaps', path('swaps.csv'), '--db', db]);
    const { code, stdout, stderr } = await runCli(['rollback', '--db', db, '--from-slot', String(slot)]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, new RegExp(`^Removed ${gone} swaps of \\d+ transactions\\.\nRefreshed `));
    const { stdout: answer } = await runCli(['query', 'swaps.list', '{"limit": 1}', '--db', db]);
    assert.equal(JSON.parse(answer).count, swaps.length - gone);
    const again = await runCli(['import', 'swaps', path('swaps.csv'), '--db', db]);
    assert.match(again.stdout, new RegExp(`added +${gone}\n +duplicate +${swaps.length - gone}\n`));
  });
}

test('rollback without a slot, or with one that is no number, ends with 2 and says what to give', async () => {
  const none = await runCli(['rollback', '--db', path('store.db')]);
  assert.match(none.stderr, /required option '--from-slot <number>' not specified/);
  assert.equal(none.code, 2);
  const word = await runCli(['rollback', '--db', path('store.db'), '--from-slot', 'latest']);
  assert.match(word.stderr, /Give a whole number from 0 to/);
  assert.equal(word.code, 2);
});
