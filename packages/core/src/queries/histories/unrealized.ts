import type { QueryContext } from '../context.ts';
import type { HeldToken } from './held-lots.ts';
import type { Instants } from './instants.ts';
import { pricesAt, type Span } from './prices-at.ts';

/** Tokens whose prints are read together: their prices at all instants are in memory at once. */
const TOGETHER = 256;

/**
 * Unrealised pnl of a wallet at instants, USD: for each token, the tokens in its open lots of known cost at its last print until then, less
 * that cost. Lots without a print stay out. Tokens are added up in the order in which they are given.
 */
export async function unrealizedAt(
  context: QueryContext,
  tokens: readonly HeldToken[],
  instants: Instants,
): Promise<Float64Array> {
  const pause = context.yielder();
  const { length } = instants.times;
  const sums = new Float64Array(length);
  const held = tokens.map((token) => ({ ...token, from: token.at[0]!, to: endOf(token, length) }));
  for (let i = 0; i < held.length; i += TOGETHER) {
    const together = held.slice(i, i + TOGETHER);
    const prices = await pricesAt(context, together, instants);
    for (const [k, token] of together.entries()) {
      add(sums, token, prices[k]!);
      await pause.yieldIfDue();
    }
  }
  return sums;
}

function endOf({ at, amount }: HeldToken, length: number): number {
  return amount.at(-1) === 0 ? at.at(-1)! : length;
}

function add(sums: Float64Array, { at, amount, cost, from, to }: HeldToken & Span, prices: Float64Array): void {
  let change = 0;
  for (let i = from; i < to; i++) {
    if (at[change + 1] === i) change++;
    if (amount[change] === 0) continue;
    const unrealized = amount[change]! * prices[i - from]! - cost[change]!;
    if (Number.isFinite(unrealized)) sums[i]! += unrealized;
  }
}
