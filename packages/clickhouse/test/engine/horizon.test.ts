import { after, test } from 'node:test';
import { type HistorySize, tryHistory } from '../../../../test/support/horizon.ts';
import { isWhole } from '../../../../test/support/whole.ts';
import { clickhouse } from '../../src/index.ts';
import { openClient } from '../support/chdb.ts';

const { client, dispose } = await openClient();
after(dispose);

/** A statement takes some ten milliseconds: by default one small history is tried, whose swaps are refused, pruned and rolled back. */
const [seeds, size]: readonly [readonly number[], HistorySize?] = isWhole
  ? [Array.from({ length: 20 }, (_, i) => i + 1)]
  : [[8], { swaps: 160, steps: 8, every: 13 }];

test('clickhouse: within the horizon, every answer of a store that forgets is that of one which never does', async (t) => {
  for (const seed of seeds)
    await tryHistory(
      clickhouse({ server: client, database: `swapfold_horizon_${process.pid}_${seed}` }),
      seed,
      (counts) => t.diagnostic(`seed ${seed}: ${JSON.stringify(counts)}`),
      size,
    );
});
