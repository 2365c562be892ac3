import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Swapfold, type SwapInput } from '@swapfold/core';
import type { StorageAdapter } from '@swapfold/core/engine';
import { dumpStore, firstDifferences } from './support/dump.ts';
import { engines, withFolder } from './support/engines.ts';
import { smallMarket } from './support/market.ts';
import { cases } from './support/whole.ts';

// A chain whose blocks are a minute apart and share one second each: nearly every batch ends within one.
const { swaps, config } = smallMarket({ seed: 31, swaps: cases(3000, 1000), wallets: 30, tokens: 10, withUsd: false });
const crowded = swaps.map((swap): SwapInput => ({ ...swap, block_time: Math.floor(swap.block_time / 7200) * 7200 }));
const inOrder = [...crowded].sort(
  (a, b) =>
    a.block_time - b.block_time ||
    a.block_slot! - b.block_slot! ||
    a.tx_index! - b.tx_index! ||
    (a.tx_hash < b.tx_hash ? -1 : a.tx_hash > b.tx_hash ? 1 : a.swap_index - b.swap_index),
);

async function dumpOf(storage: StorageAdapter, batches: readonly (readonly SwapInput[])[]): Promise<readonly string[]> {
  const dex = await Swapfold.open({ storage, config });
  for (const [i, batch] of batches.entries()) {
    await dex.ingest(batch);
    if (i % 5 === 4) await dex.refresh();
  }
  await dex.refresh();
  assert.equal((await dex.verify()).different, 0);
  const dump = await dumpStore(dex, storage);
  await dex.close();
  return dump;
}

for (const [engine, open] of Object.entries(engines)) {
  // 1 cuts transactions too, which then go on with the one that the store ends with.
  for (const size of engine === 'memory' ? [1, 200] : [200]) {
    test(`${engine}: batches of ${size} that end within a second give the store of one batch`, async () => {
      await withFolder(async (folder) => {
        const some = inOrder.slice(0, size === 1 ? 150 : inOrder.length);
        const batches = Array.from({ length: Math.ceil(some.length / size) }, (_, i) =>
          some.slice(i * size, (i + 1) * size),
        );
        const expected = await dumpOf(open(folder, 1), [some]);
        assert.deepEqual(firstDifferences(await dumpOf(open(folder, 2), batches), expected), []);
      });
    });
  }
}
