import test, { after } from 'node:test';
import fc from 'fast-check';
import { checkHistory } from '../../../../test/reorganisations/check.ts';
import { history } from '../../../../test/reorganisations/history.ts';
import { isWhole } from '../../../../test/support/whole.ts';
import { clickhouse } from '../../src/index.ts';
import { openClient } from '../support/chdb.ts';

const { client, dispose } = await openClient();
after(dispose);

const seed = Number(process.env.SWAPFOLD_SEED ?? 18);
const rounds = Number(process.env.SWAPFOLD_ROUNDS ?? (isWhole ? 100 : 1));

let databases = 0;

test(`after each of ${rounds} random histories with reorganisations every answer is that of a store that never had the orphans (seed ${seed})`, async () => {
  const lives = fc.asyncProperty(history, async (lived) => {
    const database = `swapfold_reorganisations_${process.pid}_${databases++}`;
    const storage = () => clickhouse({ server: client, database });
    try {
      await checkHistory(lived, { storage, isLasting: true });
    } finally {
      await client.command({ query: `drop database if exists ${database} sync` });
    }
  });
  await fc.assert(lives, { seed, numRuns: rounds, includeErrorInReport: true });
});
