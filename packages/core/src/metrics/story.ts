/**
 * One trade of a story: how long before the as-of time, what, of which counterparty, how many tokens for how many USD. `null` USD are
 * unknown: it is paid in the native token, `native` of it, or 1. `fee` is what the wallet paid the chain, in native tokens.
 */
export type StoryTrade = readonly [
  ago: string,
  side: 'buy' | 'sell',
  counterparty: string,
  amount: number,
  usd: number | null,
  more?: { readonly native?: number; readonly fee?: number },
];

/**
 * Trades to work an example on by hand: a wallet's over its tokens, or a token's over its wallets (`counterparty` is the other side).
 * Oldest first. The ledger folds them, so that costs and profits are FIFO's own.
 */
export interface Story {
  readonly title: string;
  readonly trades: readonly StoryTrade[];
  /** Supply of every token, for market caps. */
  readonly supply?: number;
  /** Price of the native token at all times, USD; without it there is none. */
  readonly nativePrice?: number;
  /** How long before the as-of time counterparties that are tokens were created. */
  readonly created?: Readonly<Record<string, string>>;
  /** Prints of the token beside its trades: how long before the as-of time, and the price. */
  readonly prints?: readonly (readonly [ago: string, price: number])[];
}

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Seconds of `1h`, `90s`, `1d12h`, `0s`. */
export function storySeconds(ago: string): number {
  let seconds = 0;
  for (const [, count, unit] of ago.matchAll(/(\d+)([smhd])/g)) seconds += Number(count) * units[unit!]!;
  return seconds;
}
