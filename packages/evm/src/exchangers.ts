import type { AccountFlows, Flows } from './flows.ts';

/** A swap as its pool saw it. */
export interface PoolSwap {
  /** The number of its log in the block. */
  readonly at: number;
  readonly tokenIn: string;
  readonly tokenOut: string;
  readonly amountIn: bigint;
  readonly amountOut: bigint;
}

/** Whether an account gave the first token of a swap, or got the last one. */
export const tookPart = ({ gave, got }: AccountFlows, swaps: readonly PoolSwap[]): boolean =>
  swaps.some(({ tokenIn, tokenOut }) => gave.has(tokenIn) || got.has(tokenOut));

/** Accounts other than one that gave the first token of swaps and got the last one, and kept of what passed. */
export function exchangers(swaps: readonly PoolSwap[], flows: Flows, except: string): string[] {
  const first = new Set(swaps.map(({ tokenIn }) => tokenIn));
  const last = new Set(swaps.map(({ tokenOut }) => tokenOut));
  const starts = [...first].filter((token) => !last.has(token));
  const ends = [...last].filter((token) => !first.has(token));
  const isCircle = starts.length === 0 || ends.length === 0;
  return [...flows.accounts()].filter((account) => {
    if (account === except) return false;
    if (!isCircle)
      return (
        starts.some((token) => flows.given(account, token) > 0n) &&
        ends.some((token) => flows.given(account, token) < 0n)
      );
    const { gave, got } = flows.of(account);
    const [start, end] = [swaps[0]!.tokenIn, swaps.at(-1)!.tokenOut];
    return gave.has(start) && got.has(end) && flows.given(account, start) !== 0n;
  });
}
