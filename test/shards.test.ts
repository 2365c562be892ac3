import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type StorageAdapter, Swapfold } from '@swapfold/core';
import { dumpStore, firstDifferences } from './support/dump.ts';
import { engines, withFolder } from './support/engines.ts';
import { smallMarket } from './support/market.ts';
import { feedPart, mergedStore, wholeStore } from './support/shards.ts';
import { cases, isWhole } from './support/whole.ts';

// Without USD amounts every value hangs on the native price, which each part derives for itself.
const size = { swaps: cases(4000, 1000), wallets: cases(60, 30), tokens: cases(15, 10) };
const markets = [
  smallMarket({ ...size, seed: 21 }),
  smallMarket({ ...size, seed: 22, withUsd: false, withBalances: false }),
];

for (const [engine, openIn] of Object.entries(engines)) {
  // A part on DuckDB costs as much as the three of memory.
  const numbers = isWhole || engine !== 'duckdb' ? [1, 3, 8] : [3];
  test(`${engine}: ${numbers.join(', ')} parts, fed in any order, give the store of the whole`, async () => {
    for (const { swaps, config } of engine === 'memory' ? markets : markets.slice(1)) {
      await withFolder(async (folder) => {
        let stores = 0;
        const open = (): StorageAdapter => {
          stores++;
          return openIn(folder, stores);
        };
        const fed = { config, swaps };
        const expected = await wholeStore(open(), fed);
        for (const of of numbers) {
          const parts = await Promise.all(
            Array.from({ length: of }, (_, i) =>
              feedPart(open(), { ...fed, index: i + 1, of, batch: cases(1500, 400) }),
            ),
          );
          assert.deepEqual(firstDifferences(await mergedStore(open, fed, parts), expected), [], `${of} parts`);
        }
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
      await part.ingest(swaps.slice(0, size.swaps * 0.75));
      return part;
    }),
  );
  const storage = open();
  const dex = await Swapfold.open({ storage, config });
  await dex.merge(parts);
  await dex.ingest(swaps.slice(size.swaps * 0.6));
  await dex.refresh();
  assert.equal((await dex.verify()).different, 0);
  assert.deepEqual(firstDifferences(await dumpStore(dex, storage), await wholeStore(open(), { config, swaps })), []);
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

test('two parts that hold one swap for two wallets are refused, and nothing is stored', async () => {
  const { config, swaps } = markets[0]!;
  const { memory } = engines;
  const parts = await Promise.all(
    [1, 2].map((index) => Swapfold.open({ storage: memory!('', 0), config, shard: { index, of: 2 } })),
  );
  // A part takes what is between the native and a stable token for any wallet: this is not.
  const swap = { ...swaps[0]!, token_out: swaps[0]!.wallet };
  for (const part of parts) {
    let added = 0;
    for (const { wallet } of swaps) if (added === 0) ({ added } = await part.ingest([{ ...swap, wallet }]));
    assert.equal(added, 1);
  }
  const storage = memory!('', 0);
  const dex = await Swapfold.open({ storage, config });
  const before = await dumpStore(dex, storage);
  await assert.rejects(dex.merge(parts), {
    code: 'invalid-input',
    message: `Two parts hold swap ${swap.swap_index} of transaction "${swap.tx_hash}", with different wallets; import the parts from one input.`,
  });
  assert.deepEqual(firstDifferences(await dumpStore(dex, storage), before), []);
});

test('a store stays of the part that it was made for', async () => {
  await withFolder(async (folder) => {
    const { config, swaps } = markets[0]!;
    const { sqlite } = engines;
    const first = await Swapfold.open({ storage: sqlite!(folder, 1), config, shard: { index: 1, of: 2 } });
    await first.ingest(swaps.slice(0, 100));
    await first.close();
    for (const shard of [undefined, { index: 2, of: 2 }])
      for (const onMismatch of ['refuse', 'refold'] as const)
        await assert.rejects(Swapfold.open({ storage: sqlite!(folder, 1), config, shard, onMismatch }), {
          code: 'store-mismatch',
          message:
            /^The store holds part 1\/2 of the wallets, and is opened as one that holds (all wallets|part 2\/2 of the wallets)\.$/,
        });
  });
});
