import type { Bag } from './bag.ts';
import { type EntityPrints, type EntityTrades, firstAfter } from './entity.ts';
import type { PeriodsSpec } from './grid.ts';
import { at } from './trade-facts.ts';
import type { WindowSpec } from './windows.ts';

/** Which partial sums count in the periods that hold it. */
const counted = [at.pnl, at.buyVolume, at.realised, at.wins, at.losses] as const;
const [PNL, BUYS, REALISED, WINS, LOSSES] = [0, 1, 2, 3, 4] as const;
const WIDTH = counted.length;

/** The results of one entity in equal periods, from the newest on. Reused from entity to entity. */
export class PeriodsFold {
  readonly #spec: PeriodsSpec;
  readonly #sums: Float64Array;
  /** Series oldest first, filled from their end, and by length the newest part of each. */
  readonly pnl: readonly Float64Array[];
  readonly roi: readonly Float64Array[];
  /** Periods with a win or a loss only: `rated` of them. */
  readonly winrate: readonly Float64Array[];
  rated = 0;
  /** Periods that are folded. */
  count = 0;
  active = 0;
  winning = 0;
  roiSum = 0;

  constructor(spec: PeriodsSpec) {
    this.#spec = spec;
    this.#sums = new Float64Array(spec.periods * WIDTH);
    this.pnl = endsOf(spec.periods);
    this.roi = endsOf(spec.periods);
    this.winrate = endsOf(spec.periods);
  }

  begin(): void {
    this.#sums.fill(0);
    this.rated = this.count = this.active = this.winning = this.roiSum = 0;
  }

  /** Adds what the trades of a cell add up to; cells come newest first. */
  add(cell: number, sums: Float64Array): void {
    const period = this.#spec.of[cell]!;
    if (period < 0) return;
    for (let i = 0; i < WIDTH; i++) this.#sums[period * WIDTH + i]! += sums[counted[i]!]!;
  }

  /** Adds trades of a cell one by one, newest first. */
  addTrades(cell: number, trades: EntityTrades, from: number, to: number): void {
    const period = this.#spec.of[cell]!;
    if (period < 0) return;
    const sums = period * WIDTH;
    for (let i = to - 1; i >= from; i--) {
      if (trades.isBuy[i] === 1) {
        if (!Number.isNaN(trades.usd[i]!)) this.#sums[sums + BUYS]! += trades.usd[i]!;
        continue;
      }
      const pnl = trades.pnl[i]!;
      if (Number.isNaN(pnl)) continue;
      this.#sums[sums + PNL]! += pnl;
      if (Number.isNaN(trades.holding[i]!)) continue;
      this.#sums[sums + REALISED]!++;
      if (pnl > 0) this.#sums[sums + WINS]!++;
      else if (pnl < 0) this.#sums[sums + LOSSES]!++;
    }
  }

  /** Folds periods until there are so many. `firstRows` has the first row of each cell that they lie in. */
  fold(periods: number, trades: EntityTrades, firstRows: Int32Array): void {
    const length = this.#spec.periods;
    for (; this.count < periods; this.count++) {
      const sums = this.count * WIDTH;
      const row = firstRows[this.#spec.oldest[this.count]!]!;
      const open = row === 0 ? trades.openBefore : trades.openCost[row - 1]!;
      const pnl = this.#sums[sums + PNL]!;
      const roi = roiOn(pnl, open + this.#sums[sums + BUYS]!);
      const decided = this.#sums[sums + WINS]! + this.#sums[sums + LOSSES]!;
      this.pnl[length]![length - 1 - this.count] = pnl;
      this.roi[length]![length - 1 - this.count] = roi;
      this.roiSum += roi;
      if (this.#sums[sums + REALISED]! > 0) {
        this.active++;
        if (pnl > 0) this.winning++;
      }
      if (decided > 0) this.winrate[length]![length - ++this.rated] = (this.#sums[sums + WINS]! / decided) * 100;
    }
  }
}

/** Return on the capital of a period: what was open at its start, and its buys. */
function roiOn(pnl: number, base: number): number {
  return base === 0 ? 0 : (pnl / base) * 100;
}

/** Views of one buffer by length: the end of it. */
function endsOf(length: number): Float64Array[] {
  const buffer = new Float64Array(length);
  return Array.from({ length: length + 1 }, (_, count) => buffer.subarray(length - count));
}

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
