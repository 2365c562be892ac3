import { type Depth, type PoolPrint, type Side, sideOf } from './depth.ts';

/** What a follower finds at its moment. */
export interface Market<P extends PoolPrint = PoolPrint> {
  /** `undefined` if the prints do not say it. */
  readonly depth: Depth | undefined;
  /** The newest print up to the moment that is not suspect, and suspect ones after it. */
  readonly newest: readonly P[];
  /** The first print of another wallet after the moment that is not suspect, and suspect ones before it. */
  readonly next: readonly P[];
}

/** What made a price: the depth of the pool, a print made worse because no depth is known, or the next print of somebody else. */
export const deciders = ['depth', 'unknown', 'next'] as const;

/** A price, and what made it. */
export interface Quote<P extends PoolPrint = PoolPrint> {
  /** USD per token, before slippage. */
  readonly price: number;
  readonly decidedBy: (typeof deciders)[number];
  readonly print: P;
  /** USD in the pool before the follower's trade; `undefined` without a depth. */
  readonly reserve: number | undefined;
}

/**
 * The worst price of a market for a follower; `undefined` if it has no print that is not suspect.
 *
 * - `amount`: USD that go into the pool for a buy, tokens for a sell.
 * - `unknown`: by which part a print is made worse if no depth is known.
 */
export function priceOf<P extends PoolPrint>(
  { depth, newest, next }: Market<P>,
  side: Side,
  amount: number,
  unknown: number,
): Quote<P> | undefined {
  let worst: Quote<P> | undefined;
  const take = (quote: Quote<P>): void => {
    if (worst === undefined || (side === 'buy' ? quote.price > worst.price : quote.price < worst.price)) worst = quote;
  };
  if (!newest.some(({ isSuspect }) => !isSuspect)) return undefined;
  for (const print of newest) take(afterPrint(print, side, amount, { depth, unknown }));
  for (const print of next) take({ price: print.price, decidedBy: 'next', print, reserve: undefined });
  return worst;
}

/** The price for who trades right after a print. */
function afterPrint<P extends PoolPrint>(
  print: P,
  side: Side,
  amount: number,
  { depth, unknown }: { readonly depth: Depth | undefined; readonly unknown: number },
): Quote<P> {
  if (depth === undefined) {
    const price = print.price * (side === 'buy' ? 1 + unknown : 1 - unknown);
    return { price, decidedBy: 'unknown', print, reserve: undefined };
  }
  const reserve = reserveAfter(print, side, depth);
  const k = depth[side];
  const price = side === 'buy' ? (reserve * (reserve + amount)) / k : reserve / (k / reserve + amount);
  return { price, decidedBy: 'depth', print, reserve };
}

/** USD in the pool after a print, as the side of the follower sees it. */
function reserveAfter({ price, usd }: PoolPrint, side: Side, depth: Depth): number {
  const own = sideOf({ usd });
  const reserve = (usd + Math.sqrt(usd * usd + 4 * depth[own] * price)) / 2;
  if (own === side) return reserve;
  // What buys see over what sells see: never to the follower's advantage.
  const spread = Math.max(1, depth.buy / depth.sell);
  return side === 'buy' ? reserve * spread : reserve / spread;
}
