import { NO_SWAP } from '../ingest/changes.ts';
import type { ProfileKind } from '../profiles/fields.ts';
import { readMeta } from '../storage/meta.ts';
import type { FoldContext } from './context.ts';
import { type FoldOptions, foldEntities } from './fold.ts';
import type { FoldMessage } from './fold-task.ts';
import { rulesAt } from './labels.ts';
import { type EntityReads, readEntities } from './read.ts';
import type { RefreshCache } from './refresh-cache.ts';
import { findStale, type StaleEntities, type StaleScope } from './stale.ts';
import { readStored } from './stored.ts';

/** Entities that are read at once, while those before are folded: bounds the memory of a refresh. */
const CHUNK: Readonly<Record<ProfileKind, number>> = { wallets: 20_000, tokens: 5000 };

export interface RefreshOptions extends StaleScope {
  /** When the profiles are made, Unix seconds. */
  readonly syncedAt: number;
  /** What the process caches of the entities from refresh to refresh. */
  readonly cached?: RefreshCache | undefined;
}

/**
 * Three of the four stages of a refresh: finds the entities whose profiles do not hold at the context's as-of time, reads what they are
 * made of and folds them, chunk by chunk. `writeProfiles` is the fourth; in between the profiles may come from workers.
 */
export async function* foldStale(context: FoldContext, options: RefreshOptions): AsyncGenerator<FoldMessage> {
  const { cached, isFull, syncedAt } = options;
  const tokens = await findStale(context, 'tokens', options);
  const wallets = await findStale(context, 'wallets', options);
  const swapped = wallets.ids.filter((id) => (wallets.since.get(id) ?? NO_SWAP) < NO_SWAP);
  cached?.expect(isFull ? undefined : (await readMeta(context.reader)).profiles_refresh, swapped);
  yield { kind: 'found', entities: tokens.ids.length + wallets.ids.length };
  const rules = rulesAt(context);
  const chunks = [...chunksOf('tokens', tokens), ...chunksOf('wallets', wallets)];
  for await (const reads of readChunks(context, chunks, options))
    yield* foldChunk(context, reads, { rules: rules[reads.scan.kind], syncedAt });
}

/** Entities that are read, and folded, at once. */
interface Chunk extends StaleEntities {
  readonly kind: ProfileKind;
}

function chunksOf(kind: ProfileKind, { ids, since }: StaleEntities): Chunk[] {
  const size = CHUNK[kind];
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, n) => ({
    kind,
    ids: ids.slice(n * size, (n + 1) * size),
    since,
  }));
}

/** What profiles of the chunks are made of. The engine reads a chunk while the one before is folded. */
async function* readChunks(
  context: FoldContext,
  chunks: readonly Chunk[],
  options: RefreshOptions,
): AsyncGenerator<EntityReads> {
  if (chunks.length === 0) return;
  let reading = readChunk(context, chunks[0]!, options);
  for (const n of chunks.keys()) {
    const reads = await reading;
    const next = chunks[n + 1];
    if (next !== undefined) reading = readChunk(context, next, options);
    reading.catch(() => undefined);
    yield reads;
  }
}

async function readChunk(
  context: FoldContext,
  { kind, ids, since }: Chunk,
  { isFull, cached }: RefreshOptions,
): Promise<EntityReads> {
  const { reader, shapes, asOf } = context;
  const sinceOf = (id: number): number => since.get(id) ?? NO_SWAP;
  const stored = isFull ? undefined : await readStored(reader, kind, shapes[kind].table, ids, sinceOf);
  return readEntities(context, { kind, ids, asOf, stored, cached });
}

async function* foldChunk(context: FoldContext, reads: EntityReads, options: FoldOptions): AsyncGenerator<FoldMessage> {
  const { kind } = reads.scan;
  // A copy, for what is given may be transferred to another thread, and the ids are still read here.
  let ids = reads.ids.slice();
  let missing = reads.ids.filter((_, row) => reads.exists[row] === 0);
  for await (const rows of foldEntities(context, reads, options)) {
    yield { kind, ids, missing, rows };
    ids = new Int32Array();
    missing = new Int32Array();
  }
}
