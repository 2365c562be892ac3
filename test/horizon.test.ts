import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Swapfold } from '@swapfold/core';
import { engines, withFolder } from './support/engines.ts';
import { answersWithin, horizonConfig as config, differences, runRound } from './support/horizon.ts';
import { cases } from './support/whole.ts';

/** Histories that each engine tries by default, by their seeds; a whole run tries five hundred. */
const firsts: Readonly<Record<string, number>> = { memory: 2, sqlite: 1, duckdb: 1 };
const ROUNDS = Number(process.env.ROUNDS ?? cases(500, 0));
const SEED = Number(process.env.SEED ?? 1);

async function tryHistory(engine: string, seed: number, told: (counts: object) => void): Promise<void> {
  await withFolder(async (folder) => {
    const forgetful = await Swapfold.open({ storage: engines[engine]!(folder), config });
    const twin = await Swapfold.open({ storage: engines.memory!(folder), config });
    const { asked, counts } = await runRound(forgetful, twin, { seed, swaps: 500, steps: 24 });
    told(counts);
    const found = await answersWithin(forgetful, asked(1));
    const expected = await answersWithin(twin, asked(1));
    assert.deepEqual(differences(found, expected).slice(0, 5), [], `seed ${seed}`);
    assert.deepEqual((await forgetful.verify()).differences, [], `seed ${seed}`);
    await forgetful.rebuild();
    const rebuilt = await answersWithin(forgetful, asked(2));
    const again = await answersWithin(twin, asked(2));
    assert.deepEqual(differences(rebuilt, again).slice(0, 5), [], `seed ${seed}, rebuilt`);
    await forgetful.close();
    await twin.close();
  });
}

for (const engine of Object.keys(engines)) {
  test(`${engine}: within the horizon, every answer of a store that forgets is that of one which never does`, async (t) => {
    for (let seed = SEED; seed < SEED + firsts[engine]!; seed++)
      await tryHistory(engine, seed, (counts) => t.diagnostic(`seed ${seed}: ${JSON.stringify(counts)}`));
  });

  test(`${engine}: so it is in ${ROUNDS} more histories`, { skip: ROUNDS === 0 }, async (t) => {
    for (let seed = SEED + 100; seed < SEED + 100 + ROUNDS; seed++)
      await tryHistory(engine, seed, (counts) => t.diagnostic(`seed ${seed}: ${JSON.stringify(counts)}`));
  });
}
