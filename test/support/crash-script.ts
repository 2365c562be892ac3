import { Swapfold, type TransferInput } from '@swapfold/core';
import type { StorageAdapter } from '@swapfold/core/engine';
import { smallMarket } from './market.ts';
import { cases } from './whole.ts';

export const BATCH = cases(40, 20);
const { swaps, config } = smallMarket({
  seed: 61,
  swaps: cases(480, 240),
  wallets: cases(25, 20),
  tokens: cases(10, 8),
});
const slots = swaps.map((swap) => swap.block_slot!).sort((a, b) => a - b);

export const crashSwaps = swaps;
/** Of every third swap, half of what it gave goes on to the wallet of the next one, some seconds later. */
export const crashTransfers: readonly TransferInput[] = swaps.slice(0, -1).flatMap((swap, i) => {
  const to = swaps[i + 1]!.wallet;
  if (i % 3 !== 0 || to === swap.wallet) return [];
  return {
    tx_hash: `${swap.tx_hash.slice(0, -4)}sent`,
    transfer_index: i,
    block_time: Number(swap.block_time) + 2,
    block_slot: swap.block_slot!,
    token: swap.token_out,
    token_amount: Number(swap.token_amount_out) / 2,
    from: swap.wallet,
    to,
  };
});
/** What the script rolls back, to store it again. */
export const crashSlot = slots[Math.floor(slots.length * 0.625)]!;
const labels = { wallets: [{ label: 'busy', rule: 'trades', filter: { 'metrics.30d.trade_count': { $gte: 3 } } }] };

/** The configuration that the script begins with, one for which it folds the profiles again, and one for which everything. */
export const crashConfigs = [config, { ...config, labels }, { ...config, labels, dust_usd: 5 }] as const;

/** The numbers of the stores that the script leaves: one that saw everything, and a copy of it. */
export const crashStores = [0, 1] as const;

/**
 * Everything that writes to a store, one after the other; run again on what any part of it has left, it ends in the same stores.
 *
 * - `storage` gives the adapter of the store of a number.
 * - `onStep` is told what comes next in the store that sees everything.
 */
export async function runCrashScript(
  storage: (number: number) => StorageAdapter,
  onStep: (dex: Swapfold, storage: StorageAdapter) => Promise<void> | void = () => undefined,
): Promise<void> {
  const [first, ...others] = crashConfigs;
  let main = storage(0);
  // A store that was folded for another configuration before it was killed is folded again.
  let dex = await Swapfold.open({ storage: main, config: first, onMismatch: 'refold' });
  const batches = (from: number, to: number): Iterable<(typeof swaps)[number]> => swaps.slice(from, to).values();
  await dex.ingest(batches(0, swaps.length / 2), { batchSize: BATCH });
  await onStep(dex, main);
  await dex.transfers.ingest(crashTransfers.slice(0, crashTransfers.length / 2));
  await onStep(dex, main);
  await dex.refresh();
  await onStep(dex, main);
  await dex.transfers.ingest(crashTransfers);
  await onStep(dex, main);
  await dex.ingest(batches(swaps.length / 2, swaps.length), { batchSize: BATCH });
  await onStep(dex, main);
  await dex.rollback({ from_block_slot: crashSlot });
  await onStep(dex, main);
  await dex.ingest(batches(0, swaps.length), { batchSize: BATCH });
  await onStep(dex, main);
  await dex.transfers.ingest(crashTransfers);
  await onStep(dex, main);
  await dex.rebuild();
  await onStep(dex, main);
  await dex.refresh();
  await onStep(dex, main);
  await dex.close();
  for (const config of others) {
    main = storage(0);
    dex = await Swapfold.open({ storage: main, config, onMismatch: 'refold' });
    await onStep(dex, main);
    await dex.close();
  }
  await copyStore(storage);
}

/** Copies the store that saw everything, unless a run before has. */
async function copyStore(storage: (number: number) => StorageAdapter): Promise<void> {
  const config = crashConfigs.at(-1)!;
  const main = await Swapfold.open({ storage: storage(0), config });
  const copy = await Swapfold.open({ storage: storage(1), config });
  if ((await copy.swaps.list({ limit: 1 })).count === 0) await copy.copyFrom(main);
  for (const dex of [main, copy]) await dex.close();
}
