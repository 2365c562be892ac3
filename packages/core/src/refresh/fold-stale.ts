import { NO_SWAP } from '../ingest/dirty.ts';
import type { Shard } from '../ingest/shard.ts';
import type { Metric } from '../metrics/metric.ts';
import type { ProfileKind } from '../profiles/fields.ts';
import type { QueryContext } from '../queries/context.ts';
import type { Batch, Table } from '../records/columns.ts';
import { dirtyTable, swapsTable, tokenRegistryTable, walletRegistryTable } from '../records/tables.ts';
import { compare } from '../storage/predicate.ts';
import { type EntityReads, profileBlocks, readEntities } from './fold-profiles.ts';
import { type FoldMessage, isInShard } from './fold-task.ts';
import type { CompiledRule } from './labels.ts';
import type { RefreshCache } from './refresh-cache.ts';
import { readStored } from './stored.ts';

/** Entities that are read at once, while those before are folded: bounds the memory of a refresh. */
const CHUNK: Readonly<Record<ProfileKind, number>> = { wallets: 20_000, tokens: 5000 };

export interface FoldStale {
  readonly metrics: readonly Metric[];
  readonly rules: Readonly<Record<ProfileKind, readonly CompiledRule[]>>;
  readonly syncedAt: number;
  /** Fold every entity anew: the as-of time went back, or metrics or rules changed. */
  readonly isFull: boolean;
  /** Whether to fold those too whose profile time alone has changed, and not only those that were traded. */
  readonly isAging: boolean;
  /** Only the entities of one shard. */
  readonly shard?: Shard | undefined;
  /** What the process caches of the entities, and the refresh before, of whatever process; `undefined` where there was none. */
  readonly cached?: { readonly entities: RefreshCache; readonly before: string | undefined } | undefined;
}

/** Entities to fold, ascending, and the block time of the first swap that changed, of those with one. */
interface StaleEntities {
  readonly ids: Int32Array;
  readonly since: ReadonlyMap<number, number>;
}

/** Folds the entities that changed, or whose profile time has passed by, to the context's as-of time. The others hold. */
export async function* foldStale(context: QueryContext, options: FoldStale): AsyncGenerator<FoldMessage> {
  const tokens = await staleEntities(context, 'tokens', options);
  const wallets = await staleEntities(context, 'wallets', options);
  const swapped = wallets.ids.filter((id) => (wallets.since.get(id) ?? NO_SWAP) < NO_SWAP);
  options.cached?.entities.expect(options.isFull ? undefined : options.cached.before, swapped);
  yield { kind: 'found', entities: tokens.ids.length + wallets.ids.length };
  const chunks = [...chunksOf('tokens', tokens), ...chunksOf('wallets', wallets)];
  if (chunks.length === 0) return;
  let reading = readChunk(context, chunks[0]!, options);
  for (const [n, { kind }] of chunks.entries()) {
    const reads = await reading;
    const next = chunks[n + 1];
    // The engine reads the next entities while these are folded.
    if (next !== undefined) reading = readChunk(context, next, options);
    reading.catch(() => undefined);
    yield* foldReads(context, kind, reads, options);
  }
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

async function readChunk(
  context: QueryContext,
  { kind, ids, since }: Chunk,
  { isFull, cached }: FoldStale,
): Promise<EntityReads> {
  const sinceOf = (id: number): number => since.get(id) ?? NO_SWAP;
  const stored = isFull ? undefined : await readStored(context.reader, kind, context.shapes[kind].table, ids, sinceOf);
  return readEntities(context, kind, ids, stored, cached?.entities);
}

async function* foldReads(
  context: QueryContext,
  kind: ProfileKind,
  reads: EntityReads,
  { metrics, rules, syncedAt }: FoldStale,
): AsyncGenerator<FoldMessage> {
  // A copy, for what is given may be transferred to another thread, and the ids are still read here.
  let ids = reads.ids.slice();
  let missing = reads.ids.filter((_, row) => reads.exists[row] === 0);
  for await (const rows of profileBlocks(context, { kind, metrics, rules: rules[kind], syncedAt }, reads)) {
    yield { kind, ids, missing, rows };
    ids = new Int32Array();
    missing = new Int32Array();
  }
}

async function staleEntities(
  { reader, shapes, asOf }: QueryContext,
  kind: ProfileKind,
  { isFull, isAging, shard }: FoldStale,
): Promise<StaleEntities> {
  const isOurs = shard === undefined ? () => true : (id: number) => isInShard(id, shard);
  const since = new Map<number, number>();
  const dirty = { table: dirtyTable, columns: ['id', 'since'], where: compare('entity', 'eq', kind) } as const;
  for await (const { columns, length } of reader.stream(dirty))
    for (let row = 0; row < length; row++)
      if (isOurs(columns.id[row]!)) since.set(columns.id[row]!, columns.since[row]!);
  const ids = new Set(since.keys());
  const { table } = shapes[kind];
  const take = async (rows: AsyncIterable<Batch>): Promise<void> => {
    for await (const { columns } of rows)
      for (const column of Object.values(columns)) for (const id of column as Int32Array) if (isOurs(id)) ids.add(id);
  };
  if (isFull) {
    const registry: Table = kind === 'tokens' ? tokenRegistryTable : walletRegistryTable;
    // Not from the stored profiles: they may be those that are dropped, or lost.
    const columns = kind === 'tokens' ? (['token_in', 'token_out'] as const) : (['wallet'] as const);
    await take(reader.stream({ table: swapsTable, columns }) as AsyncIterable<Batch>);
    await take(reader.stream({ table: registry, columns: ['id'] }));
  } else if (isAging) {
    await take(reader.stream({ table, columns: ['id'], where: compare('fresh_until', 'lt', asOf) }));
  }
  return { ids: Int32Array.from(ids).sort(), since };
}
