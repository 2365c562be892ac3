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
import { cases, isWhole } from './support/whole.ts';

const { swaps, config } = smallMarket({
  seed: 61,
  swaps: cases(600, 100),
  wallets: 20,
  tokens: 8,
  withBalances: true,
});
const transfers = transfersBeside(swaps, cases(300, 60), 61);

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

/** What a store has and answers, to hold others to it. */
interface Content {
  readonly transfers: readonly object[];
  readonly dump: readonly string[];
  readonly answers: string;
}

async function contentOf({ dex, storage }: Store): Promise<Content> {
  return {
    transfers: await listed(dex),
    dump: await dumpStore(dex, storage),
    answers: await allAnswers(dex),
  };
}

/** The content of a store in memory that is given these rows at once. */
async function contentAfter(given: readonly SwapInput[], moved: readonly TransferInput[]): Promise<Content> {
  const store = await storeOf(given, moved);
  const content = await contentOf(store);
  await store.dex.close();
  return content;
}

/** Holds the tables of a store to those of one that was given the same at once. */
async function assertSameTables({ dex, storage }: Store, expected: Content): Promise<void> {
  assert.deepEqual(await listed(dex), expected.transfers);
  assert.deepEqual(firstDifferences(await dumpStore(dex, storage), expected.dump), []);
  const { different, differences } = await dex.verify();
  assert.deepEqual([different, differences], [0, []]);
}

/** Holds its answers to them, too. */
async function assertSame(store: Store, expected: Content): Promise<void> {
  await assertSameTables(store, expected);
  assert.ok((await allAnswers(store.dex)) === expected.answers, 'the answers differ');
}

/** Equal tables answer alike: by default a store whose engine another test asks, or that is asked again, is held to tables alone. */
const assertSameBriefly = isWhole ? assertSame : assertSameTables;

/** The content of a store that was given everything at once, with which several tests compare. */
const everything = await contentAfter(swaps, transfers);

for (const engine of Object.keys(engines))
  test(`${engine}: swaps and transfers in any order and in batches of any size leave one store`, () =>
    withFolder(async (folder) => {
      assert.equal(everything.transfers.length, transfers.length);
      // How rows are cut is the same on every engine: by default the files have the small batches.
      for (const [seed, size] of [
        [1, 37],
        [2, cases(400, 100)],
      ] as const) {
        if (!isWhole && engine !== 'memory' && size > 37) continue;
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
        await assertSame(store, everything);
        await store.dex.close();
      }
    }));

/** A wallet that buys 10 for 10 USD of the one token. */
const buyAt = (second: number, wallet: string, own: Partial<SwapInput> = {}): SwapInput => ({
  tx_hash: `${wallet}-${second}`,
  swap_index: 0,
  block_time: 1_736_800_000 + second,
  block_slot: second,
  wallet,
  token_in: 'USDC',
  token_amount_in: 10,
  token_out: 'X',
  token_amount_out: 10,
  ...own,
});

const giftAt = (second: number, to: string): TransferInput => ({
  tx_hash: `gift-${second}`,
  transfer_index: 0,
  block_time: 1_736_800_000 + second,
  block_slot: second,
  token: 'X',
  token_amount: 5,
  to,
  cost_usd: 50,
});

const plain: ConfigInput = {
  chain: 'test',
  address_format: 'any',
  quote_tokens: [{ address: 'USDC', symbol: 'USDC', kind: 'stable' }],
};

