import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ConfigInput, memory, Swapfold, type SwapInput } from '@swapfold/core';
import type { StorageAdapter } from '@swapfold/core/engine';
import { parseConfig } from '@swapfold/core/host';
import { Dictionary } from '../packages/core/src/ingest/dictionary.ts';
import { newIngestState } from '../packages/core/src/ingest/transactions.ts';
import { rolesOf } from '../packages/core/src/ledger/roles.ts';
import { fixedTables } from '../packages/core/src/records/tables.ts';
import { rollbackSwaps } from '../packages/core/src/store/write/rollback.ts';
import { allAnswers } from './support/answers.ts';
import { dumpStore, firstDifferences } from './support/dump.ts';
import { engines, withFolder } from './support/engines.ts';
import { smallMarket } from './support/market.ts';
import { shuffled } from './support/shuffle.ts';
import { cases, isWhole } from './support/whole.ts';

interface Store {
  readonly dex: Swapfold;
  readonly storage: StorageAdapter;
}

async function openStore(storage: StorageAdapter, config: ConfigInput): Promise<Store> {
  return { storage, dex: await Swapfold.open({ storage, config }) };
}

type Registry = Parameters<Swapfold['tokens']['upsert']>[0];

/** The tables and the answers of a store in memory that has had nothing but these swaps. */
async function contentOf(swaps: readonly SwapInput[], config: ConfigInput, registry: Registry) {
  const { dex, storage } = await openStore(memory(), config);
  await dex.ingest(swaps);
  await dex.tokens.upsert(registry);
  await dex.refresh();
  const content = { dump: await dumpStore(dex, storage), answers: await allAnswers(dex) };
  assert.ok(swaps.length === 0 || content.dump.length > swaps.length * 3);
  await dex.close();
  return content;
}

/** Contents that were computed, by what the stores had: the engines are held to the same ones. */
const contents = new Map<string, ReturnType<typeof contentOf>>();

/** Holds a store, refreshed, to one that has had nothing but these swaps: its tables, and its answers if it is asked. */
async function assertAsIfOnly(
  { dex, storage }: Store,
  swaps: readonly SwapInput[],
  config: ConfigInput,
  { registry = [], isAsked = true }: { readonly registry?: Registry; readonly isAsked?: boolean } = {},
): Promise<void> {
  await dex.refresh();
  const rows = [...registry];
  const key = JSON.stringify([swaps, config, rows]);
  const content = contents.get(key) ?? contentOf(swaps, config, rows);
  contents.set(key, content);
  const { dump, answers } = await content;
  assert.deepEqual(firstDifferences(await dumpStore(dex, storage), dump), []);
  if (isAsked) assert.ok((await allAnswers(dex)) === answers, 'the answers differ');
}

/** The slots of the market at these parts of its history. */
function slotsAt(swaps: readonly SwapInput[], ...parts: readonly number[]): number[] {
  const slots = [...new Set(swaps.map((swap) => swap.block_slot!))].sort((a, b) => a - b);
  return parts.map((part) => slots[Math.floor(part * (slots.length - 1))]!);
}

const below = (swaps: readonly SwapInput[], slot: number): SwapInput[] =>
  swaps.filter((swap) => swap.block_slot! < slot);

