import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ConfigInput, memory, presets, Swapfold, type SwapInput } from '@swapfold/core';
import type { StorageAdapter } from '@swapfold/core/engine';
import type { Checkpoint } from '../packages/core/src/ingest/checkpoints.ts';
import { addCheckpoint } from '../packages/core/src/ingest/checkpoints.ts';
import { newBatch } from '../packages/core/src/records/columns.ts';
import { balancesTable, lotsTable, movesTable, tradesTable } from '../packages/core/src/records/tables.ts';
import { dumpStore, firstDifferences } from './support/dump.ts';
import { cases } from './support/whole.ts';

const seed = Number(process.env.SWAPFOLD_SEED ?? 31);
const address = (n: number): string => `0x${n.toString(16).padStart(40, '0')}`;
const [stable, , native] = presets.ethereum.quote_tokens.map((token) => token.address) as [string, string, string];
const tokens = [stable, native, address(0xa1), address(0xa2)];
const config: ConfigInput = presets.ethereum;
const START = 1_700_000_000;

/** Numbers from 0 to 1, the same for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state / 2 ** 32;
  };
}

/** Swaps of a slot; three slots share a second. */
function newBlock(slot: number, name: string, random: () => number): SwapInput[] {
  const below = (n: number): number => Math.floor(random() * n);
  return Array.from({ length: 1 + below(4) }, (_, tx_index) => {
    const token_in = below(tokens.length);
    const token_out = (token_in + 1 + below(tokens.length - 1)) % tokens.length;
    return {
      tx_hash: `0x${name}${tx_index}`,
      swap_index: 0,
      block_time: START + Math.floor(slot / 3),
      block_slot: slot,
      tx_index,
      wallet: address(1 + below(6)),
      token_in: tokens[token_in]!,
      token_out: tokens[token_out]!,
      token_amount_in: 1 + random() * 9,
      token_amount_out: 1 + random() * 9,
    };
  });
}

/** A store in memory whose next write can be made to fail by its end, and which counts the trades that its writes read. */
function watchedMemory(): { storage: StorageAdapter; failNext: () => void; tradesRead: () => number } {
  const storage = memory();
  let isFailing = false;
  let read = 0;
  const write: StorageAdapter['write'] = (change) =>
    storage.write(async (writer) => {
      const counting: typeof writer = {
        ...writer,
        async read(query) {
          const rows = await writer.read(query);
          if (query.table.name === tradesTable.name) read += rows.length;
          return rows;
        },
      };
      const answer = await change(counting);
      if (isFailing) {
        isFailing = false;
        throw new Error('stopped');
      }
      return answer;
    });
  const failNext = (): void => {
    isFailing = true;
  };
  return { storage: { ...storage, write }, failNext, tradesRead: () => read };
}

async function ledgerOf(dex: Swapfold, storage: StorageAdapter): Promise<string[]> {
  return (await dumpStore(dex, storage)).filter((line) => /^(swaps|trades|lots|balances|moves): /.test(line));
}

/** Lots, balances and trades, to the last bit, are those of a store that has had nothing but these swaps, in chain order. */
async function assertAsIfOnly(dex: Swapfold, storage: StorageAdapter, swaps: readonly SwapInput[], what: string) {
  const other = memory();
  const fresh = await Swapfold.open({ storage: other, config });
  await fresh.ingest(swaps);
  assert.deepEqual(firstDifferences(await ledgerOf(dex, storage), await ledgerOf(fresh, other)), [], what);
  await fresh.close();
}

const STEPS = 25;
const rounds = cases(400, 4);
test(`after steps of ${rounds} histories of blocks, late swaps, rollbacks and failures the ledger is that of a store of the same swaps (seed ${seed})`, async () => {
  for (let round = 0; round < rounds; round++) {
    const random = randomOf(seed * 1000 + round);
    const { storage, failNext } = watchedMemory();
    const dex = await Swapfold.open({ storage, config });
    let swaps: SwapInput[] = [];
    let slot = 0;
    for (let step = 0; step < STEPS; step++) {
      const what = `round ${round}, step ${step}`;
      const chosen = random();
      // What a write that failed has done is nothing that a later one may go on from.
      if (chosen < 0.1) failNext();
      const isFailing = chosen < 0.1;
      const kind = random();
      if (kind < 0.3) {
        const from = Math.max(0, slot - Math.floor(random() * 7));
        const rolled = dex.rollback({ from_block_slot: from });
        if (isFailing) await assert.rejects(rolled);
        else {
          await rolled;
          swaps = swaps.filter(({ block_slot }) => block_slot! < from);
          slot = from;
        }
      } else {
        // One to three blocks in a commit, and now and then a late one, alone or before new ones.
        const isLate = kind > 0.8;
        const count = isLate ? Math.floor(random() * 2) : 1 + Math.floor(random() * 3);
        const slots = Array.from({ length: count }, (_, i) => slot + i);
        if (isLate) slots.push(Math.max(0, slot - 1 - Math.floor(random() * 5)));
        const added = slots.flatMap((each, i) => newBlock(each, `${round}-${step}-${i}-`, random));
        const stored = dex.ingest(added);
        if (isFailing) await assert.rejects(stored);
        else {
          await stored;
          swaps = [...swaps, ...added];
          slot += count;
        }
      }
      if (step === STEPS - 1 || random() < 0.04) await assertAsIfOnly(dex, storage, swaps, what);
    }
    await dex.close();
  }
});