for (const engine of Object.keys(engines))
  test(`${engine}: earlier transfers count from a wallet's first swap on, and each once, whatever is late or rolled back`, () =>
    withFolder(async (folder) => {
      const dex = await Swapfold.open({ storage: engines[engine]!(folder), config: plain });
      const check = async (balance: number, cost: number): Promise<void> => {
        const { tokens } = await dex.portfolios.get({ wallet: 'new' });
        assert.deepEqual(
          tokens.filter(({ token }) => token === 'X').map((row) => [row.balance, row.cost_basis]),
          balance === 0 ? [] : [[balance, cost]],
        );
        if (isWhole || engine === 'memory') await verify();
      };
      const verify = async (): Promise<void> => assert.deepEqual((await dex.verify()).differences, []);
      await dex.ingest([buyAt(0, 'other')]);
      await dex.transfers.ingest([giftAt(1, 'new')]);
      await dex.ingest([buyAt(2, 'other')]);
      await check(0, 0);
      await dex.ingest([buyAt(3, 'new')]);
      await check(15, 60);
      // Late, in the second of the first swap.
      await dex.ingest([buyAt(3, 'new', { tx_hash: 'late' })]);
      await check(25, 70);
      // A gift in a second that other wallets trade in before the wallet does.
      await dex.transfers.ingest([giftAt(5, 'new')]);
      await dex.ingest([buyAt(5, 'other')]);
      await dex.ingest([buyAt(5, 'new', { token_out: 'Y' })]);
      await check(30, 120);
      await dex.ingest([buyAt(6, 'new')]);
      await check(40, 130);
      // By default files are verified here and at the end.
      await verify();
      await dex.rollback({ from_block_slot: 6 });
      await check(30, 120);
      await dex.rollback({ from_block_slot: 5 });
      await check(25, 70);
      await dex.rollback({ from_block_slot: 3 });
      await check(0, 0);
      await dex.ingest([buyAt(3, 'new')]);
      await check(15, 60);
      await verify();
      await dex.close();
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
      const expected = await contentAfter(left, transfers.filter(stays));
      // Files are asked when they are opened again.
      const assertSameNow = engine === 'memory' ? assertSame : assertSameBriefly;
      await assertSameNow(store, expected);
      const top = transfers.filter(stays)[0]!;
      const late = { ...top, tx_hash: 'late', transfer_index: 0, block_slot: slot + 5 };
      await store.dex.transfers.ingest([{ ...late, block_time: swaps.at(-1)!.block_time + 50 }]);
      assert.deepEqual(await store.dex.rollback({ from_block_slot: slot + 1 }), {
        swaps: 0,
        transactions: 0,
        transfers: 1,
      });
      await store.dex.refresh();
      await assertSameNow(store, expected);
      await store.dex.rebuild();
      await assertSameNow(store, expected);
      await store.dex.close();
      if (engine !== 'memory') {
        const again = await openStore(engines[engine]!(folder));
        await assertSame(again, expected);
        assert.equal((await again.dex.info()).transfers, transfers.filter(stays).length);
        await again.dex.close();
      }
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
    await assertSame(copy, await contentOf(store));
    // The copy goes on numbering.
    const more = { ...transfers[0]!, tx_hash: 'more', transfer_index: 0 };
    for (const { dex } of [copy, store]) {
      await dex.transfers.ingest([more]);
      await dex.refresh();
    }
    await assertSameBriefly(copy, await contentOf(store));
    const taken = await openStore(memory());
    await taken.dex.transfers.ingest([more]);
    await assert.rejects(taken.dex.copyFrom(store.dex), /this one has transfers/);
    for (const { dex } of [store, copy, taken]) await dex.close();
  }));

test('an import into a store of transfers, in one step where the engine can, puts them beside the swaps', () =>
  withFolder(async (folder) => {
    const store = await openStore(engines.duckdb!(folder));
    await store.dex.transfers.ingest(transfers);
    await store.dex.ingest([swaps], { bulk: true });
    await store.dex.refresh();
    await assertSameBriefly(store, everything);
    const behind = await openStore(engines.duckdb!(folder, 2));
    await behind.dex.ingest([swaps], { bulk: true });
    await behind.dex.transfers.ingest(transfers);
    await behind.dex.refresh();
    await assertSameBriefly(behind, everything);
    for (const { dex } of [store, behind]) await dex.close();
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