for (const engine of Object.keys(engines)) {
  // What goes is the same on every engine: by default the files have the market of which more is derived, and fewer rollbacks. Equal
  // tables answer alike: the files are asked what they answer where another branch, or everything again, has come in.
  const isThorough = isWhole || engine === 'memory';
  const parts = isThorough ? [0.97, 0.8, 0.31, 0] : [0.8, 0];
  for (const withUsd of isThorough ? [true, false] : [false]) {
    const { swaps, config, market } = smallMarket({
      seed: withUsd ? 41 : 42,
      swaps: cases(900, 120),
      wallets: cases(40, 20),
      tokens: cases(14, 8),
      withUsd,
      withBalances: withUsd,
    });
    const title = `${engine}, ${withUsd ? 'with' : 'without'} USD values`;

    test(`${title}: rolled back again and again, a store is each time one that never had what is gone`, () =>
      withFolder(async (folder) => {
        const store = await openStore(engines[engine]!(folder), config);
        const rows = shuffled(swaps, 5);
        const size = cases(250, 40);
        for (let i = 0; i < rows.length; i += size) await store.dex.ingest(rows.slice(i, i + size));
        await store.dex.tokens.upsert(market.tokens());
        await store.dex.refresh();
        let left = swaps;
        for (const slot of slotsAt(swaps, ...parts)) {
          const { swaps: gone, transactions } = await store.dex.rollback({ from_block_slot: slot });
          const kept = below(left, slot);
          assert.equal(gone, left.length - kept.length);
          assert.equal(transactions, new Set(left.filter((s) => !kept.includes(s)).map((s) => s.tx_hash)).size);
          left = kept;
          await assertAsIfOnly(store, left, config, { registry: market.tokens(), isAsked: isThorough });
        }
        assert.equal(left.length, 0);
        await store.dex.ingest(swaps);
        await assertAsIfOnly(store, swaps, config, { registry: market.tokens() });
        await store.dex.close();
      }));

    test(`${title}: another branch that is ingested after a rollback takes the place of the first`, () =>
      withFolder(async (folder) => {
        const store = await openStore(engines[engine]!(folder), config);
        await store.dex.ingest(swaps);
        await store.dex.refresh();
        const [slot] = slotsAt(swaps, 0.6);
        await store.dex.rollback({ from_block_slot: slot! });
        // Some transactions come again in a later block, some with other amounts under another hash, some not at all.
        const branch = swaps.flatMap((swap, i): SwapInput[] => {
          if (swap.block_slot! < slot! || i % 5 === 0) return [];
          if (i % 5 === 1)
            return [{ ...swap, tx_hash: `${swap.tx_hash}x`, token_amount_out: swap.token_amount_out * 1.5 }];
          return [{ ...swap, block_slot: swap.block_slot! + 7, block_time: swap.block_time + 3 }];
        });
        const answer = await store.dex.ingest(shuffled(branch, 3));
        assert.equal(answer.added, branch.length);
        await assertAsIfOnly(store, [...below(swaps, slot!), ...branch], config);
        assert.deepEqual((await store.dex.verify()).differences, []);
        await store.dex.close();
      }));

    test(`${title}: slots that do not follow the times are rolled back all the same, however they lie`, () =>
      withFolder(async (folder) => {
        const order = new Map(shuffled([...new Set(swaps.map((swap) => swap.tx_hash))], 8).map((hash, i) => [hash, i]));
        const mixed = swaps.map((swap) => ({ ...swap, block_slot: order.get(swap.tx_hash)! }));
        const store = await openStore(engines[engine]!(folder), config);
        await store.dex.ingest(mixed);
        await store.dex.refresh();
        let left = mixed;
        for (const part of [0.9, 0.5]) {
          const slot = Math.floor(order.size * part);
          await store.dex.rollback({ from_block_slot: slot });
          left = left.filter((swap) => swap.block_slot < slot);
          await assertAsIfOnly(store, left, config, { isAsked: isThorough });
        }
        await store.dex.close();
      }));
  }
}

