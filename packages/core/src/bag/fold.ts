import type { WashRule } from '../config.ts';
import { Bag, emptyBag } from './bag.ts';
import { CounterpartiesFold } from './counterparties.ts';
import { type EntityPrints, type EntityTrades, firstAfter } from './entity.ts';
import { type EntityFees, FeesFold, noFees } from './fees.ts';
import { DAY, type Grid, type GridWindow, gridOf } from './grid.ts';
import { type MovedLots, MovedLotsFold, nothingMoved } from './moved-lots.ts';
import { addTrades, joinOlder } from './partial-sums.ts';
import { PeriodsFold, PriceFall, PricesFold } from './prints.ts';
import { at, newPartialSums } from './trade-facts.ts';
import type { WindowSpec } from './windows.ts';

/** Trades of a cell, or of a bucket in it, that are summed for themselves: fewer are added one by one. */
const LEAST_SUMMED = 8;

/** Rows after which other work may have its turn: some milliseconds. */
const TURN = 50_000;

/** What a wallet has beside its trades. */
export interface BesideTrades {
  /** What it paid for transactions without a trade. */
  readonly fees?: EntityFees | undefined;
  readonly moved?: MovedLots | undefined;
}

/**
 * Folds the trades of one entity in windows (asOf - w, asOf] into bags, entity after entity: a bag is the caller's until the next fold.
 *
 * - `trades` are the entity's up to `asOf`, at least those in the longest window, `prints` those of a token (none for a wallet).
 * - One pass from the newest trade to the oldest: windows are nested, so each is the one before and what is older.
 * - What adds up is added up newest first, in partial sums (the trades of a cell, see `Grid`, that lie in one bucket), then cells, then all: the
 *   same trades give the same bag, to the bit, wherever the trades begin that are given.
 */
export class WindowsFold {
  /** In the order of the windows. */
  readonly bags: Bag[];
  readonly #bucket: number;
  readonly #windows: readonly WindowSpec[];
  readonly #grid: Grid;
  readonly #counterparties: CounterpartiesFold;
  readonly #periods: readonly PeriodsFold[];
  readonly #prices: readonly PricesFold[];
  readonly #fall = new PriceFall();
  readonly #fees = new FeesFold();
  readonly #moved = new MovedLotsFold();
  /** All trades so far, the trades of a cell, and the trades of a bucket in it. */
  readonly #all = newPartialSums();
  readonly #cell = newPartialSums();
  readonly #partialSums = newPartialSums();
  readonly #firstRows: Int32Array;

  /** `bucket`: seconds of a bucket, see `bucketSeconds`. */
  constructor(windows: readonly WindowSpec[], bucket: number, wash: WashRule) {
    this.#bucket = bucket;
    this.#counterparties = new CounterpartiesFold(wash);
    this.#windows = windows;
    this.bags = windows.map(emptyBag);
    this.#grid = gridOf(windows);
    this.#periods = this.#grid.periods.map((spec) => new PeriodsFold(spec));
    this.#prices = this.#grid.windows.map(({ window }) => new PricesFold(window));
    this.#firstRows = new Int32Array(this.#grid.ages.length);
  }

