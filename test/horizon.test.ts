import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Swapfold } from '@swapfold/core';
import { engines, withFolder } from './support/engines.ts';
import { answersWithin, horizonConfig as config, differences, runRound } from './support/horizon.ts';
import { cases } from './support/whole.ts';

const ROUNDS = Number(process.env.ROUNDS ?? cases(500, 2));

for (const engine of Object.keys(engines)) {
  test(`${engine}: within the horizon, every answer of a store that forgets is that of one which never does`, async (t) => {
    const from = Number(process.env.SEED ?? 1);
    for (let seed = from; seed < from + ROUNDS; seed++)
      await withFolder(async (folder) => {
        const forgetful = await Swapfold.open({ storage: engines[engine]!(folder), config });
        const twin = await Swapfold.open({ storage: engines.memory!(folder), config });
        const { asked, ...counts } = await runRound(forgetful, twin, { seed, swaps: 500, steps: 24 });
        t.diagnostic(`seed ${seed}: ${JSON.stringify({ ...counts, swaps: undefined })}`);
        const found = await answersWithin(forgetful, asked(1));
        const expected = await answersWithin(twin, asked(1));
        assert.deepEqual(differences(found, expected).slice(0, 5), [], `seed ${seed}`);
        assert.deepEqual((await forgetful.verify()).differences, [], `seed ${seed}`);
        await forgetful.rebuild();
        const rebuilt = await answersWithin(forgetful, asked(2));
        assert.deepEqual(
          differences(rebuilt, await answersWithin(twin, asked(2))).slice(0, 5),
          [],
          `seed ${seed}, rebuilt`,
        );
        await forgetful.close();
        await twin.close();
      });
  });
}
