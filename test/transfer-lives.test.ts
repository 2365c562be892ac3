import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  type ConfigInput,
  type Message,
  memory,
  Swapfold,
  type SwapInput,
  type Transfer,
  type TransferInput,
} from '@swapfold/core';
import type { StorageAdapter } from '@swapfold/core/engine';
import { sqlite } from '@swapfold/sqlite';
import { allAnswers } from './support/answers.ts';
import { dumpStore, firstDifferences } from './support/dump.ts';
import { engines, withFolder } from './support/engines.ts';
import { smallMarket } from './support/market.ts';
import { shuffled } from './support/shuffle.ts';
import { transfersBeside } from './support/transfers.ts';
import { cases } from './support/whole.ts';

const { swaps, config } = smallMarket({ seed: 61, swaps: cases(600, 240), wallets: 20, tokens: 8, withBalances: true });
const transfers = transfersBeside(swaps, cases(300, 120), 61);

interface Store {
  readonly dex: Swapfold;
  readonly storage: StorageAdapter;
}

async function openStore(storage: StorageAdapter, own: ConfigInput = config): Promise<Store> {
  return { storage, dex: await Swapfold.open({ storage, config: own }) };
}

/** A store of these rows, refreshed. */
async function storeOf(
  given: readonly SwapInput[],
  moved: readonly TransferInput[],
  storage = memory(),
): Promise<Store> {
  const store = await openStore(storage);
  await store.dex.ingest(given);
  await store.dex.transfers.ingest(moved);
  await store.dex.refresh();
  return store;
}

/** Every transfer that a store lists, the newest first. */
async function listed(dex: Swapfold): Promise<object[]> {
  const found: object[] = [];
  for await (const one of dex.items('transfers.list', { limit: 100 })) found.push(one);
  return found;
}

/** Holds a store to one that was given the same at once. */
async function assertSame(actual: Store, expected: Store): Promise<void> {
  assert.deepEqual(await listed(actual.dex), await listed(expected.dex));
  const [a, b] = [await dumpStore(actual.dex, actual.storage), await dumpStore(expected.dex, expected.storage)];
  assert.deepEqual(firstDifferences(a, b), []);
  assert.ok((await allAnswers(actual.dex)) === (await allAnswers(expected.dex)), 'the answers differ');
  const { different, differences } = await actual.dex.verify();
  assert.deepEqual([different, differences], [0, []]);
}

for (const engine of Object.keys(engines))
  test(`${engine}: swaps and transfers in any order and in batches of any size leave one store`, () =>
    withFolder(async (folder) => {
      const expected = await storeOf(swaps, transfers);
      assert.equal((await listed(expected.dex)).length, transfers.length);
      for (const [seed, size] of [
        [1, 37],
        [2, 400],
      ] as const) {
        const store = await openStore(engines[engine]!(folder, seed));
        const rows = shuffled([...swaps, ...transfers], seed);
        for (let from = 0; from < rows.length; from += size) {
          const part = rows.slice(from, from + size);
          await store.dex.transfers.ingest(part.filter((row) => 'token' in row));
          await store.dex.ingest(part.filter((row) => 'wallet' in row));
          if (from === size) await store.dex.refresh();
        }
        // A repeat changes nothing.
        const again = await store.dex.transfers.ingest(
          shuffled(
            transfers.filter((row) => row.transfer_index !== null),
            3,
          ),
        );
        assert.deepEqual([again.added, again.conflicting], [0, 0]);
        await store.dex.refresh();
        await assertSame(store, expected);
        await store.dex.close();
      }
      await expected.dex.close();
    }));

