import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { after, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { columnsToObjects, memory, Swapfold } from '@swapfold/core';
import { generateMarket, writeSwapsNdjson } from '@swapfold/testing';
import { cases } from '../../../test/support/whole.ts';
import { openStore } from '../src/open-store.ts';
import { parseStoreUrl } from '../src/options/store-url.ts';
import { type Ended, runCli, startCli, temporaryFolder } from './run-cli.ts';

const path = await temporaryFolder(after);
const SWAPS = cases(5000, 2000);
const BATCH = SWAPS / 20;
const market = generateMarket({ seed: 22, swaps: SWAPS });
const [first] = [...market.swaps()].flatMap((batch) => [...columnsToObjects(batch)]);
const { wallet, token_out: token } = first!;

/** A file with a row at fault in every batch, so that the rejects file tells how far an import is. */
const file = path('swaps.ndjson');
writeSwapsNdjson(market.swaps(), path('good.ndjson'));
const lines = (await readFile(path('good.ndjson'), 'utf8')).trimEnd().split('\n');
await writeFile(file, lines.map((line, i) => (i % BATCH === BATCH - 1 ? `{}\n${line}` : line)).join('\n'));

/** Everything that is asked of a store, but for when its profiles were stored. */
async function answersOf(dex: Swapfold): Promise<string> {
  const answers = await Promise.all([
    dex.swaps.list({ limit: 100 }),
    dex.trades.list({ limit: 100 }),
    dex.wallets.search({ limit: 100 }),
    dex.tokens.search({ limit: 100 }),
    dex.portfolios.get({ wallet }),
    dex.prices.candles({ token, interval: 3600 }),
  ]);
  return JSON.stringify(answers, (key, value) => (key === 'synced_at' || key === 'cursor' ? undefined : value));
}

async function answersIn(db: string): Promise<string> {
  const dex = await openStore(parseStoreUrl(db), market.config);
  try {
    return await answersOf(dex);
  } finally {
    await dex.close();
  }
}

/** Starts an import, and sends it a signal when some batches are stored. */
async function cutShort(db: string, o: { rejects: string; signal: NodeJS.Signals }): Promise<Ended> {
  const { child, ended } = startCli(importing(db, o.rejects));
  const hasEnded = ended.then(() => true);
  for (;;) {
    const rejects = await readFile(o.rejects, 'utf8').catch(() => '');
    if (rejects.split('\n').length > 4) break;
    if (await Promise.race([hasEnded, wait(5, false)])) break;
  }
  child.kill(o.signal);
  return ended;
}

function importing(db: string, rejects: string): readonly string[] {
  return ['import', 'swaps', file, '--db', db, '--batch', String(BATCH), '--rejects', rejects];
}

function countOf(name: string, { stdout }: Ended): number {
  const [, count] = new RegExp(`^ {2}${name} +([\\d,]+)$`, 'm').exec(stdout) ?? [];
  return Number(count?.replaceAll(',', ''));
}

/** What a store answers that was filled without a break, in memory. */
const expected = (async () => {
  const dex = await Swapfold.open({ storage: memory(), config: market.config });
  await dex.ingest(market.swaps());
  await dex.refresh();
  return answersOf(dex);
})();

describe('an import that is cut short', { concurrency: 2 }, () => {
  for (const engine of ['sqlite', 'duckdb'] as const) {
    test(`${engine}: killed and run again, it ends as if it had run once`, async () => {
      const db = `${engine}:${path(`killed-${engine}`)}`;
      const rejects = path(`killed-${engine}.ndjson`);
      const killed = await cutShort(db, { rejects, signal: 'SIGKILL' });
      assert.equal(killed.signal, 'SIGKILL', killed.stderr);

      const again = await runCli(importing(db, rejects));
      assert.equal(again.code, 0, again.stderr);
      // DuckDB stores an import into an empty store in one step: one that was killed has left nothing.
      if (engine === 'duckdb') assert.equal(countOf('added', again), SWAPS, again.stdout);
      else assert.ok(countOf('duplicate', again) >= BATCH && countOf('added', again) > 0, again.stdout);
      assert.equal(countOf('duplicate', again) + countOf('added', again), SWAPS);
      assert.equal(await answersIn(db), await expected);
    });
  }

  test('interrupted, it stores the current batch, says where it stands, and can go on', async () => {
    const db = path('interrupted.db');
    const rejects = path('interrupted.ndjson');
    const interrupted = await cutShort(db, { rejects, signal: 'SIGINT' });
    assert.equal(interrupted.code, 130, interrupted.stderr);
    assert.match(interrupted.stderr, /Stopping after the current batch \.\.\.\n/);
    assert.match(interrupted.stderr, /Interrupted\. .* the profiles are not refreshed\.\nRun the same command again/);
    const stored = countOf('added', interrupted);
    assert.ok(stored > 0 && stored < SWAPS, String(stored));

    const again = await runCli(importing(db, rejects));
    assert.equal(countOf('duplicate', again), stored);
    assert.equal(await answersIn(db), await expected);
  });
});