test('a rollback too large for one part removes the newest seconds first, to the same end', () =>
  withFolder(async (folder) => {
    const { swaps, config } = smallMarket({
      seed: 44,
      swaps: cases(700, 250),
      wallets: 30,
      tokens: 10,
      withUsd: false,
    });
    const filled = await openStore(engines.sqlite!(folder), config);
    await filled.dex.ingest(swaps);
    await filled.dex.refresh();
    await filled.dex.close();
    const [slot] = slotsAt(swaps, 0.2);
    const storage = engines.sqlite!(folder);
    await storage.open({ tables: fixedTables });
    await storage.write(async (writer) => {
      const dictionary = new Dictionary();
      await dictionary.restart(writer);
      const parsed = parseConfig(config);
      const ids = await dictionary.find(
        writer,
        parsed.quote_tokens.map(({ address }) => address),
      );
      const roles = rolesOf(
        parsed.quote_tokens,
        (address) => ids[parsed.quote_tokens.findIndex((t) => t.address === address)],
      );
      const lastTime = Math.max(...swaps.map((swap) => swap.block_time));
      const state = newIngestState(
        { lastTime, transactions: 0, nextTransfer: 0, lastTransfer: null, hasReferencePrices: false, horizon: 0 },
        Number.POSITIVE_INFINITY,
      );
      await rollbackSwaps(writer, { config: parsed, dictionary, roles, state }, slot!, 37);
      assert.equal(state.lastTime, Math.max(...below(swaps, slot!).map((swap) => swap.block_time)));
    });
    await storage.close();
    const again = await openStore(engines.sqlite!(folder), config);
    await assertAsIfOnly(again, below(swaps, slot!), config);
    await again.dex.close();
  }));

const { swaps, config } = smallMarket({ seed: 43, swaps: cases(300, 150), wallets: 20, tokens: 8 });

test('a rollback above the newest slot removes nothing', async () => {
  const store = await openStore(memory(), config);
  await store.dex.ingest(swaps);
  const [last] = slotsAt(swaps, 1);
  assert.deepEqual(await store.dex.rollback({ from_block_slot: last! + 1 }), { swaps: 0, transactions: 0 });
  await assertAsIfOnly(store, swaps, config);
});

test('profiles of entities that a rollback removed are gone after the next refresh, and not before', async () => {
  const { dex } = await openStore(memory(), config);
  await dex.ingest(swaps);
  await dex.refresh();
  const before = (await dex.wallets.search()).count;
  const [slot] = slotsAt(swaps, 0.05);
  await dex.rollback({ from_block_slot: slot! });
  assert.equal((await dex.wallets.search()).count, before);
  await dex.refresh();
  const left = new Set(below(swaps, slot!).map((swap) => swap.wallet)).size;
  assert.ok(left < before);
  assert.equal((await dex.wallets.search()).count, left);
});

test('swaps without a slot refuse a rollback that may concern them, by their number, and stand by where they are older', async () => {
  const store = await openStore(memory(), config);
  const [slot] = slotsAt(swaps, 0.5);
  const kept = below(swaps, slot!);
  const oldest = swaps.reduce((a, b) => (a.block_time < b.block_time ? a : b));
  const newest = swaps.reduce((a, b) => (a.block_time > b.block_time ? a : b));
  const without = (swap: SwapInput, hash: string): SwapInput => ({ ...swap, tx_hash: hash, block_slot: null });
  const old = without({ ...oldest, block_time: oldest.block_time - 5 }, 'old-one');
  await store.dex.ingest([...swaps, old]);
  await store.dex.rollback({ from_block_slot: slot! });
  await assertAsIfOnly(store, [...kept, old], config);
  await store.dex.ingest([without(newest, 'new-one'), without(newest, 'new-two')]);
  await assert.rejects(store.dex.rollback({ from_block_slot: 1 }), {
    code: 'invalid-input',
    message:
      '3 transactions have no "block_slot" and could belong to slot 1 or later. A rollback needs swaps that tell their slot; nothing was removed.',
  });
  assert.equal((await store.dex.swaps.list({ limit: 1 })).count, kept.length + 3);
});

for (const from_block_slot of [-1, 1.5, Number.NaN, '7', undefined]) {
  test(`a rollback from slot ${String(from_block_slot)} is refused with the value it was given`, async () => {
    const { dex } = await openStore(memory(), config);
    await assert.rejects(dex.rollback({ from_block_slot: from_block_slot as number }), {
      code: 'invalid-input',
      message: /"from_block_slot" must be a whole number from 0, not /,
    });
  });
}
