import assert from 'node:assert/strict';
import { type ConfigInput, type StorageAdapter, Swapfold, type SwapInput } from '@swapfold/core';
import { dumpStore } from './dump.ts';
import { shuffled } from './shuffle.ts';

export interface Fed {
  readonly config: ConfigInput;
  readonly swaps: readonly SwapInput[];
}

/** A new store each time it is called. */
type Open = () => StorageAdapter;

/** Every row of the store that one import of all swaps gives. */
export async function wholeStore(storage: StorageAdapter, { config, swaps }: Fed): Promise<readonly string[]> {
  const dex = await Swapfold.open({ storage, config });
  await dex.ingest(swaps);
  await dex.refresh();
  const dump = await dumpStore(dex, storage);
  await dex.close();
  return dump;
}

/** A part, fed the whole input in an order and in batches of its own. */
export async function feedPart(
  storage: StorageAdapter,
  { config, swaps, index, of, batch }: Fed & { readonly index: number; readonly of: number; readonly batch: number },
): Promise<Swapfold> {
  const part = await Swapfold.open({ storage, config, shard: { index, of } });
  const fed = index % 2 === 1 ? swaps : shuffled(swaps, of + index - 1);
  for (let from = 0; from < fed.length; from += batch) await part.ingest(fed.slice(from, from + batch));
  // One that was stopped in the middle runs again from the beginning.
  if (index === 1) await part.ingest(fed.slice(0, fed.length / 2));
  return part;
}

/** Every row of the store that the parts give, merged in any order. The parts are closed. */
export async function mergedStore(
  open: Open,
  { swaps, config }: Fed,
  given: readonly Swapfold[],
): Promise<readonly string[]> {
  const storage = open();
  const dex = await Swapfold.open({ storage, config });
  const { swaps: count } = await dex.merge(shuffled(given, given.length));
  assert.equal(count, swaps.length);
  await dex.refresh();
  const dump = await dumpStore(dex, storage);
  for (const part of given) await part.close();
  await dex.close();
  return dump;
}
