import type { StorageAdapter } from '@swapfold/core';
import { Swapfold } from '@swapfold/core';
import { smallMarket } from './market.ts';

export const BATCH = 40;
const { swaps, config } = smallMarket({ seed: 61, swaps: 480, wallets: 25, tokens: 10 });
const slots = swaps.map((swap) => swap.block_slot!).sort((a, b) => a - b);

export const crashConfig = config;
export const crashSwaps = swaps;
/** What the script rolls back, to store it again. */
export const crashSlot = slots[300]!;

/**
 * Everything that writes to a store, one after the other; run again on what any part of it has left, it ends in the same store. `onStep`
 * is told what comes next.
 */
export async function runCrashScript(
  storage: StorageAdapter,
  onStep: (step: string, dex: Swapfold) => Promise<void> | void = () => undefined,
): Promise<Swapfold> {
  const dex = await Swapfold.open({ storage, config });
  const batches = (from: number, to: number): Iterable<(typeof swaps)[number]> => swaps.slice(from, to).values();
  await dex.ingest(batches(0, 240), { batchSize: BATCH });
  await onStep('refresh', dex);
  await dex.refresh();
  await onStep('ingest', dex);
  await dex.ingest(batches(240, swaps.length), { batchSize: BATCH });
  await onStep('rollback', dex);
  await dex.rollback({ from_block_slot: crashSlot });
  await onStep('ingest again', dex);
  await dex.ingest(batches(0, swaps.length), { batchSize: BATCH });
  await onStep('rebuild', dex);
  await dex.rebuild();
  await onStep('end', dex);
  await dex.refresh();
  return dex;
}
