import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { Comparison, comparePortfolios, comparePrices, compareProfiles } from './support/compare.ts';
import { withFolder } from './support/engines.ts';
import {
  frozenAnswers,
  frozenAnswersPath,
  frozenRequest,
  frozenRequestPath,
  openFrozenMarket,
} from './support/frozen.ts';
import { hasPython } from './support/oracle.ts';

const root = resolve(import.meta.dirname, '..');

test('the frozen market has the answers that an independent computation gave once', async (t) => {
  const { oracle, trades } = frozenAnswers();
  const dex = await openFrozenMarket();
  const to = new Comparison();
  await compareProfiles(dex, oracle, to);
  await comparePrices(dex, oracle, frozenRequest().history ?? [], to);
  await comparePortfolios(dex, oracle, to);
  const served = [];
  let cursor: string | undefined;
  do {
    const page = await dex.trades.list({ limit: 100, ...(cursor === undefined ? {} : { cursor }) });
    served.push(...page.data);
    cursor = page.cursor;
  } while (cursor !== undefined);
  to.exact('trades', served.length, trades.length);
  for (const [i, trade] of served.reverse().entries()) {
    const [tx, token, state, pnl] = trades[i] ?? [];
    to.exact(`trade ${i}`, `${trade.tx_hash} ${trade.token} ${trade.position_state}`, `${tx} ${token} ${state}`);
    to.number(`trade ${i} result`, trade.realized_pnl_usd, pnl, trade.usd_amount ?? 0);
  }
  t.diagnostic(`${to.cells} cells compared`);
  assert.deepEqual(to.differences.slice(0, 20), []);
  await dex.close();
});

test('the frozen answers are those that the independent script gives today', {
  skip: hasPython ? false : 'python3 is not installed',
}, async () => {
  await withFolder(async (folder) => {
    const out = join(folder, 'answers.json');
    const script = join(root, 'test/oracle/freeze.py');
    const run = spawnSync('python3', [script, '--request', frozenRequestPath, '--out', out], {
      cwd: root,
      encoding: 'utf8',
    });
    assert.equal(run.status, 0, run.stderr);
    assert.ok(readFileSync(out, 'utf8') === readFileSync(frozenAnswersPath, 'utf8'), 'the answers differ');
  });
});
