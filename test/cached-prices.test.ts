import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { memory, Swapfold, type SwapInput } from '@swapfold/core';
import { sqlite } from '@swapfold/sqlite';
import { counted } from './support/counted.ts';
import { engines, withFolder } from './support/engines.ts';
import { smallMarket } from './support/market.ts';
import { shuffled } from './support/shuffle.ts';
import { cases } from './support/whole.ts';

// Long enough for swaps to leave the longest window, and the one before it.
const { swaps, config } = smallMarket({ seed: 23, swaps: cases(1600, 900), wallets: 25, tokens: 10, days: 200 });
const BATCH = cases(200, 300);
const tokens = [...new Set(swaps.flatMap((swap) => [swap.token_in, swap.token_out]))];
const times = swaps.map((swap) => Number(swap.block_time));

const small = { memory: 96_000 };

async function answers(dex: Swapfold, asked: readonly string[] = tokens): Promise<unknown[]> {
  const one = asked.slice(-1);
  return [
    await dex.prices.stats({ tokens: one }),
    await dex.prices.latest({ tokens: one }),
    await dex.prices.latest({ tokens: asked }),
    await dex.prices.stats({ tokens: asked }),
  ];
}

/** Asks several times, so that what is kept answers too, beside a store that keeps nothing of prices and has the same swaps. */
async function compare(dex: Swapfold, plain: Swapfold, when: string): Promise<void> {
  const expected = await answers(plain);
  for (let turn = 0; turn < 3; turn++) {
    assert.deepEqual(await answers(dex), expected, `${when}, asked ${turn} times before`);
    await nextTurn();
  }
}

/** Asks until the answers come without the engine. What is not stored is always asked of the engine. */
async function untilKept(dex: Swapfold, snapshots: () => number): Promise<void> {
  const stored = (await dex.prices.latest({ tokens })).map(({ token }) => token);
  for (let turn = 0, still = 0; turn < 5000; turn++) {
    const before = snapshots();
    await answers(dex, stored);
    await nextTurn();
    still = snapshots() === before ? still + 1 : 0;
    if (still === 20) return;
  }
  assert.fail('prices are still asked of the engine');
}

for (const [engine, open] of Object.entries(engines)) {
  // What is kept, and what a write does to it, is the same on every engine; the two tests after this one are of what each reads.
  const sizes = Object.entries({ 'as many as there are': {}, 'a few': small });
  for (const [bounds, options] of engine === 'memory' ? sizes : sizes.slice(0, cases(1, 0))) {
    test(`${engine}: prices of ${bounds} that are kept are those of a store that keeps none, after every kind of write`, async () => {
      await withFolder(async (folder) => {
        const dex = await Swapfold.open({ storage: open(folder), config, ...options });
        const plain = await Swapfold.open({ storage: memory(), config, memory: 0 });
        const both = async (write: (store: Swapfold) => Promise<unknown>, when: string): Promise<void> => {
          await Promise.all([dex, plain].map(write));
          await compare(dex, plain, when);
        };
        const late = swaps.filter((_, i) => i % 13 === 4);
        const inOrder = swaps.filter((_, i) => i % 13 !== 4);
        for (let from = 0; from < inOrder.length; from += BATCH)
          await both((store) => store.ingest(inOrder.slice(from, from + BATCH)), `after ${from + BATCH} swaps`);
        await both((store) => store.ingest(shuffled(late, 3).slice(0, 60)), 'after late swaps');
        await both((store) => store.refresh(), 'after a refresh');
        const slot = inOrder[inOrder.length - 150]!.block_slot!;
        await both((store) => store.rollback({ from_block_slot: Number(slot) }), 'after a rollback');
        await both((store) => store.ingest(swaps), 'after all swaps');
        await both((store) => store.rebuild(), 'after a rebuild');
        const last = await dex.prices.latest({ tokens });
        for (const part of [0.3, 0.8]) {
          const asOf = times[Math.floor(times.length * part)]!;
          assert.deepEqual(await dex.at(asOf).prices.stats({ tokens }), await plain.at(asOf).prices.stats({ tokens }));
          assert.deepEqual(
            await dex.at(asOf).prices.latest({ tokens }),
            await plain.at(asOf).prices.latest({ tokens }),
          );
        }
        assert.deepEqual(await dex.prices.latest({ tokens }), last);
        await dex.close();
        await plain.close();
      });
    });
  }

  test(`${engine}: prices that were asked for are kept, and a block that comes continues them`, async () => {
    await withFolder(async (folder) => {
      const { storage, snapshots } = counted(open(folder));
      const dex = await Swapfold.open({ storage, config });
      await dex.ingest(swaps.slice(0, -100));
      await untilKept(dex, snapshots);
      await dex.ingest(swaps.slice(-100));
      const before = snapshots();
      await dex.prices.latest({ tokens });
      assert.equal(snapshots(), before);
      const found = await answers(dex);
      const plain = await Swapfold.open({ storage: memory(), config, memory: 0 });
      await plain.ingest(swaps);
      assert.deepEqual(found, await answers(plain));
      await dex.close();
    });
  });

  test(`${engine}: what is kept of an empty store does not outlive a copy`, async () => {
    await withFolder(async (folder) => {
      const dex = await Swapfold.open({ storage: open(folder), config });
      assert.deepEqual(await answers(dex), [[], [], [], []]);
      const plain = await Swapfold.open({ storage: memory(), config, memory: 0 });
      await plain.ingest(swaps);
      await dex.copyFrom(plain);
      await compare(dex, plain, 'after the copy');
      for (const store of [dex, plain]) await store.close();
    });
  });
}

