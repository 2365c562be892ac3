import type { Bag } from './bag.ts';
import { type EntityPrints, firstAfter } from './entity.ts';
import { endsOf } from './periods.ts';
import type { WindowSpec } from './windows.ts';

/** Prices of one token in a window's periods. Reused from token to token. */
export class PricesFold {
  readonly #window: WindowSpec;
  readonly #prices: readonly Float64Array[];
  readonly #changes: readonly Float64Array[];

  constructor(window: WindowSpec) {
    this.#window = window;
    this.#prices = endsOf(window.periods);
    this.#changes = endsOf(window.periods);
  }

  fill(bag: Bag, prints: EntityPrints, asOf: number): void {
    const { periods, period } = this.#window;
    let row = prints.length;
    let priced = 0;
    let changed = 0;
    for (let p = 0; p < periods && row > 0; p++) {
      const before = firstAfter(prints.time, row, asOf - (p + 1) * period);
      const price = prints.price[row - 1]!;
      this.#prices[periods]![periods - ++priced] = price;
      if (before > 0) this.#changes[periods]![periods - ++changed] = price / prints.price[before - 1]! - 1;
      if (before < row) bag.pricedPeriods++;
      row = before;
    }
    bag.periodPrice = this.#prices[priced]!;
    bag.priceChange = this.#changes[changed]!;
  }
}

/** Prints of one token, taken from the newest on. */
export class PriceFall {
  #row = 0;
  #low = Number.POSITIVE_INFINITY;
  #fall = Number.NaN;

  begin(prints: EntityPrints): void {
    this.#row = prints.length;
    this.#low = Number.POSITIVE_INFINITY;
    this.#fall = Number.NaN;
  }

  /** The largest fall over the prints after `start` and the last one before it, percent; `NaN` without any. `start` comes down from call to call. */
  since(start: number, prints: EntityPrints): number {
    const from = Math.max(0, firstAfter(prints.time, prints.length, start) - 1);
    for (; this.#row > from; this.#row--) {
      const price = prints.price[this.#row - 1]!;
      if (price < this.#low) this.#low = price;
      const fall = (1 - this.#low / price) * 100;
      if (!(fall <= this.#fall)) this.#fall = fall;
    }
    return this.#fall;
  }
}
