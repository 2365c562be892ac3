import { type ConfigInput, type RefreshWorker, type StorageAdapter, Swapfold, type SwapInput } from '@swapfold/core';
import { dumpStore } from './dump.ts';

export interface RefreshedApart {
  readonly swaps: readonly SwapInput[];
  readonly config: ConfigInput;
  /** Workers of the store, as many as are asked for; absent for refreshes without. */
  readonly workers?: ((stage: number) => Promise<readonly RefreshWorker[]>) | undefined;
}

/**
 * A store after each of some refreshes, as text: the first of all profiles, one after swaps of which some are late, one of what was traded
 * alone, one after the registry has changed, and one of an earlier instant.
 */
export async function refreshedStages(
  storage: StorageAdapter,
  { swaps, config, workers }: RefreshedApart,
): Promise<readonly (readonly string[])[]> {
  const dex = await Swapfold.open({ storage, config });
  const stages: (readonly string[])[] = [];
  const refresh = async (call: Parameters<Swapfold['refresh']>[0] = {}): Promise<void> => {
    const counts = await dex.refresh({ ...call, workers: await workers?.(stages.length) });
    stages.push([JSON.stringify(counts), ...(await dumpStore(dex, storage))]);
  };
  const late = swaps.filter((_, i) => i % 97 === 0);
  const inTime = swaps.filter((_, i) => i % 97 !== 0);
  const cut = Math.floor(inTime.length * 0.7);
  await dex.ingest(inTime.slice(0, cut));
  await refresh();
  await dex.ingest(inTime.slice(cut, cut + 200));
  await dex.ingest(late);
  await refresh();
  await dex.ingest(inTime.slice(cut + 200));
  await refresh({ scope: 'traded' });
  await dex.tokens.upsert([
    { address: swaps[0]!.token_in, total_supply: 1e9, created_at: swaps[0]!.block_time - 60 },
    { address: 'never traded', name: 'Nobody' },
  ]);
  await refresh();
  await refresh({ asOf: inTime[cut]!.block_time });
  await dex.close();
  return stages;
}
