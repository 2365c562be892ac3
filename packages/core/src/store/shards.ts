import type { Config } from '../config.ts';
import { SwapfoldError } from '../errors.ts';
import { type Shard, showShard } from '../ingest/shard.ts';
import { tokenRegistryTable, walletRegistryTable } from '../records/tables.ts';
import type { Reader, StorageAdapter } from '../storage/adapter.ts';
import { configFingerprintOf, type Folding, mismatchError, mismatchesOf } from './folding.ts';

/** The shards, where they are all of one whole. Errors: `invalid-input`, which names what is missing, twice, or no shard. */
export function checkShards(shards: readonly (Shard | undefined)[]): readonly Shard[] {
  const of = shards[0]?.of;
  const found = new Set<number>();
  for (const shard of shards) {
    if (shard === undefined || of === undefined) throw fault('One of the stores is no part: it holds all wallets.');
    if (shard.of !== of) throw fault(`One store is part ${showShard(shard)} and another is one of ${of}.`);
    if (found.has(shard.index)) throw fault(`Two stores are part ${showShard(shard)}.`);
    found.add(shard.index);
  }
  if (of === undefined) throw fault('There is no part to merge.');
  const missing = Array.from({ length: of }, (_, i) => i + 1).filter((index) => !found.has(index));
  if (missing.length > 0)
    throw fault(`Of ${of} parts, ${missing.map((index) => showShard({ index, of })).join(', ')} is missing.`);
  return shards as readonly Shard[];
}

/** Errors: `store-mismatch` where swaps are folded otherwise under two configurations. */
export function checkSameFolding(whole: Config, shard: Config): void {
  if (configFingerprintOf(whole, undefined) === configFingerprintOf(shard, undefined)) return;
  throw new SwapfoldError(
    'store-mismatch',
    'A part was folded with other quote tokens, dust or address format than this store has; open all with one configuration.',
  );
}

/** Errors: `store-mismatch` where a copy would hold profiles of other rules or metrics than its handle has. */
export function checkSameProfiles(source: Folding, target: Folding): void {
  const mismatches = mismatchesOf(source, target);
  if (mismatches.length === 0) return;
  throw mismatchError(mismatches, 'Open the store to copy and the new one with the same configuration and metrics.');
}

/** Whether registries are empty; swaps aside. */
export async function hasNoRegistry(reader: Reader): Promise<boolean> {
  return (await reader.count(tokenRegistryTable)) + (await reader.count(walletRegistryTable)) === 0;
}

/** Runs `read` with a snapshot of each store. */
export async function readingAll<R>(
  storages: readonly StorageAdapter[],
  read: (readers: readonly Reader[]) => Promise<R>,
): Promise<R> {
  const [first, ...others] = storages;
  if (first === undefined) return read([]);
  return first.snapshot((reader) => readingAll(others, (readers) => read([reader, ...readers])));
}

function fault(message: string): SwapfoldError {
  return new SwapfoldError('invalid-input', message);
}
