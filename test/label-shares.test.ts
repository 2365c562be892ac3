import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Swapfold } from '@swapfold/core';
import { docsPath } from './generate-docs/page.ts';
import { labelShares, openDemoMarket, openUniswapDay } from './support/label-shares.ts';
import { uniswapDays } from './support/uniswap.ts';

/** A column of the table of docs/reference/labels.md, by the name that begins the row. */
function documented(column: number): Record<string, string> {
  const rows = readFileSync(docsPath('reference/labels.md'), 'utf8').matchAll(
    /^\| (`?)(\w+)\1 +\| (\d+[^|]*?) +\| (\d+[^|]*?) +\|$/gm,
  );
  return Object.fromEntries([...rows].map((row) => [row[2]!, row[3 + column]!]));
}

async function sharesOf(dex: Swapfold): Promise<Record<string, string>> {
  const shares = { ...(await labelShares(dex, 'tokens')), ...(await labelShares(dex, 'wallets')) };
  await dex.close();
  return shares;
}

test("the demo's market earns every label that ships at least once, as often as docs/reference/labels.md says", async () => {
  const shares = await sharesOf(await openDemoMarket());
  assert.deepEqual(
    Object.entries(shares).filter(([, share]) => share.startsWith('0')),
    [],
  );
  assert.deepEqual(documented(0), shares);
});

const recorded = uniswapDays.find(({ title }) => title === 'the recorded Uniswap day');

// Its figures are those of data that lie outside the repository.
if (recorded !== undefined)
  test('the recorded Uniswap day earns labels as often as docs/reference/labels.md says', async () => {
    assert.deepEqual(documented(1), await sharesOf(await openUniswapDay(recorded.csv())));
  });
