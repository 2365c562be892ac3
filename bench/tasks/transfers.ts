import assert from 'node:assert/strict';
import type { SwapInput, TransferInput } from '@swapfold/core';
import { columnsToObjects } from '@swapfold/core';
import { readSwapFile } from 'swapfold';
import { databases, openStore } from '../databases.ts';
import { type Engine, filesOf } from '../files.ts';
import { summary, type Times, timed } from '../timing.ts';

export interface TransferFigures {
  readonly count: number;
  /** Transfers of the whole time of the store, in one call, and the refresh after it, milliseconds. */
  readonly old: number;
  readonly refresh: number;
  /** A block of a hundred swaps with twenty transfers, and without any, milliseconds. */
  readonly block: Times;
  readonly plain: Times;
  /** Bytes of the store for each transfer. */
  readonly bytes: number;
}

const BLOCK = 100;
const MOVED = 20;
/** One transfer for so many swaps of the store. */
const SHARE = 4;

/** Stores transfers of the wallets of a copy of the store: those of its time at once, and then some with each block of new swaps. */
export async function storeTransfers(task: {
  readonly engine: Engine;
  readonly swaps: number;
  readonly root: string;
  readonly blocks: number;
}): Promise<TransferFigures> {
  const files = filesOf(task.root, task.swaps);
  const { copy, bytes, remove } = databases[task.engine];
  const path = files.scratch(`transfers.${task.engine}`);
  await copy(files.store[task.engine], path);
  const rows = await transfersOf(files.parquet, SHARE);
  const before = await bytes(path);
  let dex = await openStore(task.engine, path);
  const old = await timed(async () => assert.equal((await dex.transfers.ingest(rows)).added, rows.length));
  const refresh = await timed(() => dex.refresh());
  await dex.close();
  const size = (await bytes(path)) - before;
  dex = await openStore(task.engine, path);
  const [block, plain]: [number[], number[]] = [[], []];
  let blocks = 0;
  for await (const { batch } of readSwapFile(files.tail, { batchRows: BLOCK })) {
    if (blocks++ === task.blocks * 2) break;
    const swaps = [...columnsToObjects(batch)] as unknown as (SwapInput & Moved)[];
    // In turns: with transfers, and without.
    const moved = blocks % 2 === 0 ? [] : swaps.slice(0, MOVED).map((swap, i) => transferOf(swap, blocks * MOVED + i));
    const time = await timed(async () => {
      await dex.ingest(swaps);
      if (moved.length > 0) await dex.transfers.ingest(moved);
      await dex.refresh({ scope: 'traded' });
    });
    (blocks % 2 === 0 ? plain : block).push(time);
  }
  await dex.close();
  await remove(path);
  return { count: rows.length, old, refresh, block: summary(block), plain: summary(plain), bytes: size / rows.length };
}

interface Moved {
  readonly wallet: string;
  readonly token_out: string;
  readonly token_amount_out: number;
  readonly block_time: number;
  readonly block_slot?: number | null | undefined;
}

/** Half of what a swap brought goes to an address that never trades. */
function transferOf(swap: Moved, i: number): TransferInput {
  return {
    tx_hash: `${i.toString(8).padStart(43, '0').replaceAll('0', '9')}T`,
    transfer_index: 0,
    block_time: swap.block_time,
    block_slot: swap.block_slot ?? null,
    token: swap.token_out,
    token_amount: swap.token_amount_out / 2,
    from: swap.wallet,
    to: null,
  };
}

async function transfersOf(file: string, share: number): Promise<TransferInput[]> {
  const rows: TransferInput[] = [];
  let seen = 0;
  for await (const { batch } of readSwapFile(file, { batchRows: 10_000 }))
    for (const swap of columnsToObjects(batch) as unknown as Moved[])
      if (seen++ % share === 0) rows.push(transferOf(swap, 1_000_000_000 + rows.length));
  return rows;
}
