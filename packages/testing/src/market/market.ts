import type { ConfigInput, SwapColumns } from '@swapfold/core';
import type { MarketToken, MarketWallet } from './registry.ts';

/** A made-up market. Everything in it can be read any number of times, and is the same every time. */
export interface Market {
  /** The configuration that suits it. */
  readonly config: ConfigInput;
  /** The swaps in the order in which they happened, in batches that hold whole transactions. */
  swaps(): Iterable<SwapColumns>;
  /** The token registry: some tokens are missing from it, as they would be. */
  tokens(): readonly MarketToken[];
  /** The wallet registry: the few wallets that are known by name. */
  wallets(): readonly MarketWallet[];
}
