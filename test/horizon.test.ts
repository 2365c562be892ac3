import { test } from 'node:test';
import { engines, withFolder } from './support/engines.ts';
import { shortHistory, tryHistory, wholeHistory } from './support/horizon.ts';
import { cases } from './support/whole.ts';

/**
 * Short histories that each engine tries by default, by their seeds; a whole run tries five hundred, of which each tenth is whole.
 * horizon-crash and horizon-size forget on DuckDB.
 */
const firsts: Readonly<Record<string, number>> = { memory: 2, sqlite: 1, duckdb: cases(1, 0) };
const ROUNDS = Number(process.env.ROUNDS ?? cases(500, 0));
const SEED = Number(process.env.SEED ?? 1);

const tryOn = (engine: string, seed: number, told: (counts: object) => void): Promise<void> =>
  withFolder((folder) =>
    tryHistory(engines[engine]!(folder), seed, told, seed % 10 === 0 ? wholeHistory : shortHistory),
  );

test('so it is of a history whose last swap of a token for the native one is forgotten', () =>
  tryHistory(engines.memory!(''), 1319, () => undefined, { swaps: 100, steps: 6, every: 40 }));

for (const engine of Object.keys(engines)) {
  test(`${engine}: within the horizon, every answer of a store that forgets is that of one which never does`, {
    skip: firsts[engine] === 0 && 'part of npm run test:whole',
  }, async (t) => {
    for (let seed = SEED; seed < SEED + firsts[engine]!; seed++)
      await tryOn(engine, seed, (counts) => t.diagnostic(`seed ${seed}: ${JSON.stringify(counts)}`));
  });

  test(`${engine}: so it is in ${ROUNDS} more histories`, {
    skip: ROUNDS === 0 && 'part of npm run test:whole',
  }, async (t) => {
    for (let seed = SEED + 100; seed < SEED + 100 + ROUNDS; seed++)
      await tryOn(engine, seed, (counts) => t.diagnostic(`seed ${seed}: ${JSON.stringify(counts)}`));
  });
}
