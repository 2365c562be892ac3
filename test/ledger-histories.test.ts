import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engines } from './support/engines.ts';
import { hasPython } from './support/oracle.ts';
import { branches, decidedBy, expected, findFault, historyOf, stepsOf } from './support/transfer-histories.ts';
import { cases } from './support/whole.ts';

const DEFAULT = 16;
/**
 * The first seed, and how many an engine tries, in `npm run test:long`; a whole run tries five hundred. The rules are the same code on
 * every engine: memory tries the seeds in which each rule decides, the others what they store of it.
 */
const SEED = Number(process.env.SWAPFOLD_SEED ?? 1);
const roundsOf = (engine: string): number =>
  Number(process.env.SWAPFOLD_ROUNDS ?? cases(500, engine === 'memory' ? DEFAULT : 3));
const skip = hasPython ? false : 'python3 is not installed';

test('in the histories of the default seeds, each rule of the ledger and each branch of it decides', {
  skip,
}, async (t) => {
  const histories = Array.from({ length: DEFAULT }, (_, i) => historyOf(i + 1));
  const decided = decidedBy(await expected(histories));
  const steps = stepsOf(histories);
  t.diagnostic(JSON.stringify({ ...decided, ...steps }));
  for (const name of ['rows', 'prices', 'rollback', 'prune', 'refresh', 'rebuild']) assert.ok(name in steps, name);
  assert.deepEqual(
    branches.filter((name) => !(name in decided)),
    [],
  );
});

for (const engine of Object.keys(engines)) {
  const rounds = roundsOf(engine);
  test(`${engine}: in ${rounds} random histories from seed ${SEED} on, every value is that of an independent computation`, {
    skip,
  }, async (t) => {
    for (let from = SEED; from < SEED + rounds; from += 20) {
      const seeds = Array.from({ length: Math.min(20, SEED + rounds - from) }, (_, i) => from + i);
      assert.equal(await findFault(engine, seeds), null);
      t.diagnostic(`seeds ${from} to ${from + seeds.length - 1}`);
    }
  });
}
