import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { memory, type RefreshWorker, Swapfold, SwapfoldError } from '@swapfold/core';
import { firstDifferences } from '../../../../test/support/dump.ts';
import { smallMarket } from '../../../../test/support/market.ts';
import { refreshedStages } from '../../../../test/support/refresh-apart.ts';
import { cases } from '../../../../test/support/whole.ts';
import { clickhouse } from '../../src/index.ts';
import { openClient } from '../support/chdb.ts';

const { client, dispose } = await openClient();
after(dispose);

const { swaps, config } = smallMarket({
  seed: 52,
  swaps: cases(800, 150),
  wallets: cases(60, 20),
  tokens: cases(20, 10),
  days: 35,
});

// chDB answers the statements of all handles in this process; threads with clients of their own are tried in command-line.test.ts.
test('what three handles fold that read a ClickHouse store is to the bit the refresh of one, stage by stage', async () => {
  const database = `swapfold_workers_${process.pid}`;
  const open: Swapfold[] = [];
  const workers = async (): Promise<readonly RefreshWorker[]> => {
    if (open.length === 0)
      for (let i = 0; i < 3; i++)
        open.push(await Swapfold.open({ storage: clickhouse({ server: client, database, read_only: true }), config }));
    return open;
  };
  try {
    const expected = await refreshedStages(memory(), { swaps, config });
    const stages = await refreshedStages(clickhouse({ server: client, database }), { swaps, config, workers });
    for (const [stage, dump] of stages.entries())
      assert.deepEqual(firstDifferences(dump, expected[stage]!), [], `stage ${stage}`);
  } finally {
    for (const dex of open) await dex.close();
    await client.command({ query: `drop database if exists ${database} sync` });
  }
});

test('a worker that reads another store than the refresh fails it, and nothing is stored', async () => {
  const databases = ['one', 'other'].map((name) => `swapfold_workers_${process.pid}_${name}`);
  const [dex, other] = await Promise.all(
    databases.map((database) => Swapfold.open({ storage: clickhouse({ server: client, database }), config })),
  );
  try {
    await dex!.ingest(swaps.slice(0, 100));
    await assert.rejects(
      dex!.refresh({ workers: [other!] }),
      (error: unknown) =>
        error instanceof SwapfoldError &&
        error.code === 'store-failed' &&
        /worker's is another store|give it the same store/.test(error.message),
    );
    await assert.rejects(dex!.wallets.search({ limit: 1 }), { code: 'not-refreshed' });
  } finally {
    for (const store of [dex!, other!]) await store.close();
    for (const database of databases) await client.command({ query: `drop database if exists ${database} sync` });
  }
});
