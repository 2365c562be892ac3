/** Whether a follower buys or sells. */
export type Side = 'buy' | 'sell';

/** A print of a pool: what was paid a token, and what went through the pool. */
export interface PoolPrint {
  /** USD per token. */
  readonly price: number;
  /** USD; below 0 of a sell. */
  readonly usd: number;
  readonly isSuspect: boolean;
}

/** How many prints of a pool say how deep it is. */
export const DEPTH_PRINTS = 82;
/** Pairs of prints of one side that count: the newest, and how many at least. */
const [NEWEST, LEAST] = [21, 3];
/** What is left after the fee of a pool, each way, if the prints of one side say nothing. */
const AFTER_FEE = 0.99;

/** What the prints of a pool say of its depth: `k`, the product of its two reserves in USD and tokens, as its buys and its sells see it. */
export interface Depth {
  readonly buy: number;
  readonly sell: number;
  /** How many pairs of prints said so; 0 for a side that takes the other's. */
  readonly pairs: Readonly<Record<Side, number>>;
}

/**
 * How deep a pool is by its prints, the oldest first; `undefined` if fewer than three pairs of either side say anything.
 *
 * - Shape: a fee beside the pool makes the prices of its sells lower against what they move, so that `buy` is above `sell`.
 */
export function depthOf(prints: readonly PoolPrint[]): Depth | undefined {
  const found: Record<Side, number[]> = { buy: [], sell: [] };
  for (let i = prints.length - 1; i > 0; i--) {
    const [first, second] = [prints[i - 1]!, prints[i]!];
    const of = found[sideOf(second)];
    if (of.length === NEWEST || first.isSuspect || second.isSuspect) continue;
    const k = productOf(first, second);
    if (k !== undefined) of.push(k);
  }
  const knows = { buy: found.buy.length >= LEAST, sell: found.sell.length >= LEAST };
  if (!knows.buy && !knows.sell) return undefined;
  const bothFees = AFTER_FEE * AFTER_FEE;
  return {
    buy: knows.buy ? median(found.buy) : median(found.sell) / bothFees,
    sell: knows.sell ? median(found.sell) : median(found.buy) * bothFees,
    pairs: { buy: knows.buy ? found.buy.length : 0, sell: knows.sell ? found.sell.length : 0 },
  };
}

export const sideOf = ({ usd }: Pick<PoolPrint, 'usd'>): Side => (usd > 0 ? 'buy' : 'sell');

/** The product of the reserves by two adjacent prints of one side whose price moved with their side; `undefined` by others. */
function productOf({ price: p1, usd: v1 }: PoolPrint, { price: p2, usd: v2 }: PoolPrint): number | undefined {
  if (v1 > 0 !== v2 > 0 || (v1 > 0 ? p2 <= p1 : p2 >= p1)) return undefined;
  const reserve = (v1 + v2) / (p2 / p1 - 1);
  const product = (reserve * (reserve + v1)) / p1;
  return product > 0 && Number.isFinite(product) ? product : undefined;
}

/** The middle number; the mean of the two in the middle. */
function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