for (const engine of Object.keys(engines))
  test(`${engine}: a rollback leaves what there was before, also where transfers alone go; what came stays, rebuilt and reopened`, () =>
    withFolder(async (folder) => {
      const store = await storeOf(swaps, transfers, engines[engine]!(folder));
      const slots = swaps.map((swap) => swap.block_slot!).sort((a, b) => a - b);
      const slot = slots[Math.floor(slots.length * 0.7)]!;
      const slotOf = new Map(swaps.map((swap) => [swap.tx_hash, swap.block_slot!]));
      const stays = (row: TransferInput): boolean => (slotOf.get(row.tx_hash) ?? leastSlot(row.tx_hash)) < slot;
      const leastSlot = (hash: string): number =>
        Math.min(...transfers.filter((row) => row.tx_hash === hash).map((row) => row.block_slot!));
      const gone = await store.dex.rollback({ from_block_slot: slot });
      assert.equal(gone.transfers, transfers.filter((row) => !stays(row)).length);
      assert.ok(gone.transfers! > 10 && gone.swaps > 10);
      await store.dex.refresh();
      const left = swaps.filter((swap) => swap.block_slot! < slot);
      const expected = await storeOf(left, transfers.filter(stays));
      await assertSame(store, expected);
      const top = transfers.filter(stays)[0]!;
      const late = { ...top, tx_hash: 'late', transfer_index: 0, block_slot: slot + 5 };
      await store.dex.transfers.ingest([{ ...late, block_time: swaps.at(-1)!.block_time + 50 }]);
      assert.deepEqual(await store.dex.rollback({ from_block_slot: slot + 1 }), {
        swaps: 0,
        transactions: 0,
        transfers: 1,
      });
      await store.dex.refresh();
      await assertSame(store, expected);
      await store.dex.rebuild();
      await assertSame(store, expected);
      await store.dex.close();
      if (engine !== 'memory') {
        const again = await openStore(engines[engine]!(folder));
        await assertSame(again, expected);
        assert.equal((await again.dex.info()).transfers, transfers.filter(stays).length);
        await again.dex.close();
      }
      await expected.dex.close();
    }));

test('a rollback is refused while a transfer without a slot could belong to what goes', async () => {
  const store = await storeOf(swaps, []);
  const { block_time, wallet, token_in: token } = swaps.at(-1)!;
  const row = { tx_hash: 'unplaced', transfer_index: 0, block_time, token, token_amount: 1, to: wallet };
  await store.dex.transfers.ingest([row]);
  const slots = swaps.map((swap) => swap.block_slot!).sort((a, b) => a - b);
  const before = await listed(store.dex);
  await assert.rejects(store.dex.rollback({ from_block_slot: slots.at(-9)! }), /1 transfer has no "block_slot"/);
  assert.deepEqual(await listed(store.dex), before);
  await store.dex.close();
});

test('a copy has the transfers, on another engine, and a store with transfers is no empty one', () =>
  withFolder(async (folder) => {
    const store = await storeOf(swaps, transfers, engines.sqlite!(folder));
    const copy = await openStore(engines.duckdb!(folder));
    await copy.dex.copyFrom(store.dex);
    await assertSame(copy, store);
    // The copy goes on numbering.
    const more = { ...transfers[0]!, tx_hash: 'more', transfer_index: 0 };
    for (const { dex } of [copy, store]) {
      await dex.transfers.ingest([more]);
      await dex.refresh();
    }
    await assertSame(copy, store);
    const taken = await openStore(memory());
    await taken.dex.transfers.ingest([more]);
    await assert.rejects(taken.dex.copyFrom(store.dex), /this one has transfers/);
    for (const { dex } of [store, copy, taken]) await dex.close();
  }));

test('an import into a store of transfers, in one step where the engine can, puts them beside the swaps', () =>
  withFolder(async (folder) => {
    const expected = await storeOf(swaps, transfers);
    const store = await openStore(engines.duckdb!(folder));
    await store.dex.transfers.ingest(transfers);
    await store.dex.ingest([swaps], { bulk: true });
    await store.dex.refresh();
    await assertSame(store, expected);
    const behind = await openStore(engines.duckdb!(folder, 2));
    await behind.dex.ingest([swaps], { bulk: true });
    await behind.dex.transfers.ingest(transfers);
    await behind.dex.refresh();
    await assertSame(behind, expected);
    for (const { dex } of [store, behind, expected]) await dex.close();
  }));

