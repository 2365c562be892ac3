import type { PoolSwap } from './exchangers.ts';
import type { AccountFlows } from './flows.ts';

/** What a tax or a fee takes at most of an amount: a half. What differs by more is something else, such as liquidity that was added as well. */
const MOST_TAKEN = 2n;

/**
 * Amounts of swaps that the wallet itself gave or got in place of the pool: of the tokens that only went in and of those that only came out,
 * if the wallet gave more than the pools received, or got less than they gave. The difference is a tax of the token, a fee of a platform or
 * of a hook. If the wallet also got more than they gave, or gave less than they received, all amounts are the pools'.
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
  const given = movedOf(gave, got, swaps, 'tokenIn');
  const taken = movedOf(got, gave, swaps, 'tokenOut');
  // A pool that nobody follows exchanged the same tokens: what differs on the other side is its part, no fee.
  if (taken.some(({ moved, pools }) => moved > pools) || given.some(({ moved, pools }) => moved < pools)) return own;
  for (const { moved, pools, those } of given) {
    if (moved === pools || moved > MOST_TAKEN * pools) continue;
    const parts = divide(
      moved,
      those.map(({ amountIn }) => amountIn),
    );
    for (const [i, swap] of those.entries()) own.set(swap, [parts[i]!, swap.amountOut]);
  }
  for (const { moved, pools, those } of taken) {
    if (moved === pools || MOST_TAKEN * moved < pools) continue;
    const parts = divide(
      moved,
      those.map(({ amountOut }) => amountOut),
    );
    for (const [i, swap] of those.entries()) own.set(swap, [own.get(swap)?.[0] ?? swap.amountIn, parts[i]!]);
  }
  return own;
}

/** A token of swaps: what the wallet gave of it, or got, and what the pools did. */
interface Moved {
  readonly moved: bigint;
  readonly pools: bigint;
  readonly those: readonly PoolSwap[];
}

/** The tokens that only went in, or only came out, as far as the wallet had a part. */
function movedOf(
  moved: AccountFlows['gave'],
  back: AccountFlows['gave'],
  swaps: readonly PoolSwap[],
  side: Side,
): readonly Moved[] {
  const [other, amount] =
    side === 'tokenIn' ? (['tokenOut', 'amountIn'] as const) : (['tokenIn', 'amountOut'] as const);
  return [...moved].flatMap(([token, all]) => {
    const those = only(token, swaps, side, other);
    const net = all - (back.get(token) ?? 0n);
    return those.length === 0 || net <= 0n
      ? []
      : [{ moved: net, pools: sum(those.map((swap) => swap[amount])), those }];
  });
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
