import type { ConfigInput, SwapColumns } from '@swapfold/core';
import type { MarketToken, MarketWallet } from './registry.ts';

/** A transfer between a wallet of the market and an address that does not trade in it. */
export interface MarketTransfer {
  readonly tx_hash: string;
  readonly transfer_index: number;
  readonly block_time: number;
  readonly block_slot: number;
  readonly tx_index?: number;
  readonly token: string;
  readonly token_amount: number;
  readonly from: string;
  readonly to: string;
  readonly kind: 'deposit' | 'withdrawal';
}

/** A made-up market. Everything in it can be read any number of times, and is the same every time. */
export interface Market {
  /** The configuration that suits it. */
  readonly config: ConfigInput;
  /** The swaps in the order in which they happened, in batches that hold whole transactions. */
  swaps(): Iterable<SwapColumns>;
  /** The transfers beside them, in the order in which they happened: what reaches a wallet, or leaves it, without a swap. */
  transfers(): Iterable<MarketTransfer>;
  /** The token registry: some tokens are missing from it, as they would be. */
  tokens(): readonly MarketToken[];
  /** The wallet registry: the few wallets that are known by name. */
  wallets(): readonly MarketWallet[];
}