const [SOL, USDC] = ['So11111111111111111111111111111111111111112', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'];
const [ANN, BOB, T] = ['Aa', 'Bb', 'Tt'].map((name) => name.repeat(20)) as [string, string, string];

for (const [engine, open] of Object.entries(engines))
  test(`${engine}: what the native token is worth is asked of the engine again after every write`, () =>
    withFolder(async (folder) => {
      const swap = (
        day: number,
        wallet: string,
        [given, token_in]: [number, string],
        [got, token_out]: [number, string],
      ) => ({
        ...{
          tx_hash: `${wallet}${day}`,
          swap_index: 0,
          block_slot: day,
          block_time: 1_704_067_200 + 86_400 * day,
          wallet,
        },
        ...{ token_in, token_amount_in: given, token_out, token_amount_out: got },
      });
      const dex = await Swapfold.open({ storage: open(folder) });
      const unrealized = async (): Promise<number | null | undefined> => {
        await dex.refresh();
        const ask = () => dex.positions.get({ wallet: ANN, token: T, options: { include_holding: true } });
        await ask();
        return (await ask()).holding?.unrealized_pnl;
      };
      // By hand: ten tokens for 2 SOL of 100 USD each, which makes 0.2 SOL a token.
      await dex.ingest([swap(0, BOB, [1, SOL], [100, USDC]), swap(1, ANN, [2, SOL], [10, T])]);
      assert.equal(await unrealized(), 0);
      await dex.ingest([swap(2, BOB, [1, SOL], [50, USDC])]);
      // 2 SOL of 50 USD each, that cost 200 USD; and of 25 USD each.
      assert.equal(await unrealized(), -100);
      await dex.prices.upsert([{ token: SOL, time: 1_704_067_200 + 86_400 * 2, usd_price: 25 }]);
      assert.equal(await unrealized(), -150);
      await dex.rollback({ from_block_slot: 2 });
      assert.equal(await unrealized(), 0);
      await dex.close();
    }));

test('sqlite: prices that another process writes are noticed', async () => {
  await withFolder(async (folder) => {
    const path = join(folder, 'store.db');
    const writer = await Swapfold.open({ storage: sqlite(path), config });
    const blocks = (from: number, to: number): SwapInput[] => swaps.slice(from, to);
    await writer.ingest(blocks(0, 600));
    const { storage, snapshots } = counted(sqlite({ path, read_only: true }));
    const reader = await Swapfold.open({ storage, config });
    for (let from = 600; from < swaps.length; from += BATCH) {
      await untilKept(reader, snapshots);
      await writer.ingest(blocks(from, from + BATCH));
      // The store is looked at once a turn of the event loop.
      await nextTurn();
      assert.deepEqual(await answers(reader), await answers(writer));
    }
    await reader.close();
    await writer.close();
  });
});
