import type { PoolSwap } from './exchangers.ts';
import type { AccountFlows } from './flows.ts';

/** What a tax or a fee takes at most of an amount: a half. What differs by more is something else, such as liquidity that was added as well. */
const MOST_TAKEN = 2n;

/**
 * Amounts of swaps that the wallet itself gave or got in place of the pool: of the tokens that only went in and of those that only came out,
 * if the wallet gave more than the pools received, or got less than they gave. The difference is a tax of the token, a fee of a platform or
 * of a hook.
 *
 * - Shape: swaps with an amount in and an amount out; those whose amounts are the pool's may be left out.
 * - Edges: of several swaps with the same token, each has its part of the difference, the last one the rest of the division. A token that
 *   went in and came out, and the native token itself, have the amounts of the pools.
 */
export function ownSide(
  { gave, got }: AccountFlows,
  swaps: readonly PoolSwap[],
): ReadonlyMap<PoolSwap, readonly [amountIn: bigint, amountOut: bigint]> {
  const own = new Map<PoolSwap, readonly [bigint, bigint]>();
  for (const [token, all] of gave) {
    const given = all - (got.get(token) ?? 0n);
    const those = only(token, swaps, 'tokenIn', 'tokenOut');
    const pools = sum(those.map(({ amountIn }) => amountIn));
    if (given <= pools || given > MOST_TAKEN * pools) continue;
    const parts = divide(
      given,
      those.map(({ amountIn }) => amountIn),
    );
    for (const [i, swap] of those.entries()) own.set(swap, [parts[i]!, own.get(swap)?.[1] ?? swap.amountOut]);
  }
  for (const [token, all] of got) {
    const taken = all - (gave.get(token) ?? 0n);
    const those = only(token, swaps, 'tokenOut', 'tokenIn');
    const pools = sum(those.map(({ amountOut }) => amountOut));
    if (taken >= pools || MOST_TAKEN * taken < pools) continue;
    const parts = divide(
      taken,
      those.map(({ amountOut }) => amountOut),
    );
    for (const [i, swap] of those.entries()) own.set(swap, [own.get(swap)?.[0] ?? swap.amountIn, parts[i]!]);
  }
  return own;
}

type Side = 'tokenIn' | 'tokenOut';

/** Swaps with a token on one side; none of a token that is on the other side of one as well. */
function only(token: string, swaps: readonly PoolSwap[], side: Side, other: Side): readonly PoolSwap[] {
  return swaps.some((swap) => swap[other] === token) ? [] : swaps.filter((swap) => swap[side] === token);
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);

/** Parts of a total in the proportion of amounts. */
function divide(total: bigint, amounts: readonly bigint[]): bigint[] {
  const all = sum(amounts);
  const parts = amounts.map((amount) => (amount * total) / all);
  parts[parts.length - 1]! += total - sum(parts);
  return parts;
}
