/** Where a row is from, as its batch says (`SwapColumns.file` and `numbers`). */
export interface RowPlace {
  readonly file: string;
  /** Its number there. */
  readonly row: number;
}

/** A swap that was not stored: `row` counts the input from 0; `field` is the one at fault. */
export interface Reject {
  readonly row: number;
  readonly field: string;
  readonly reason: string;
  /** Absent if its batch does not say. */
  readonly from?: RowPlace;
}

/** A swap whose identity is stored with another payload: the stored row stays. */
export interface Conflict {
  readonly row: number;
  readonly tx_hash: string;
  readonly swap_index: number;
  readonly reason: string;
  readonly from?: RowPlace;
}

/** A transfer whose identity is stored with another payload: the stored row stays. */
export interface TransferConflict {
  readonly row: number;
  readonly tx_hash: string;
  /** Of a row without an index, the index that it got. */
  readonly transfer_index: number;
  readonly reason: string;
  readonly from?: RowPlace;
}

/** A new swap that the store has under another index: of the same tokens and amounts, in the same transaction. */
export interface SameSwap {
  readonly row: number;
  readonly tx_hash: string;
  readonly swap_index: number;
}

/** A field of input rows that no swap has: it is not stored. */
export interface UnknownField {
  readonly field: string;
  /** How many rows carried it. */
  rows: number;
  /** The field of a swap that may have been meant: the nearest one that the first such row lacks. */
  readonly nearest: string | null;
}

/**
 * What became of the swaps of one `ingest` call.
 *
 * - `added + duplicate + conflicting + rejected`, and `passed_over`, is the number of input rows.
 * - `passed_over`, `odd_hashes`, `aggregates` are absent where they would be 0.
 * - `passed_over`: rows of a token for itself under an alias, such as a wrap of the native token. They are not stored.
 * - `odd_hashes`: rows that were not rejected, of a store for an EVM chain, whose `tx_hash` has not the form of such a hash.
 * - `aggregates`: swaps that are the sum of two or more others of their transaction, which the input completed. They are stored.
 * - `rejects`, `conflicts`: the first 1,000 of each; `onReject` and `onConflict` see all.
 * - `unknown_fields`: the first 100 fields of rows that no swap has. The rows are stored without them.
 */
export interface IngestResult {
  added: number;
  duplicate: number;
  conflicting: number;
  rejected: number;
  passed_over?: number;
  odd_hashes?: number;
  aggregates?: number;
  readonly rejects: Reject[];
  readonly conflicts: Conflict[];
  readonly unknown_fields: UnknownField[];
}

/**
 * What became of the transfers of one `transfers.ingest` call, as `IngestResult` says it of swaps.
 *
 * - `duplicate`: transfers that are stored, or came before in the call, with these values; their time and place may be others.
 * - `passed_over`: rows that move nothing: of an amount of 0, and of the native token as it is wrapped or unwrapped.
 */
export interface TransfersResult extends Omit<IngestResult, 'aggregates' | 'conflicts'> {
  readonly conflicts: TransferConflict[];
}

/** What a rollback removed. */
export interface RollbackResult {
  readonly swaps: number;
  /** Transactions of swaps. */
  readonly transactions: number;
  /** Absent if there were none. */
  readonly transfers?: number;
}