test('a rollback of the newest blocks reads none of the trades before them', async () => {
  const { storage, tradesRead } = watchedMemory();
  const dex = await Swapfold.open({ storage, config });
  const random = randomOf(seed);
  const blocks = Array.from({ length: 50 }, (_, slot) => newBlock(slot, `${slot}-`, random));
  for (const block of blocks) await dex.ingest(block);
  const before = tradesRead();
  await dex.rollback({ from_block_slot: 45 });
  const read = tradesRead() - before;
  // Each swap of the five blocks has at most two trades, and they are read once.
  assert.ok(read <= 2 * blocks.slice(45).flat().length, `${read} trades were read`);
  await assertAsIfOnly(dex, storage, blocks.slice(0, 45).flat(), 'after the rollback');
  await dex.close();
});

/** A purchase, in a block of its own. */
function bought(wallet: number, second: number, token_in = stable): SwapInput {
  const place = { block_time: START + second, block_slot: second, tx_hash: `0x${wallet}-${second}`, swap_index: 0 };
  const sides = { token_in, token_out: tokens[2]!, token_amount_in: 50, token_amount_out: 10 };
  return { ...place, wallet: address(wallet), ...sides };
}

for (const [what, late] of [
  ['a late purchase', bought(2, 4)],
  ['a late swap that is no trade', bought(2, 4, tokens[2])],
] as const)
  test(`what a wallet bought in the same write as ${what} can be rolled back`, async () => {
    const { storage } = watchedMemory();
    const dex = await Swapfold.open({ storage, config });
    for (const swap of [bought(1, 0), bought(2, 3), bought(2, 5)]) await dex.ingest([swap]);
    await dex.ingest([late, bought(1, 9)]);
    await dex.rollback({ from_block_slot: 9 });
    await assertAsIfOnly(dex, storage, [bought(1, 0), bought(2, 3), bought(2, 5), late], 'after the rollback');
    await dex.close();
  });

test('lots that a rebuild has mended are not put back by a rollback as they were before', async () => {
  const { storage } = watchedMemory();
  const dex = await Swapfold.open({ storage, config });
  await dex.ingest([bought(1, 0)]);
  await storage.write(async (writer) => {
    const rows = await writer.read({ table: lotsTable, columns: ['pair', 'ordinal', 'amount'] });
    assert.deepEqual([...rows.columns.amount], [10]);
    await writer.remove(lotsTable, { kind: 'in', column: 'pair', values: rows.columns.pair });
  });
  await dex.ingest([bought(1, 3)]);
  await dex.rebuild();
  await dex.rollback({ from_block_slot: 3 });
  await assertAsIfOnly(dex, storage, [bought(1, 0)], 'after the rollback');
  await dex.close();
});

function checkpointOf(from: number, pairs: number): Checkpoint {
  const none = new Float64Array(0);
  return {
    from,
    lots: { pairs: none, rows: newBatch(lotsTable, 0) },
    balances: { pairs: new Float64Array(pairs), rows: newBatch(balancesTable, pairs) },
    moves: { pairs: none, rows: newBatch(movesTable, 0) },
  };
}

test('checkpoints are dropped, the oldest first, beyond 256 of them or the bytes that they may take', () => {
  const add = (count: number, pairs: number): number[] => {
    let checkpoints: readonly Checkpoint[] = [];
    for (let from = 0; from < count; from++)
      checkpoints = addCheckpoint(checkpoints, checkpointOf(from, pairs), 14_000_000);
    return checkpoints.map(({ from }) => from);
  };
  assert.deepEqual(add(3, 1), [0, 1, 2]);
  assert.deepEqual(
    add(258, 1),
    Array.from({ length: 256 }, (_, i) => i + 2),
  );
  // A pair and its row take 70 bytes each.
  assert.deepEqual(add(4, 50_000), [2, 3]);
  assert.deepEqual(add(4, 50_001), [3]);
  assert.deepEqual(add(2, 100_001), []);
});
