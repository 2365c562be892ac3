import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { type ConfigInput, Swapfold, type SwapInput } from '@swapfold/core';
import type { StorageAdapter } from '@swapfold/core/engine';
import { duckdb } from '@swapfold/duckdb';
import { allAnswers } from '../../../../test/support/answers.ts';
import { smallMarket } from '../../../../test/support/market.ts';
import { readUniswapDay, uniswapCases } from '../../../../test/support/uniswap.ts';
import { cases } from '../../../../test/support/whole.ts';
import { clickhouse } from '../../src/index.ts';
import { openClient } from '../support/chdb.ts';

const { client, dispose } = await openClient();
after(dispose);

/** Pages of each list of a Uniswap day that are asked on both engines: a page is some statements, and the recorded day has 64 of each. */
const PAGES = cases(64, 2);
const SWAPS = cases(6000, 240);

let databases = 0;

interface Asked {
  readonly config: ConfigInput;
  /** Each is followed by a refresh. */
  readonly batches: readonly (readonly SwapInput[])[];
  readonly pages?: number;
}

/** The answers after all batches; `check` is lent the store before it is closed. */
async function answersOf(
  storage: StorageAdapter,
  { config, batches, pages }: Asked,
  check: (dex: Swapfold) => Promise<void> = async () => undefined,
): Promise<readonly string[]> {
  const dex = await Swapfold.open({ storage, config });
  for (const batch of batches) {
    await dex.ingest(batch);
    await dex.refresh();
  }
  const answers = await allAnswers(dex, { portfolios: 100, ...(pages === undefined ? {} : { pages }) });
  await check(dex);
  await dex.close();
  return answers.split('\n');
}

/** Answers are DuckDB's, and every stored value is what deriving everything again in memory gives. */
async function proveEqual(asked: Asked): Promise<string> {
  const database = `swapfold_answers_${process.pid}_${databases++}`;
  try {
    const expected = await answersOf(duckdb(':memory:'), asked);
    let compared = 0;
    const actual = await answersOf(clickhouse({ server: client, database }), asked, async (dex) => {
      const { differences, cells } = await dex.verify();
      assert.deepEqual(differences, []);
      compared = cells;
    });
    assert.equal(actual.length, expected.length);
    for (const [i, answer] of actual.entries()) assert.equal(answer, expected[i]);
    return `${actual.length} answers and ${compared} stored values compared`;
  } finally {
    await client.command({ query: `drop database if exists ${database} sync` });
  }
}

test('a copy of a DuckDB store answers as it does, and what is derived anew of it is the same', async () => {
  const { swaps, config } = smallMarket({
    seed: 32,
    swaps: cases(800, 300),
    wallets: cases(40, 20),
    tokens: cases(16, 8),
  });
  const database = `swapfold_copy_${process.pid}`;
  const source = await Swapfold.open({ storage: duckdb(':memory:'), config });
  await source.ingest(swaps);
  await source.refresh();
  const copy = await Swapfold.open({ storage: clickhouse({ server: client, database }), config });
  try {
    assert.equal((await copy.copyFrom(source)).swaps, swaps.length);
    assert.equal(await allAnswers(copy), await allAnswers(source));
    assert.deepEqual((await copy.verify()).differences, []);
  } finally {
    await copy.close();
    await source.close();
    await client.command({ query: `drop database if exists ${database} sync` });
  }
});

for (const { title, day, config } of uniswapCases.slice(0, cases(uniswapCases.length, 1))) {
  test(`${title}: every answer is DuckDB’s to the bit`, async (t) => {
    t.diagnostic(await proveEqual({ config, batches: [readUniswapDay(day)], pages: PAGES }));
  });
}

test(`a market of ${SWAPS} swaps, in batches of which one comes late: every answer is DuckDB’s to the bit`, async (t) => {
  const seed = 31;
  const { swaps, config } = smallMarket({
    seed,
    swaps: SWAPS,
    wallets: cases(150, 25),
    tokens: cases(40, 10),
    days: 35,
  });
  const late = swaps.filter((_, i) => i % 97 === 0);
  const inTime = swaps.filter((_, i) => i % 97 !== 0);
  const batches = [inTime.slice(0, SWAPS / 2), inTime.slice(SWAPS / 2, SWAPS * 0.8), late, inTime.slice(SWAPS * 0.75)];
  t.diagnostic(`seed ${seed}: ${await proveEqual({ config, batches })}`);
});
