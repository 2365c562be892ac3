import { after, test } from 'node:test';
import { type HistorySize, tryHistory } from '../../../../test/support/horizon.ts';
import { cases } from '../../../../test/support/whole.ts';
import { clickhouse } from '../../src/index.ts';
import { openClient } from '../support/chdb.ts';

const { client, dispose } = await openClient();
after(dispose);

const ROUNDS = Number(process.env.ROUNDS ?? cases(500, 0));
const SEED = Number(process.env.SEED ?? 100);

/** A statement takes some twenty milliseconds, whatever it asks: of many histories, one in 25 is as long as on the other engines. */
const brief: HistorySize = { swaps: 100, steps: 6, every: 40 };

const tryOn = (seed: number, told: (counts: object) => void, size?: HistorySize): Promise<void> =>
  tryHistory(clickhouse({ server: client, database: `swapfold_horizon_${process.pid}_${seed}` }), seed, told, size);

test('clickhouse: within the horizon, every answer of a store that forgets is that of one which never does', async (t) => {
  // Of this history, swaps are refused, pruned and rolled back.
  await tryOn(8, (counts) => t.diagnostic(JSON.stringify(counts)), { swaps: 160, steps: 8, every: 13 });
});

test(`clickhouse: so it is in ${ROUNDS} more histories`, {
  skip: ROUNDS === 0 && 'part of npm run test:whole',
}, async (t) => {
  for (let seed = SEED; seed < SEED + ROUNDS; seed++)
    await tryOn(
      seed,
      (counts) => t.diagnostic(`seed ${seed}: ${JSON.stringify(counts)}`),
      seed % 25 === 0 ? undefined : brief,
    );
});
