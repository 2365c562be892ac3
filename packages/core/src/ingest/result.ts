/** A swap that was not stored: `row` counts the input from 0; `field` is the one at fault. */
export interface Reject {
  readonly row: number;
  readonly field: string;
  readonly reason: string;
}

/** A swap whose identity is stored with another payload: the stored row stays. */
export interface Conflict {
  readonly row: number;
  readonly tx_hash: string;
  readonly swap_index: number;
  readonly reason: string;
}

/** A new swap that the store has under another index. */
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
 * - `added + duplicate + conflicting + rejected` is the number of input rows.
 * - `rejects`, `conflicts`: the first 1,000 of each; `onReject` and `onConflict` see all.
 * - `unknown_fields`: the first 100 fields of rows that no swap has. The rows are stored without them.
 */
export interface IngestResult {
  added: number;
  duplicate: number;
  conflicting: number;
  rejected: number;
  readonly rejects: Reject[];
  readonly conflicts: Conflict[];
  readonly unknown_fields: UnknownField[];
}
