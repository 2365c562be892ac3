import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Swapfold, type SwapInput } from '@swapfold/core';
import { counted } from './support/counted.ts';
import { engines, withFolder } from './support/engines.ts';

const config = { address_format: 'any', quote_tokens: [{ address: 'USD', symbol: 'USD', kind: 'stable' }] } as const;

function swap(block_time: number, given: [token: string, amount: number], received: [string, number]): SwapInput {
  const [token_in, token_amount_in] = given;
  const [token_out, token_amount_out] = received;
  const tx_hash = `0x${block_time}`;
  return {
    tx_hash,
    swap_index: 0,
    block_time,
    wallet: 'W',
    token_in,
    token_out,
    token_amount_in,
    token_amount_out,
  };
}

for (const [engine, open] of Object.entries(engines)) {
  test(`${engine}: that a token has no candle is asked of the engine once, and its first print is a candle`, async () => {
    await withFolder(async (folder) => {
      const { storage, snapshots } = counted(open(folder));
      const dex = await Swapfold.open({ storage, config });
      // Nobody knows what either is worth: no print.
      await dex.ingest([swap(1021, ['A', 7], ['B', 3])]);
      const ask = () => dex.prices.candles({ token: 'B', interval: 60 });
      assert.deepEqual(await ask(), []);
      const asked = snapshots();
      assert.deepEqual(await ask(), []);
      assert.equal(snapshots(), asked);
      await dex.ingest([swap(1025, ['USD', 10], ['B', 5])]);
      const written = snapshots();
      const candle = { timestamp: 1020, open: 2, high: 2, low: 2, close: 2, volume: 10, count: 2, suspect_count: 0 };
      assert.deepEqual(await ask(), [candle]);
      assert.equal(snapshots(), written);
      await dex.close();
    });
  });

  test(`${engine}: candles that stay the same are given again, frozen, and a swap makes them anew`, async () => {
    await withFolder(async (folder) => {
      const dex = await Swapfold.open({ storage: open(folder), config });
      await dex.ingest([swap(1021, ['USD', 10], ['B', 5])]);
      const ask = (count: number) => dex.prices.candles({ token: 'B', interval: 60, count });
      const first = await ask(5);
      const again = await ask(5);
      assert.equal(again, await ask(5));
      assert.deepEqual(again, first);
      assert.throws(() => (again as unknown[]).pop(), TypeError);
      assert.throws(() => Object.assign(again[0]!, { close: 1 }), TypeError);
      // The same bucket goes on: as many candles, another close.
      await dex.ingest([swap(1030, ['USD', 12], ['B', 4])]);
      const candle = { timestamp: 1020, open: 2, high: 3, low: 2, close: 3, volume: 22, count: 2, suspect_count: 0 };
      assert.deepEqual(await ask(5), [candle]);
      await dex.ingest([swap(1090, ['USD', 20], ['B', 5])]);
      const next = { timestamp: 1080, open: 4, high: 4, low: 4, close: 4, volume: 20, count: 1, suspect_count: 0 };
      assert.deepEqual(await ask(5), [candle, next]);
      assert.deepEqual(await ask(1), [next]);
      // A late one belongs into the first.
      await dex.ingest([swap(1025, ['USD', 7], ['B', 1])]);
      assert.deepEqual(await ask(5), [{ ...candle, high: 7, volume: 29, count: 3 }, next]);
      await dex.close();
    });
  });
}
