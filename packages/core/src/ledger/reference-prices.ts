/** Prices of one token, oldest first. */
export interface PriceSeries {
  readonly time: ArrayLike<number>;
  readonly usdPrice: ArrayLike<number>;
}

/**
 * Prices of quote tokens from outside, by the id of the token: at a time the newest that was known by then, unless it is older than
 * `maxAge` seconds.
 */
export class ReferencePrices {
  /** Of no token. */
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

  /** USD per token at a time, `NaN` without a price. */
  at(token: number, time: number): number {
    const series = this.#series.get(token);
    if (series === undefined) return Number.NaN;
    let low = 0;
    let high = series.time.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (series.time[middle]! <= time) low = middle + 1;
      else high = middle;
    }
    return low > 0 && time - series.time[low - 1]! <= this.#maxAge ? series.usdPrice[low - 1]! : Number.NaN;
  }
}
