import type { Arithmetic } from '../records/arithmetic.ts';
import { type Batch, firstAfter } from '../records/columns.ts';
import type { swapsTable } from '../records/tables.ts';
import type { HoldingPrice } from './native-votes.ts';

export type Swaps = Batch<typeof swapsTable>;

/** What may give a swap its value. */
export const valueRules = ['feed', 'price', 'reference', 'stable', 'native'] as const;
export const [FEED, PRICE, REFERENCE, STABLE, NATIVE] = [0, 1, 2, 3, 4];
/** Added to the code of a swap whose feed contradicts it. */
export const CONTRADICTED = 8;
/** The rule that gave a swap its value, by the code in `valued_by`. */
export const valuedByWords = [...valueRules, null, null, null, ...valueRules] as const;

/** The rule that gave a swap its value, `null` without one. */
export function valueRuleOf(valuedBy: number): (typeof valueRules)[number] | null {
  return valuedByWords[valuedBy] ?? null;
}

/** Whether the value that the feed gave was not believed. */
export function isContradicted(valuedBy: number): boolean {
  return valuedBy >= CONTRADICTED;
}

/** The codes of swaps of which the feed said what they are worth, and was believed. */
export const fedCodes = [FEED, PRICE] as const;

/** Whether the feed said what a swap is worth, and was believed. */
export function isFed(valuedBy: number): boolean {
  return valuedBy === FEED || valuedBy === PRICE;
}

/** The price of a leg that counts as a price print, else `NaN`. */
export function printPrice(usd: number, amount: number, dustUsd: number): number {
  const price = usd / amount;
  return usd >= dustUsd && amount > 0 && price > 0 ? finiteOrNaN(price) : Number.NaN;
}

/** The greatest amount, price, balance and USD value of a swap: their sums stay finite. */
export const MAX_QUANTITY = 1e200;

export function finiteOrNaN(value: number): number {
  return Number.isFinite(value) ? value : Number.NaN;
}

/** The supply that market caps go by: circulating, or else total. A registry that says 0 of a token does not know it. */
export function knownSupply<T>(m: Arithmetic<T>, circulating: T, total: T): T {
  const known = (supply: T): T => m.ifAtLeast(m.number(0), supply, m.unknown, supply);
  return m.or(known(circulating), known(total));
}

const NO_PRICE: HoldingPrice = { usd: Number.NaN, time: Number.NaN, until: Number.POSITIVE_INFINITY };

/** Prices of one token, oldest first. */
export interface PriceSeries {
  readonly time: Float64Array;
  readonly usdPrice: Float64Array;
}

/**
 * Prices of quote tokens from outside, by the id of the token: at a time the newest that was known by then, unless it is older than
 * `maxAge` seconds.
 */
export class ReferencePrices {
  static readonly none = new ReferencePrices(new Map(), 0);

  readonly #series: ReadonlyMap<number, PriceSeries>;
  readonly #maxAge: number;

  constructor(series: ReadonlyMap<number, PriceSeries>, maxAge: number) {
    this.#series = series;
    this.#maxAge = maxAge;
  }

  get isEmpty(): boolean {
    return this.#series.size === 0;
  }

  /** The price that holds at a time, with when it became known, and the last second at which the answer is the same. */
  holding(token: number, time: number): HoldingPrice {
    const series = this.#series.get(token);
    if (series === undefined) return NO_PRICE;
    const { time: times, usdPrice } = series;
    const next = firstAfter(times, times.length, time);
    const until = (times[next] ?? Number.POSITIVE_INFINITY) - 1;
    const known = times[next - 1] ?? Number.NEGATIVE_INFINITY;
    return time - known <= this.#maxAge
      ? { usd: usdPrice[next - 1]!, time: known, until: Math.min(until, known + this.#maxAge) }
      : { ...NO_PRICE, until };
  }

  /** USD per token at a time, `NaN` without a price. */
  at(token: number, time: number): number {
    const series = this.#series.get(token);
    if (series === undefined) return Number.NaN;
    const { time: times, usdPrice } = series;
    const last = firstAfter(times, times.length, time) - 1;
    return last >= 0 && time - times[last]! <= this.#maxAge ? usdPrice[last]! : Number.NaN;
  }

  /** The newest price of a token that was known by a time, however old. */
  newest(token: number, time: number): { readonly price: number; readonly time: number } | undefined {
    const series = this.#series.get(token);
    const last = series === undefined ? -1 : firstAfter(series.time, series.time.length, time) - 1;
    return last < 0 ? undefined : { price: series!.usdPrice[last]!, time: series!.time[last]! };
  }
}
