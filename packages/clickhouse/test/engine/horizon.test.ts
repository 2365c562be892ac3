import { after, test } from 'node:test';
import { tryHistory } from '../../../../test/support/horizon.ts';
import { cases } from '../../../../test/support/whole.ts';
import { clickhouse } from '../../src/index.ts';
import { openClient } from '../support/chdb.ts';

const { client, dispose } = await openClient();
after(dispose);

test('clickhouse: within the horizon, every answer of a store that forgets is that of one which never does', async (t) => {
  for (let seed = 1; seed <= cases(20, 1); seed++)
    await tryHistory(
      clickhouse({ server: client, database: `swapfold_horizon_${process.pid}_${seed}` }),
      seed,
      (counts) => t.diagnostic(`seed ${seed}: ${JSON.stringify(counts)}`),
    );
});
