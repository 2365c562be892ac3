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

  test(`${of.name}: a swap has the pool's amounts beside the wallet's if one of them differs`, async () => {
    const rows = await swapsOf(recordedSource(of));
    for (const { swap_index, amount_in, amount_out } of of.swaps) {
      const { data, topics } = of.receipt.logs.find(({ logIndex }) => Number(logIndex) === swap_index)!;
      const words = [0, 1, 2, 3].map((i) => BigInt(`0x${data.slice(2 + 64 * i, 66 + 64 * i)}`));
      const net = /^0x(d78ad95f|b3e27736)/.test(topics[0]!)
        ? [words[0]! - words[2]!, words[1]! - words[3]!]
        : words.slice(0, 2).map((word) => BigInt.asIntN(256, word));
      const sizes = net.map((amount) => (amount < 0n ? -amount : amount));
      const { pool_amount_in: received = Number.NaN, pool_amount_out: gave = Number.NaN } = rows.get(swap_index)!;
      const isOfPool = sizes.includes(BigInt(amount_in)) && sizes.includes(BigInt(amount_out));
      if (isOfPool) assert.ok(Number.isNaN(received) && Number.isNaN(gave), `${swap_index}`);
      else assert.deepEqual([received, gave].sort(), sizes.map(Number).sort(), `${swap_index}`);
    }
  });
}