test('transfers of an alias that the configuration gets later are those of its quote token', () =>
  withFolder(async (folder) => {
    const quotes = (aliases: readonly string[]): ConfigInput => ({
      address_format: 'any',
      quote_tokens: [{ address: 'usd', symbol: 'USD', kind: 'stable', aliases }],
    });
    const before = await openStore(engines.sqlite!(folder), quotes([]));
    await before.dex.transfers.ingest([
      { tx_hash: 'a', transfer_index: 0, block_time: 1_735_689_600, token: 'bridged', token_amount: 1, to: 'ann' },
    ]);
    await before.dex.close();
    const storage = engines.sqlite!(folder);
    const dex = await Swapfold.open({ storage, config: quotes(['bridged']), onMismatch: 'refold' });
    assert.deepEqual(
      (await dex.transfers.list({ token: 'usd' })).data.map(({ token }) => token),
      ['usd'],
    );
    await dex.close();
  }));

test('two readers beside the writer see each batch of transfers whole', () =>
  withFolder(async (folder) => {
    const writer = await openStore(engines.sqlite!(folder));
    await writer.dex.ingest(swaps);
    const path = join(folder, 'store-0.db');
    const reading = await Promise.all(
      [0, 1].map(() => Swapfold.open({ storage: sqlite({ path, read_only: true }), config })),
    );
    const size = 20;
    for (let from = 0; from < transfers.length; from += size) {
      const writing = writer.dex.transfers.ingest(transfers.slice(from, from + size));
      for (const dex of reading) assert.equal((await dex.transfers.list({ limit: 1 })).count % size, 0);
      await writing;
      for (const dex of reading) {
        const { count } = await dex.transfers.list({ limit: 1 });
        assert.equal(count, Math.min(transfers.length, from + size));
      }
    }
    for (const dex of [...reading, writer.dex]) await dex.close();
  }));

test('a subscription gets the transfers of each commit, those that move, and names those that go', async () => {
  const { dex } = await openStore(memory(), { address_format: 'any' });
  const messages = dex.subscribe('transfers', { wallets: ['ann'] })[Symbol.asyncIterator]();
  const next = async (): Promise<Message<Transfer>> => (await messages.next()).value!;
  const row = {
    tx_hash: 'a',
    block_time: 1_735_689_700,
    block_slot: 7,
    token: 'x',
    token_amount: 2,
    from: 'ann',
    to: 'bob',
  };
  const first = next();
  await dex.transfers.ingest([
    row,
    { ...row, tx_hash: 'b', from: 'cid' },
    { ...row, tx_hash: 'b', block_time: 1_735_689_600 },
  ]);
  const { data: all } = await dex.transfers.list({ wallet: 'ann' });
  assert.deepEqual((await first).data, [...all].reverse());
  assert.equal(all.length, 2);
  const second = next();
  const swap = { tx_hash: 'a', swap_index: 0, block_time: 1_735_689_650, block_slot: 6, wallet: 'dan' };
  await dex.ingest([{ ...swap, token_in: 'y', token_amount_in: 1, token_out: 'z', token_amount_out: 1 }]);
  assert.deepEqual(
    (await second).data.map(({ tx_hash, block_time, block_slot }) => [tx_hash, block_time, block_slot]),
    [['a', 1_735_689_650, 6]],
  );
  const third = next();
  const made = all.find(({ tx_hash }) => tx_hash === 'a')!.transfer_index;
  await dex.transfers.ingest([{ ...row, transfer_index: 4 }]);
  const { data, retracted } = await third;
  assert.deepEqual(
    [data.map(({ transfer_index }) => transfer_index), retracted],
    [[4], { transfers: [{ tx_hash: 'a', transfer_index: made }] }],
  );
  const fourth = next();
  await dex.rollback({ from_block_slot: 6 });
  assert.deepEqual((await fourth).retracted, { from_block_slot: 6, from_block_time: 1_735_689_600 });
  await dex.close();
});
