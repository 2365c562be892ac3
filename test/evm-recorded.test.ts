import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Swapfold } from '@swapfold/core';
import { engines, withFolder } from './support/engines.ts';
import { isRight, recordedSource, recordedTransactions, swapsOf } from './support/evm-transactions.ts';

for (const of of recordedTransactions()) {
  test(`${of.name}: whose swaps they are and the amounts are as worked out, on each engine`, async () => {
    for (const engine of ['sqlite', 'duckdb'])
      await withFolder(async (folder) => {
        const dex = await Swapfold.open({ storage: engines[engine]!(folder), config: { preset: 'ethereum' } });
        await dex.follow(recordedSource(of));
        const { data } = await dex.swaps.list({ limit: 100 });
        const rows = new Map(data.map((row) => [row.swap_index, row as unknown as Record<string, unknown>]));
        for (const swap of of.swaps)
          assert.ok(
            isRight(swap, rows.get(swap.swap_index)),
            `${engine}: ${JSON.stringify(rows.get(swap.swap_index))}`,
          );
        assert.equal(rows.size, of.swaps.length);
        await dex.close();
      });
  });

  test(`${of.name}: the same, if all its pools are followed`, async () => {
    const rows = await swapsOf(recordedSource(of, { all: true }));
    for (const swap of of.swaps) assert.ok(isRight(swap, rows.get(swap.swap_index)), `${swap.swap_index}`);
  });
}
