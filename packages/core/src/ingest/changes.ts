import type { Trades } from '../ledger/trade.ts';
import type { Swaps } from '../ledger/value.ts';
import type { Batch } from '../records/columns.ts';
import type { legsTable } from '../records/tables.ts';

/** Swaps that came after all stored ones, and what was derived from them, in chain order. */
export interface Appended {
  readonly swaps: Swaps;
  /** Block slot of each swap, `NaN` where it has none. */
  readonly slots: Float64Array;
  readonly legs: Batch<typeof legsTable>;
  readonly trades: Trades;
}

/**
 * What a write changes, told to what the process keeps of the store.
 *
 * - `appended`: only new rows at the end of chain order: what is kept can be continued.
 * - `touched`: rows of these wallets and tokens changed in the middle: what is kept of them is read again.
 */
export interface Changes {
  readonly appended: Appended[];
  readonly touched: { readonly wallets: Set<number>; readonly tokens: Set<number> };
  /** Rows of the registries changed. */
  hasRegistryChanged: boolean;
  /** Anything may have changed. */
  isEverything: boolean;
}

export function newChanges(): Changes {
  return {
    appended: [],
    touched: { wallets: new Set(), tokens: new Set() },
    hasRegistryChanged: false,
    isEverything: false,
  };
}

/** The changes of a write that may change anything. */
export function everything(): Changes {
  return { ...newChanges(), isEverything: true };
}
