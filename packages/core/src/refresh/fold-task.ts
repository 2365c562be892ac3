import type { EntityKind } from '../profiles/fields.ts';
import type { Batch } from '../records/columns.ts';
import type { Shard } from '../records/shard.ts';

/** What a refresh asks of a worker: the profiles of one shard of the entities, of one state of the store. Plain data, to be sent as it is. */
export interface FoldTask {
  /** The entities to fold, by their ids. */
  readonly shard: Shard;
  /** The committed state to read: `Reader.version`. */
  readonly version: number;
  /** How many transactions it holds, and the block time of its newest swap: a worker of another store tells by them. */
  readonly transactions: number;
  readonly last_time: number | null;
  /** Unix seconds. */
  readonly as_of: number;
  /** When the profiles are made, Unix seconds. */
  readonly synced_at: number;
  /** Every entity anew, or those alone whose profiles do not hold. */
  readonly is_full: boolean;
  /** Whether those are to be folded too that time alone has changed. */
  readonly is_aging: boolean;
}

/**
 * What a worker tells: first, once, how many entities it has to fold; then their profiles, some thousands at a time. The positions of wallets
 * come before the last profiles of wallets.
 */
export type FoldMessage = FoundEntities | FoldedProfiles | FoldedPositions;

/** How many entities a worker found to fold. */
export interface FoundEntities {
  readonly kind: 'found';
  readonly entities: number;
}

/** Profiles that a worker folded, as columns. */
export interface FoldedProfiles {
  readonly kind: EntityKind;
  /** Entities that have no profile at the as-of time. */
  readonly missing: Int32Array;
  /** Rows of the table of profiles, which take the place of those of the same entities. */
  readonly rows: Batch;
}

/** Positions that a worker folded, as columns. */
export interface FoldedPositions {
  readonly kind: 'positions';
  /** Pairs whose stored positions go before rows are stored, of which some may have no trade by the as-of time. */
  readonly missing: Float64Array;
  /** Rows of the table of positions, which take the place of those of the same pairs. */
  readonly rows: Batch;
}

/**
 * Folds profiles for a refresh that another process, thread or handle writes: `Swapfold` is one by its method `fold`.
 *
 * - It gives batches as they are asked for and works on none further ahead.
 * - Where `signal` aborts it ends soon, by an error.
 */
export interface RefreshWorker {
  fold(task: FoldTask, options: { readonly signal: AbortSignal }): AsyncIterable<FoldMessage>;
}
