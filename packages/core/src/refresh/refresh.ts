import { SwapfoldError } from '../errors.ts';
import { markDirty, NO_SWAP } from '../ingest/dirty.ts';
import type { Metric } from '../metrics/metric.ts';
import { show } from '../nearest.ts';
import type { ProfileKind } from '../profiles/fields.ts';
import type { QueryContext } from '../queries/context.ts';
import type { Batch, Table } from '../records/columns.ts';
import { dirtyTable, tokenRegistryTable, walletRegistryTable } from '../records/tables.ts';
import type { Reader, Writer } from '../storage/adapter.ts';
import { compare, everything, isIn } from '../storage/predicate.ts';
import { type EntityReads, profileBlocks, readEntities } from './fold-profiles.ts';
import type { KeptEntities } from './kept-entities.ts';
import type { CompiledRule } from './labels.ts';
import { readStored } from './stored.ts';

/** Profiles that are folded and written at once: bounds the memory of a refresh. */
const CHUNK: Readonly<Record<ProfileKind, number>> = { wallets: 20_000, tokens: 5000 };

export interface RefreshOptions {
  readonly metrics: readonly Metric[];
  readonly rules: Readonly<Record<ProfileKind, readonly CompiledRule[]>>;
  readonly syncedAt: number;
  /** Fold every entity anew: the as-of time went back, or metrics or rules changed. */
  readonly isFull: boolean;
  /** Whether to fold those too whose profile time alone has changed, and not only those that were traded. */
  readonly isAging: boolean;
  /** What the process keeps of the entities. */
  readonly kept: KeptEntities;
  /** The refresh before, of whatever process; `undefined` where there was none. */
  readonly before: string | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

const scopes = ['all', 'traded'] as const;

/** Whether a refresh folds those too that time alone has changed. Errors: `invalid-input` for an unknown scope. */
export function isAging(scope: (typeof scopes)[number] | undefined): boolean {
  if (scope === undefined || scopes.includes(scope)) return scope !== 'traded';
  throw new SwapfoldError('invalid-input', `"scope" of a refresh must be "all" or "traded", not ${show(scope)}.`, {
    details: [{ path: 'scope', message: 'expected "all" or "traded"' }],
  });
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
  const stale = {
    tokens: await staleEntities(writer, context, 'tokens', options),
    wallets: await staleEntities(writer, context, 'wallets', options),
  };
  const { wallets } = stale;
  const swapped = wallets.ids.filter((id) => (wallets.since.get(id) ?? NO_SWAP) < NO_SWAP);
  options.kept.expect(options.isFull ? undefined : options.before, swapped);
  const total = stale.tokens.ids.length + stale.wallets.ids.length;
  let done = 0;
  const missing: Record<ProfileKind, number[]> = { tokens: [], wallets: [] };
  for (const kind of kinds) {
    const { table } = context.shapes[kind];
    const { ids: all, since } = stale[kind];
    if (options.isFull) await writer.remove(table, everything);
    if (all.length === 0) continue;
    const read = async (from: number): Promise<EntityReads> => {
      const ids = all.subarray(from, from + CHUNK[kind]);
      return readEntities(
        context,
        kind,
        ids,
        options.isFull ? undefined : await readStored(writer, kind, table, ids, (id) => since.get(id) ?? NO_SWAP),
        options.kept,
      );
    };
    let reading = read(0);
    for (let from = 0; from < all.length; from += CHUNK[kind]) {
      const reads = await reading;
      const next = from + CHUNK[kind];
      // The engine reads the next entities while these are folded.
      if (next < all.length) reading = read(next);
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
    tokens: stale.tokens.ids.length - missing.tokens.length,
    wallets: stale.wallets.ids.length - missing.wallets.length,
  };
}

/** Entities to fold, ascending, and the block time of the first swap that changed, of those with one. */
async function staleEntities(
  reader: Reader,
  context: QueryContext,
  kind: ProfileKind,
  { isFull, isAging }: Pick<RefreshOptions, 'isFull' | 'isAging'>,
): Promise<{ readonly ids: Int32Array; readonly since: ReadonlyMap<number, number> }> {
  const since = new Map<number, number>();
  const dirty = { table: dirtyTable, columns: ['id', 'since'], where: compare('entity', 'eq', kind) } as const;
  for await (const { columns, length } of reader.stream(dirty))
    for (let row = 0; row < length; row++) since.set(columns.id[row]!, columns.since[row]!);
  const ids = new Set(since.keys());
  const { table } = context.shapes[kind];
  const take = async (rows: AsyncIterable<Batch>): Promise<void> => {
    for await (const batch of rows) for (const id of batch.columns.id as Int32Array) ids.add(id);
  };
  if (isFull) {
    const registry: Table = kind === 'tokens' ? tokenRegistryTable : walletRegistryTable;
    await take(reader.stream({ table, columns: ['id'] }));
    await take(reader.stream({ table: registry, columns: ['id'] }));
  } else if (isAging) {
    await take(reader.stream({ table, columns: ['id'], where: compare('fresh_until', 'lt', context.asOf) }));
  }
  return { ids: Int32Array.from(ids).sort(), since };
}

/** Entities that the as-of time hides stay dirty, so that a later refresh finds them. */
async function settleDirty(
  writer: Writer,
  context: QueryContext,
  missing: Readonly<Record<ProfileKind, readonly number[]>>,
): Promise<void> {
  if (context.asOf < (context.lastTime ?? 0)) {
    for (const kind of ['tokens', 'wallets'] as const)
      await markDirty(writer, kind, new Map(missing[kind].map((id) => [id, 0])));
    return;
  }
  await writer.remove(dirtyTable, everything);
}
