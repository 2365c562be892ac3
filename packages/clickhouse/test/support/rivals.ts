import { smallMarket } from '../../../../test/support/market.ts';

const { config, swaps } = smallMarket({ seed: 83, swaps: 400, wallets: 25, tokens: 12 });
const slots = swaps.map((swap) => swap.block_slot!).sort((a, b) => a - b);

/** What two processes write against each other. */
export const rivals = {
  config,
  swaps,
  /** What either of them rolls back; swaps before it stay. */
  slot: slots[300]!,
  batch: 12,
};

/** A number generator: the same numbers for the same seed. */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
