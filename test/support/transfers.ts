import type { SwapInput, TransferInput } from '@swapfold/core';
import { Random } from '../../packages/testing/src/market/random.ts';

/**
 * Transfers of the wallets and tokens of swaps: some in transactions of swaps, with the same or another place, some of several in a
 * transaction, some without an index, a cost or a side. Rows of one identity have the same values.
 */
export function transfersBeside(swaps: readonly SwapInput[], count: number, seed: number): TransferInput[] {
  const random = new Random(seed, 7);
  const one = <T>(list: readonly T[]): T => list[random.below(list.length)]!;
  return Array.from({ length: count }, (_, i) => {
    const swap = one(swaps);
    const other = one(swaps);
    const isWithin = random.below(3) === 0;
    const isReceived = random.below(2) === 0;
    const from = isReceived ? (random.below(4) === 0 ? null : other.wallet) : swap.wallet;
    const to = isReceived ? swap.wallet : random.below(4) === 0 ? null : other.wallet;
    return {
      tx_hash: isWithin ? swap.tx_hash : `moved-${Math.floor(i / 2)}-${seed}`,
      transfer_index: random.below(5) === 0 ? null : i,
      block_time: isWithin ? swap.block_time + (random.below(3) === 0 ? 1 : 0) : swap.block_time,
      block_slot: swap.block_slot!,
      token: isReceived ? swap.token_in : swap.token_out,
      token_amount: swap.token_amount_out * (0.25 + random.below(4) / 4),
      from,
      to,
      cost_usd: random.below(6) === 0 ? random.below(50) : null,
      kind: random.below(8) === 0 ? 'airdrop' : null,
      includes_swaps: isWithin && random.below(8) === 0,
    };
  });
}
