/**
 * When the trades of a position in a window count as wash: bought and sold often, held for moments, for no result.
 *
 * - `min_buys`, `min_sells`: at least so many of each.
 * - `max_result`: |pnl| is at most this part of the volume.
 * - `max_holding`: mean holding of the realised sells, seconds.
 */
export interface WashRule {
  readonly min_buys: number;
  readonly min_sells: number;
  readonly max_result: number;
  readonly max_holding: number;
}

export const defaultWash: WashRule = { min_buys: 5, min_sells: 5, max_result: 0.002, max_holding: 120 };
