import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ConfigInput, type StorageAdapter, Swapfold, type SwapInput } from '@swapfold/core';
import { dumpStore, firstDifferences } from './support/dump.ts';
import { engines, withFolder } from './support/engines.ts';
import { smallMarket } from './support/market.ts';
import { shuffled } from './support/shuffle.ts';

// Without USD amounts every value hangs on the native price, which each part derives for itself.
const markets = [
  smallMarket({ seed: 21, swaps: 4000, wallets: 60, tokens: 15 }),
  smallMarket({ seed: 22, swaps: 4000, wallets: 60, tokens: 15, withUsd: false, withBalances: false }),
];

type Open = () => StorageAdapter;

async function whole(open: Open, config: ConfigInput, swaps: readonly SwapInput[]): Promise<readonly string[]> {
  const storage = open();
  const dex = await Swapfold.open({ storage, config });
  await dex.ingest(swaps);
  await dex.refresh();
  const dump = await dumpStore(dex, storage);
  await dex.close();
  return dump;
}

/** The store that `of` parts give, each fed the whole input in an order and in batches of its own, merged in any order. */
async function merged(
  open: Open,
  config: ConfigInput,
  swaps: readonly SwapInput[],
  of: number,
): Promise<readonly string[]> {
  const parts = await Promise.all(
    Array.from({ length: of }, async (_, i) => {
      const part = await Swapfold.open({ storage: open(), config, shard: { index: i + 1, of } });
      const fed = i % 2 === 0 ? swaps : shuffled(swaps, of + i);
      for (let from = 0; from < fed.length; from += 1500) await part.ingest(fed.slice(from, from + 1500));
      // One that was stopped in the middle runs again from the beginning.
      if (i === 0) await part.ingest(fed.slice(0, 2000));
      return part;
    }),
  );
  const storage = open();
  const dex = await Swapfold.open({ storage, config });
  const { swaps: count } = await dex.merge(shuffled(parts, of));
  assert.equal(count, swaps.length);
  await dex.refresh();
  assert.equal((await dex.verify()).different, 0);
  const dump = await dumpStore(dex, storage);
  for (const part of parts) await part.close();
  await dex.close();
  return dump;
}

for (const [engine, openIn] of Object.entries(engines)) {
  test(`${engine}: 1, 3 and 8 parts, fed in any order, give the store of the whole`, async () => {
    for (const { swaps, config } of engine === 'memory' ? markets : markets.slice(1)) {
      await withFolder(async (folder) => {
        let stores = 0;
        const open = (): StorageAdapter => {
          stores++;
          return openIn(folder, stores);
        };
        const expected = await whole(open, config, swaps);
        for (const of of [1, 3, 8])
          assert.deepEqual(firstDifferences(await merged(open, config, swaps, of), expected), [], `${of} parts`);
      });
    }
  });
}

test('a merged store goes on as any other', async () => {
  const { swaps, config } = markets[0]!;
  const { memory } = engines;
  const open = (): StorageAdapter => memory!('', 0);
  const parts = await Promise.all(
    [1, 2].map(async (index) => {
      const part = await Swapfold.open({ storage: open(), config, shard: { index, of: 2 } });
      await part.ingest(swaps.slice(0, 3000));
      return part;
    }),
  );
  const storage = open();
  const dex = await Swapfold.open({ storage, config });
  await dex.merge(parts);
  await dex.ingest(swaps.slice(2500));
  await dex.refresh();
  assert.deepEqual(firstDifferences(await dumpStore(dex, storage), await whole(open, config, swaps)), []);
});

test('what is not all of one whole is refused, with the part that is missing', async () => {
  const { config } = markets[0]!;
  const { memory } = engines;
  const part = (index: number, of: number): Promise<Swapfold> =>
    Swapfold.open({ storage: memory!('', 0), config, shard: { index, of } });
  const dex = await Swapfold.open({ storage: memory!('', 0), config });
  const refused = (parts: readonly Swapfold[], message: RegExp): Promise<void> =>
    assert.rejects(dex.merge(parts), { code: 'invalid-input', message });
  await refused([], /no part to merge/);
  await refused([await part(1, 3), await part(3, 3)], /2\/3 is missing/);
  await refused([await part(1, 2), await part(1, 2)], /Two stores are part 1\/2/);
  await refused([await part(1, 2), await part(1, 3)], /1\/3 and another is one of 2/);
  await refused([dex], /no part/);
  await assert.rejects(part(9, 8), { code: 'invalid-config', message: /"shard" must be a part/ });
  await assert.rejects(part(0, 8), { code: 'invalid-config' });
  await dex.ingest(markets[0]!.swaps.slice(0, 10));
  await refused([await part(1, 1)], /empty/);
});

test('a store stays of the part that it was made for', async () => {
  await withFolder(async (folder) => {
    const { config, swaps } = markets[0]!;
    const { sqlite } = engines;
    const first = await Swapfold.open({ storage: sqlite!(folder, 1), config, shard: { index: 1, of: 2 } });
    await first.ingest(swaps.slice(0, 100));
    await first.close();
    for (const shard of [undefined, { index: 2, of: 2 }])
      for (const rebuild of [false, true])
        await assert.rejects(Swapfold.open({ storage: sqlite!(folder, 1), config, shard, rebuild }), {
          code: 'store-mismatch',
          message: /another shard/,
        });
  });
});
