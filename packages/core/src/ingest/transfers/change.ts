import type { Transfers } from './check.ts';

/** Rows that the store gets, and rows that it loses: both of one that becomes another. */
export interface TransferChange {
  readonly added: Transfers;
  readonly removed: Transfers;
  /** Rows that stay, of transactions that get swaps. */
  readonly beside?: Transfers;
}
