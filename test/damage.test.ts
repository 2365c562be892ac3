import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Swapfold, SwapfoldError } from '@swapfold/core';
import { duckdb } from '@swapfold/duckdb';
import { sqlite } from '@swapfold/sqlite';
import { createRandom } from '../packages/testing/src/conformance/random.ts';
import { answersTo, questionsAbout } from './support/answers-by-name.ts';
import { withFolder } from './support/engines.ts';
import { smallMarket } from './support/market.ts';
import { isWhole } from './support/whole.ts';

const SEED = 1806;
const FLIPS = isWhole ? 400 : 6;
const { swaps, config, market } = smallMarket({ seed: 61, swaps: 250, wallets: 25, tokens: 8 });
const wallets = [...new Set(swaps.map(({ wallet }) => wallet))].slice(0, 6);
const tokens = [...new Set(swaps.flatMap(({ token_in, token_out }) => [token_in, token_out]))];
const asked = questionsAbout(tokens, wallets);
const stores = {
  sqlite: (path: string) => sqlite(path),
  duckdb: (path: string) => duckdb({ path, threads: 1 }),
} as const;

for (const engine of ['sqlite', 'duckdb'] as const) {
  test(`${engine}: no flipped bit of the file gives a wrong answer that verify does not report, nor an error without a code`, (t) =>
    withFolder(async (folder) => {
      t.diagnostic(`seed ${SEED}, ${FLIPS} flips`);
      const whole = join(folder, 'whole');
      const dex = await Swapfold.open({ storage: stores[engine](whole), config });
      await dex.ingest(swaps);
      await dex.tokens.upsert(market.tokens());
      await dex.wallets.upsert(market.wallets().slice(0, 10));
      await dex.refresh();
      const expected = await answersTo(dex, asked);
      for (const [name, answer] of expected) assert.ok(typeof answer === 'string', `${name}: ${answer}`);
      assert.equal((await dex.verify()).different, 0);
      await dex.close();
      const random = createRandom(SEED);
      const outcomes = { equal: 0, error: 0, reported: 0 };
      const faults: string[] = [];
      for (let flip = 0; flip < FLIPS; flip++) {
        const path = join(folder, `flip-${flip}`);
        copyFileSync(whole, path);
        const at = Math.floor(random() * statSync(whole).size);
        const bit = Math.floor(random() * 8);
        flipBit(path, at, bit);
        const { outcome, fault } = await outcomeOf(engine, path, expected);
        if (fault !== undefined) faults.push(`flip ${flip}, byte ${at}, bit ${bit}: ${fault}`);
        else outcomes[outcome]++;
      }
      t.diagnostic(JSON.stringify(outcomes));
      assert.deepEqual(faults, []);
      assert.ok(outcomes.error + outcomes.reported > 0, JSON.stringify(outcomes));
    }));
}

type Outcome = 'equal' | 'error' | 'reported';

/** What a damaged store came to; `fault` is what must not happen. */
async function outcomeOf(
  engine: keyof typeof stores,
  path: string,
  expected: ReadonlyMap<string, string | Error>,
): Promise<{ outcome: Outcome; fault?: string }> {
  let dex: Swapfold;
  try {
    dex = await Swapfold.open({ storage: stores[engine](path), config });
  } catch (error) {
    return isCoded(error)
      ? { outcome: 'error' }
      : { outcome: 'error', fault: `open: ${String((error as Error).stack)}` };
  }
  try {
    const answers = await answersTo(dex, asked);
    let hasError = false;
    const wrong: string[] = [];
    for (const [name, answer] of answers) {
      if (answer instanceof Error) {
        if (!isCoded(answer)) return { outcome: 'error', fault: `${name}: ${answer.stack}` };
        hasError = true;
      } else if (answer !== expected.get(name)) wrong.push(name);
    }
    const verified = await dex.verify().then(
      ({ different }) => different > 0,
      (error: unknown) => (isCoded(error) ? true : String((error as Error).stack)),
    );
    if (typeof verified === 'string') return { outcome: 'error', fault: `verify: ${verified}` };
    if (wrong.length > 0 && !verified)
      return { outcome: 'equal', fault: `${wrong.slice(0, 3).join(', ')} wrong, and verify is clean` };
    return { outcome: verified ? 'reported' : hasError ? 'error' : 'equal' };
  } finally {
    await dex.close().catch(() => undefined);
  }
}

function isCoded(error: unknown): boolean {
  return error instanceof SwapfoldError;
}

function flipBit(path: string, at: number, bit: number): void {
  const bytes = readFileSync(path);
  bytes[at]! ^= 1 << bit;
  writeFileSync(path, bytes);
}
