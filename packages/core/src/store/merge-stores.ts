import { SwapfoldError } from '../errors.ts';
import { everything } from '../ingest/changes.ts';
import { type Shard, showShard } from '../records/shard.ts';
import { untilAborted } from '../storage/abortable.ts';
import type { Reader, StorageAdapter } from '../storage/adapter.ts';
import type { MergeCall } from '../swapfold-options.ts';
import { checkSameFolding } from './folding.ts';
import { mergeShards } from './merge.ts';
import type { StoreSession } from './session.ts';

/** As `Swapfold.merge`. */
export async function mergeStores(
  session: StoreSession,
  stores: readonly StoreSession[],
  { signal, onSwaps }: MergeCall,
): Promise<{ readonly swaps: number }> {
  const shards = checkShards(stores.map(({ shard }) => shard));
  if (session.shard !== undefined || session.remembered.ingest.lastTime !== null)
    throw new SwapfoldError('invalid-input', 'Parts are merged into a store that is empty and of no part itself.');
  for (const { config } of stores) checkSameFolding(session.config, config);
  const swaps = await readingAll(
    stores.map(({ storage }) => storage),
    (readers) =>
      session.write({ signal, changes: everything() }, (writer) => {
        const sources = readers.map((reader, i) => ({ reader: untilAborted(reader, signal), shard: shards[i]! }));
        return mergeShards(writer, sources, { context: session.applyContext(), onProgress: onSwaps });
      }),
  );
  await session.start();
  return { swaps };
}

/** The shards, if they are all of one whole. Errors: `invalid-input`, which names what is missing, twice, or no shard. */
function checkShards(shards: readonly (Shard | undefined)[]): readonly Shard[] {
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

/** Runs `read` with a snapshot of each store. */
async function readingAll<R>(
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
