import type { SwapInput } from '@swapfold/core';

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const TOKEN = 'JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSnbKedZNsDvCN';
const WALLET = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T';

/** Swaps with hashes of their own, one a second. */
export function tradesOf(name: string, count: number, from = 0): SwapInput[] {
  return Array.from({ length: count }, (_, i) => ({
    tx_hash: `${name}${from + i}`,
    swap_index: 0,
    block_time: 1_700_000_000 + from + i,
    wallet: WALLET,
    token_in: USDC,
    token_out: TOKEN,
    token_amount_in: 10,
    token_amount_out: 5,
  }));
}
