/** Part of what a pair ever received below which a computed balance is rounding, and 0. */
const EMPTY_PART = 1e-9;

/** Running balance of a wallet-token pair (docs/reference/metrics.md, "Market and portfolio"). */
export interface Balance {
  balance: number;
  received: number;
  /** Whether the last step was a reported post balance. */
  isReported: boolean;
}

export function newBalance(): Balance {
  return { balance: 0, received: 0, isReported: false };
}

/** One leg, in chain order: `amount` received (positive) or given (negative), and the post balance that the feed reports or `NaN`. */
export function stepBalance(state: Balance, amount: number, reported: number): void {
  if (amount > 0) state.received += amount;
  state.isReported = !Number.isNaN(reported);
  state.balance = state.isReported ? reported : Math.max(0, state.balance + amount);
}

/** The balance as it is served. */
export function settledBalance(balance: number, received: number, isReported: boolean): number {
  return !isReported && balance <= EMPTY_PART * received ? 0 : balance;
}
