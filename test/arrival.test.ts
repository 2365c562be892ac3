import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ConfigInput, Swapfold, type SwapInput } from '@swapfold/core';
import { allAnswers } from './support/answers.ts';
import { engines, withFolder } from './support/engines.ts';
import { smallMarket } from './support/market.ts';
import { watched } from './support/scan.ts';
import { shuffled } from './support/shuffle.ts';
import { comparedDay, readUniswapDay, uniswapCases } from './support/uniswap.ts';
import { cases, isWhole } from './support/whole.ts';

const BATCHES = cases(12, 4);

/** The answers after feeding the batches one by one. */
async function answersAfter(
  engine: string,
  config: ConfigInput,
  batches: readonly (readonly SwapInput[])[],
): Promise<string> {
  return withFolder(async (folder) => {
    const dex = watched(await Swapfold.open({ storage: engines[engine]!(folder), config }));
    for (const [i, batch] of batches.entries()) {
      await dex.ingest(batch);
      // Refreshing in between must leave no trace either.
      if (i % 2 === 1) await dex.refresh();
    }
    await dex.refresh();
    const answers = await allAnswers(dex);
    await dex.close();
    return answers;
  });
}

/** Five parts in a random order, each shuffled, some rows in several of them. */
function fivePartsWithRepeats(swaps: readonly SwapInput[], seed: number): SwapInput[][] {
  const rows = shuffled(swaps, seed);
  const parts = Array.from({ length: 5 }, (_, part) => rows.filter((_, i) => i % 5 === part));
  return parts.map((part, i) =>
    shuffled([...part, ...(parts[(i + 2) % 5] ?? []).slice(0, 200), ...part.slice(0, 50)], seed + i),
  );
}

for (const [i, { title, day, config }] of uniswapCases.entries()) {
  // The order of arrival does not know which token is native: by default SQLite has one case.
  for (const engine of isWhole ? Object.keys(engines) : i === 0 ? ['sqlite'] : []) {
    test(`${engine}, ${title}: the day cut in five, shuffled, with repeats, gives the same answers to the byte`, async () => {
      const swaps = readUniswapDay(isWhole ? day : comparedDay);
      const inOrder = await answersAfter(engine, config, [swaps]);
      const shuffledParts = await answersAfter(engine, config, fivePartsWithRepeats(swaps, 1));
      assert.ok(inOrder === shuffledParts, 'the answers differ');
    });
  }
}

for (const engine of Object.keys(engines)) {
  // Without USD values the native price is derived too: an engine for which a batch is dear is fed those by default.
  for (const withUsd of isWhole || engine === 'memory' ? [true, false] : [false]) {
    test(`${engine}: a generated market ${withUsd ? 'with' : 'without'} USD values, shuffled in ${BATCHES} batches, gives the same answers to the byte`, async () => {
      const { swaps, config } = smallMarket({
        swaps: cases(3000, 200),
        ...(isWhole ? {} : { wallets: 20, tokens: 10 }),
        seed: 7,
        withUsd,
        withBalances: withUsd,
      });
      const inOrder = await answersAfter(engine, config, [swaps]);
      const rows = shuffled(swaps, 3);
      const batches = Array.from({ length: BATCHES }, (_, part) => rows.filter((_, i) => i % BATCHES === part));
      assert.ok(inOrder === (await answersAfter(engine, config, batches)), 'the answers differ');
    });
  }
}
