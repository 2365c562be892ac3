import type { GivenSwap, GivenTransfer, SwapColumns, TransferColumns } from '../ingest/columns.ts';
import type { IngestResult, Reject, TransfersResult } from '../ingest-result.ts';
import type { TokenInput, WalletInput } from '../registry/registry.ts';

/**
 * Something that swaps are read from, one after the other: a file that grows, a queue, a node of a chain. `Swapfold.follow` stores what it gives.
 *
 * @example
 * const source: Source = {
 *   name: 'blocks',
 *   async *read(after) {
 *     for (let block = after === null ? 0 : Number(after) + 1; ; block++)
 *       yield { rows: await swapsOf(block), place: String(block) };
 *   },
 * };
 */
export interface Source {
  /** What the store remembers its place by: 1 to 1,000 characters. Another name is another source, which begins anew. */
  readonly name: string;
  /** What it could not read, or is not sure of, by reason: numbers that grow while it is read. `status` and the metrics of a server have them. */
  readonly undecoded?: Readonly<Record<string, number>> | undefined;
  /**
   * Reads on from `after`, the place of the last item that is stored; from the beginning if it is `null`. Ends if there is nothing more to
   * come; waits if there may be, until `signal` aborts.
   */
  read(after: string | null, options: { readonly signal: AbortSignal }): AsyncIterable<SourceItem>;
}

/** What a source gives: swaps, or a rollback. Each is stored in one transaction with its place. */
export type SourceItem = SourceRows | SourceRollback;

/** Swaps, or registry rows, that a source gives at once. */
export interface SourceRows {
  /** Swaps, or a column batch of them; may be empty. */
  readonly rows: readonly GivenSwap[] | SwapColumns;
  /** Rows of the registries that came with the swaps, stored before them. */
  readonly tokens?: readonly TokenInput[] | undefined;
  readonly wallets?: readonly WalletInput[] | undefined;
  /** Transfers, or a column batch of them, stored behind the swaps. */
  readonly transfers?: readonly GivenTransfer[] | TransferColumns | undefined;
  /** Whether only the transfers are stored whose token and one of whose wallets have a swap in the store, or in this item up to their transaction. */
  readonly onlyKnown?: boolean | undefined;
  /** Where the source goes on after this item: any text that the source itself understands, up to 1,000,000 characters. */
  readonly place: string;
  /** Whether more is there already: `keepFresh` refreshes once the source has caught up. */
  readonly more?: boolean | undefined;
  readonly rollback?: undefined;
}

/** The chain orphaned a block slot and all later ones. */
export interface SourceRollback {
  readonly rollback: { readonly from_block_slot: number };
  /** Where the source goes on: before the blocks that take the place of the orphaned ones. */
  readonly place: string;
  readonly more?: boolean | undefined;
  readonly rows?: undefined;
}

/** The place that the store remembers of a source. */
export interface SourcePlace {
  readonly name: string;
  readonly place: string;
}

/**
 * What became of what a source gave, as of an ingest, and beside it:
 *
 * - `registered`: rows of the registries that were stored; `unregistered`: those at fault, the first 1,000.
 * - `transfers`: what became of the transfers, as of `transfers.ingest`; those that `onlyKnown` leaves out are in none of its counts.
 * - `rolled_back`: swaps that rollbacks removed.
 * - `place`: the place of the last item stored, `null` if the store has nothing of the source.
 */
export interface FollowResult extends IngestResult {
  registered: number;
  readonly unregistered: Reject[];
  readonly transfers: TransfersResult;
  rolled_back: number;
  place: string | null;
}

/** How up to date a store is. Times are Unix seconds, `null` without swaps or profiles. */
export interface StoreStatus {
  readonly newest_block_time: number | null;
  /** As-of time of the last refresh, be it of the profiles of what was traded alone. */
  readonly profiles_as_of: number | null;
  /** As-of time of the last refresh of all: every stored profile holds at it or later. */
  readonly all_profiles_as_of: number | null;
  /** When that refresh stored them, by the clock of the machine. */
  readonly all_refreshed_at: number | null;
  /** Sources that this process follows, how many rows of each it has taken since, and what each says that it could not read. */
  readonly sources: readonly {
    readonly name: string;
    readonly rows: number;
    readonly undecoded: Readonly<Record<string, number>>;
  }[];
}
