import { randomUUID } from 'node:crypto';
import { type ChangedProfiles, markDirty } from '../ingest/changes.ts';
import type { Batch } from '../records/columns.ts';
import type { EntityKind, ProfileKind } from '../records/profile-fields.ts';
import { dirtyTable } from '../records/tables.ts';
import type { Writer } from '../storage/adapter.ts';
import { writeMeta } from '../storage/meta.ts';
import { everything, isIn, type Predicate } from '../storage/predicate.ts';
import { wallClock } from '../time.ts';
import type { FoldContext } from './context.ts';

export interface WriteOptions {
  /** Whether all profiles are folded anew: then the stored ones go, whatever they are of. */
  readonly isFull: boolean;
  /** Whether those were folded, too, that time alone has changed: then every stored profile holds at the as-of time. */
  readonly isAging: boolean;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Profiles whose rows are written, and which count once `settleProfiles` has said so in the same transaction. */
export interface StoredProfiles {
  readonly stored: Readonly<Record<ProfileKind, number>>;
  readonly changed: ChangedProfiles;
  /** The native price at the as-of time, USD; `NaN` if it is unknown. */
  readonly nativeUsd: number;
  /** Whether every stored profile holds at the as-of time. */
  readonly isAll: boolean;
  /** Entities that have no profile at the as-of time. */
  readonly missing: Readonly<Record<EntityKind, readonly number[]>>;
}

/** How many profiles were folded. */
export interface RefreshResult {
  readonly as_of: number;
  readonly tokens: number;
  readonly wallets: number;
  readonly positions: number;
}

/** A refresh, by a name of its own; it counts once its transaction is committed. */
export interface Refreshed {
  readonly result: RefreshResult;
  readonly name: string;
  readonly changed: ChangedProfiles;
  /** Of a refresh of all profiles: as of when, and when it stored them. */
  readonly all: { readonly allAsOf: number; readonly allAt: number } | undefined;
}

/** Stores the profiles that were folded, in any order, in place of those of the same entities, inside one transaction. */
export async function writeProfiles(
  writer: Writer,
  context: FoldContext,
  folded: AsyncIterable<FoldMessage>,
  options: WriteOptions,
): Promise<Refreshed> {
  return settleProfiles(writer, context, await storeProfiles(writer, context, folded, options));
}

/** The rows of `writeProfiles`. */
export async function storeProfiles(
  writer: Writer,
  context: FoldContext,
  folded: AsyncIterable<FoldMessage>,
  { isFull, isAging, onProgress }: WriteOptions,
): Promise<StoredProfiles> {
  const missing: Record<EntityKind, number[]> = { tokens: [], wallets: [] };
  const stored: Record<ProfileKind, number> = { tokens: 0, wallets: 0, positions: 0 };
  const changed: ChangedProfiles = { ids: { tokens: [], wallets: [], positions: [] }, isAll: isFull };
  let total = 0;
  let done = 0;
  let nativeUsd = Number.NaN;
  let isCleared = !isFull;
  for await (const some of folded) {
    if (some.kind === 'found') {
      total += some.entities;
      ({ nativeUsd } = some);
      continue;
    }
    // Only now: until the first profiles are there, the old ones say which there were.
    if (!isCleared) await clear(writer, context);
    isCleared = true;
    const { kind, rows } = some;
    const { table } = context.shapes[kind];
    if (isFull) await writer.append(table, rows);
    else {
      if (some.missing.length > 0) await writer.remove(table, isIn('id', some.missing));
      await writer.replace(table, rows);
      changed.ids[kind].push(some.missing, rows.columns.id as Int32Array | Float64Array);
    }
    stored[kind] += rows.length;
    if (some.kind === 'positions') continue;
    for (const id of some.missing) missing[some.kind].push(id);
    done += rows.length + some.missing.length;
    onProgress?.(done, total);
  }
  if (!isCleared) await clear(writer, context);
  return { stored, changed, missing, nativeUsd, isAll: isFull || isAging };
}

export interface SettleOptions {
  /** Dirty entities that count as refreshed. Default: all. */
  readonly settled?: Predicate;
  /** Whether what a process caches of this refresh may be continued by the next. Default true. */
  readonly isNamed?: boolean;
}

/** What changed since the refresh before counts as refreshed. */
export async function settleProfiles(
  writer: Writer,
  context: FoldContext,
  { stored, changed, missing, nativeUsd, isAll }: StoredProfiles,
  { settled = everything, isNamed = true }: SettleOptions = {},
): Promise<Refreshed> {
  await settleDirty(writer, context, { missing, settled });
  const name = randomUUID();
  const all = isAll ? { allAsOf: context.asOf, allAt: wallClock() } : undefined;
  await writeMeta(writer, {
    profiles_as_of: String(context.asOf),
    profiles_last_time: String(context.lastTime ?? 0),
    profiles_native_price: Number.isNaN(nativeUsd) ? undefined : String(nativeUsd),
    ...(all === undefined ? {} : { profiles_all_as_of: String(all.allAsOf), profiles_all_at: String(all.allAt) }),
    ...(isNamed ? { profiles_refresh: name } : {}),
  });
  return { result: { as_of: context.asOf, ...stored }, name, changed, all };
}

async function clear(writer: Writer, { shapes }: FoldContext): Promise<void> {
  for (const { table } of Object.values(shapes)) await writer.remove(table, everything);
}

/** As of an instant before the newest swap all that is dirty stays so, and what the instant hides is marked too: a later refresh finds it. */
async function settleDirty(
  writer: Writer,
  context: FoldContext,
  {
    missing,
    settled,
  }: { readonly missing: Readonly<Record<EntityKind, readonly number[]>>; readonly settled: Predicate },
): Promise<void> {
  if (context.asOf < (context.lastTime ?? 0)) {
    for (const kind of ['tokens', 'wallets'] as const)
      await markDirty(writer, kind, new Map(missing[kind].map((id) => [id, 0])));
    return;
  }
  await writer.remove(dirtyTable, settled);
}

/**
 * What a refresh folds: first, once, how many entities there are to fold; then their profiles, some thousands at a time. The positions of
 * wallets come before the last profiles of wallets.
 */
export type FoldMessage = FoundEntities | FoldedProfiles | FoldedPositions;

interface FoundEntities {
  readonly kind: 'found';
  readonly entities: number;
  /** The native price at the as-of time, USD; `NaN` if it is unknown. */
  readonly nativeUsd: number;
}

interface FoldedProfiles {
  readonly kind: EntityKind;
  readonly missing: Int32Array;
  /** Rows of the table of profiles, which replace the rows of the same entities. */
  readonly rows: Batch;
}

export interface FoldedPositions {
  readonly kind: 'positions';
  /** Pairs whose stored positions go before rows are stored, of which some may have no trade by the as-of time. */
  readonly missing: Float64Array;
  /** Rows of the table of positions, which replace the rows of the same pairs. */
  readonly rows: Batch;
}
