import { markDirty } from '../ingest/dirty.ts';
import type { Metric } from '../metrics/metric.ts';
import type { ProfileKind } from '../profiles/fields.ts';
import type { QueryContext } from '../queries/context.ts';
import { dirtyTable, tokenRegistryTable, walletRegistryTable } from '../records/tables.ts';
import type { Reader, Writer } from '../storage/adapter.ts';
import { compare, everything, isIn } from '../storage/predicate.ts';
import { profileBlocks, readEntities } from './fold-profiles.ts';
import type { CompiledRule } from './labels.ts';

/** Profiles that are folded and written at once: bounds the memory of a refresh. */
const CHUNK: Readonly<Record<ProfileKind, number>> = { wallets: 20_000, tokens: 5000 };

export interface RefreshOptions {
  readonly metrics: readonly Metric[];
  readonly rules: Readonly<Record<ProfileKind, readonly CompiledRule[]>>;
  readonly syncedAt: number;
  /** Fold every entity anew: the as-of time went back, or metrics or rules changed. */
  readonly isFull: boolean;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** How many profiles were folded. */
export interface RefreshResult {
  readonly as_of: number;
  readonly tokens: number;
  readonly wallets: number;
}

/**
 * Brings the stored profiles to the context's as-of time, inside one transaction: folds the entities that changed or whose profile time
 * has passed by, and leaves the others, which hold.
 */
export async function refreshProfiles(
  writer: Writer,
  context: QueryContext,
  options: RefreshOptions,
): Promise<RefreshResult> {
  const { metrics, syncedAt } = options;
  const kinds = ['tokens', 'wallets'] as const;
  const ids = {
    tokens: await staleIds(writer, context, 'tokens', options.isFull),
    wallets: await staleIds(writer, context, 'wallets', options.isFull),
  };
  const total = ids.tokens.length + ids.wallets.length;
  let done = 0;
  const missing: Record<ProfileKind, number[]> = { tokens: [], wallets: [] };
  for (const kind of kinds) {
    const { table } = context.shapes[kind];
    const all = ids[kind];
    if (options.isFull) await writer.remove(table, everything);
    if (all.length === 0) continue;
    let reading = readEntities(context, kind, all.subarray(0, CHUNK[kind]));
    for (let from = 0; from < all.length; from += CHUNK[kind]) {
      const reads = await reading;
      const next = from + CHUNK[kind];
      // The engine reads the next entities while these are folded.
      if (next < all.length) reading = readEntities(context, kind, all.subarray(next, next + CHUNK[kind]));
      reading.catch(() => undefined);
      if (!options.isFull) await writer.remove(table, isIn('id', reads.ids));
      for await (const rows of profileBlocks(context, { kind, metrics, rules: options.rules[kind], syncedAt }, reads)) {
        await writer.append(table, rows);
      }
      reads.ids.forEach((id, row) => {
        if (reads.exists[row] === 0) missing[kind].push(id);
      });
      done += reads.ids.length;
      options.onProgress?.(done, total);
    }
  }
  await settleDirty(writer, context, missing);
  return {
    as_of: context.asOf,
    tokens: ids.tokens.length - missing.tokens.length,
    wallets: ids.wallets.length - missing.wallets.length,
  };
}

/** Entities to fold, ascending. */
async function staleIds(
  reader: Reader,
  context: QueryContext,
  kind: ProfileKind,
  isFull: boolean,
): Promise<Int32Array> {
  const ids = new Set<number>();
  const { table } = context.shapes[kind];
  const take = async (rows: AsyncIterable<{ columns: { id: Int32Array } }>): Promise<void> => {
    for await (const batch of rows) for (const id of batch.columns.id) ids.add(id);
  };
  type Ids = AsyncIterable<{ columns: { id: Int32Array } }>;
  await take(reader.stream({ table: dirtyTable, columns: ['id'], where: compare('entity', 'eq', kind) }));
  if (isFull) {
    await take(reader.stream({ table, columns: ['id'] }) as unknown as Ids);
    await take(reader.stream({ table: kind === 'tokens' ? tokenRegistryTable : walletRegistryTable, columns: ['id'] }));
  } else {
    await take(
      reader.stream({ table, columns: ['id'], where: compare('fresh_until', 'lt', context.asOf) }) as unknown as Ids,
    );
  }
  return Int32Array.from(ids).sort();
}

/** Entities that the as-of time hides stay dirty, so that a later refresh finds them. */
async function settleDirty(
  writer: Writer,
  context: QueryContext,
  missing: Readonly<Record<ProfileKind, readonly number[]>>,
): Promise<void> {
  if (context.asOf < (context.lastTime ?? 0)) {
    for (const kind of ['tokens', 'wallets'] as const) await markDirty(writer, kind, missing[kind]);
    return;
  }
  await writer.remove(dirtyTable, everything);
}