  /** Folds; the bags are done with the last step. */
  *steps(
    trades: EntityTrades,
    prints: EntityPrints,
    asOf: number,
    { fees = noFees, moved = nothingMoved }: BesideTrades = {},
  ): Generator<void, void> {
    const { ages, days, windows } = this.#grid;
    this.#begin(trades, prints);
    this.#fees.begin(fees);
    this.#moved.begin(moved);
    let next = 0;
    let to = trades.length;
    let worked = 0;
    for (let cell = 0; cell < ages.length; cell++) {
      const start = asOf - ages[cell]!;
      const from = to > 0 && trades.time[to - 1]! > start ? firstAfter(trades.time, to, start) : to;
      const day = days < 0 ? -1 : this.#grid.periods[days]!.of[cell]!;
      if (to - from >= LEAST_SUMMED) {
        this.#cell.fill(0);
        for (let until = to; until > from; ) {
          const first = this.#addPartialSums(trades, from, until);
          this.#cell[at.area]! += areaAfter(trades, until, asOf);
          this.#counterparties.add(trades, first, until, day);
          worked += until - first;
          until = first;
          if (worked < TURN) continue;
          worked = 0;
          yield;
        }
        joinOlder(this.#all, this.#cell);
        for (const periods of this.#periods) periods.add(cell, this.#cell);
      } else if (to > from) {
        this.#all[at.area]! += areaAfter(trades, to, asOf);
        addTrades(this.#all, trades, from, to);
        this.#counterparties.add(trades, from, to, day);
        for (const periods of this.#periods) periods.addTrades(cell, trades, from, to);
      }
      to = this.#firstRows[cell] = from;
      while (windows[next]?.oldest === cell) {
        this.#fill(next++, trades, prints, asOf);
        if (trades.length + prints.length >= TURN) yield;
      }
    }
  }

  #begin(trades: EntityTrades, prints: EntityPrints): void {
    this.#all.fill(0);
    this.#counterparties.begin(trades.counterparties);
    for (const periods of this.#periods) periods.begin();
    this.#fall.begin(prints);
  }

  /** Adds the partial sums of the last bucket of the rows `from` to `to` to their cell; gives its first row. */
  #addPartialSums(trades: EntityTrades, from: number, to: number): number {
    const start = Math.floor(trades.time[to - 1]! / this.#bucket) * this.#bucket;
    let first = to - 1;
    while (first > from && trades.time[first - 1]! >= start) first--;
    if (to - first < LEAST_SUMMED) {
      addTrades(this.#cell, trades, first, to);
      return first;
    }
    const partialSums = this.#partialSums.fill(0);
    addTrades(partialSums, trades, first, to);
    joinOlder(this.#cell, partialSums);
    return first;
  }

  #fill(number: number, trades: EntityTrades, prints: EntityPrints, asOf: number): void {
    const gridWindow = this.#grid.windows[number]!;
    const { window } = gridWindow;
    const place = this.#windows.indexOf(window);
    const bag = new Bag(this.bags[place]!);
    this.bags[place] = bag;
    bag.seconds = window.seconds;
    bag.asOf = asOf;
    bag.ratioScale = window.ratioScale;
    this.#fillTrades(bag, trades, this.#firstRows[gridWindow.oldest]!);
    this.#counterparties.fill(bag);
    this.#fees.fill(bag, asOf - window.seconds);
    this.#moved.fill(bag, asOf - window.seconds);
    this.#fillPeriods(bag, gridWindow, trades);
    if (prints.length === 0) return;
    this.#prices[number]!.fill(bag, prints, asOf);
    bag.priceFall = this.#fall.since(asOf - window.seconds, prints);
  }

  #fillTrades(bag: Bag, trades: EntityTrades, first: number): void {
    bag.take(this.#all);
    const open = first === 0 ? trades.openBefore : trades.openCost[first - 1]!;
    const until = first < trades.length ? trades.time[first]! : bag.asOf;
    bag.averageOpenCost = (this.#all[at.area]! + open * (until - (bag.asOf - bag.seconds))) / bag.seconds;
    if (first === trades.length) return;
    bag.firstTime = trades.time[first]!;
    bag.lastTime = trades.time[trades.length - 1]!;
  }

  #fillPeriods(bag: Bag, { window, periods, days }: GridWindow, trades: EntityTrades): void {
    const own = this.#periods[periods]!;
    own.fold(window.periods, trades, this.#firstRows);
    bag.periodPnl = own.pnl[own.count]!;
    bag.periodRoi = own.roi[own.count]!;
    bag.periodWinrate = own.winrate[own.rated]!;
    bag.activePeriods = own.active;
    bag.winningPeriods = own.winning;
    if (days < 0) return;
    const daily = this.#periods[days]!;
    daily.fold(Math.floor(window.seconds / DAY), trades, this.#firstRows);
    bag.days = daily.count;
    bag.dailyRoiSum = daily.roiSum;
    bag.dailyCounterpartiesSum = this.#counterparties.daily;
    bag.activeDays = this.#counterparties.days;
  }
}

/** Open cost after row `until - 1` times the seconds until the next trade, or the as-of time. */
function areaAfter(trades: EntityTrades, until: number, asOf: number): number {
  const end = until < trades.length ? trades.time[until]! : asOf;
  return trades.openCost[until - 1]! * (end - trades.time[until - 1]!);
}
