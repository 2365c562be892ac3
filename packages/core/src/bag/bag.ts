import { compoundedFall } from './falls.ts';
import { adjustmentCoefficient } from './ruin.ts';
import { newFacts, TradeFacts } from './trade-facts.ts';

/** Buckets of a ROI distribution: gt_500 (> 500), 200_500 (> 200 to 500), 0_200 (0 to 200), neg50_0 (-50 to < 0), lt_neg50_0 (< -50). */
export const roiBuckets = ['gt_500', '200_500', '0_200', 'neg50_0', 'lt_neg50_0'] as const;

/** An entry this many seconds after the token's creation, or sooner, is early. */
export const EARLY_ENTRY = 60;

/** Most average stakes that `ruinU` goes up to. */
const MAX_STAKES = 1e6;

const noSeries: Float64Array = new Float64Array(0);

/**
 * What one pass over an entity's trades in one window gathers: the questions of all metrics are answered from it.
 *
 * - Entity: a wallet (counterparties are its tokens) or a token (counterparties are its wallets).
 * - T trades, B buys, S sells, R realised sells, P counterparties with a realised sell in the window, as docs/reference/metrics.md names them.
 * - Money in USD, times in Unix seconds, percent values in percent. Sums over nothing are 0; extremes and times over nothing `NaN`.
 */
export class Bag extends TradeFacts {
  /** Window length in seconds, and where it ends. */
  seconds = 0;
  asOf = 0;
  /** What mean / deviation of the period series is multiplied by. */
  ratioScale = 1;

  firstTime = Number.NaN;
  lastTime = Number.NaN;
  /** Distinct counterparties over T, B, S. */
  counterparties = 0;
  buyers = 0;
  sellers = 0;

  positions = 0;
  positionWins = 0;
  positionLosses = 0;
  positionPnl = 0;
  positionRois = 0;
  positionRoiSum = 0;
  positionWinrates = 0;
  positionWinrateSum = 0;
  /** The largest pnl of a position, and what all other positions made together. */
  bestPositionPnl = Number.NaN;
  otherPositionsPnl = 0;
  /** Volume of the positions whose trades are wash. */
  washVolume = 0;
  /** Positions by ROI, as `roiBuckets`. */
  roiCounts: Float64Array;

  /** Period series, oldest first. */
  periodPnl = noSeries;
  periodRoi = noSeries;
  /** Periods that hold a realised sell, and those of them with a positive result. */
  activePeriods = 0;
  winningPeriods = 0;
  /** Periods with a win or a loss only. */
  periodWinrate = noSeries;
  /** Time average of the open cost over the window, USD. */
  averageOpenCost = 0;
  /** 24 h periods of the window, and those of them that hold a trade; windows shorter than a day have none. */
  days = 0;
  activeDays = 0;
  /** Returns of the days, and distinct counterparties of each day, added up. */
  dailyRoiSum = 0;
  dailyCounterpartiesSum = 0;

  /** Prices at the ends of the periods from the first print on, their relative changes, and the periods with a print. Tokens only. */
  periodPrice = noSeries;
  priceChange = noSeries;
  pricedPeriods = 0;
  /** Largest fall over the prints of the window, percent; `NaN` without a price. */
  priceFall = Number.NaN;

  /** A bag over nothing, in the memory of one that nobody needs any more. */
  constructor({ facts, roiCounts }: Pick<Bag, 'facts' | 'roiCounts'>) {
    super(facts.fill(0));
    this.roiCounts = roiCounts.fill(0);
  }

  /** Largest fall of the compounded period returns from their peak, percent. */
  get returnsFall(): number {
    return compoundedFall(this.periodRoi);
  }

  /** Chance of a win among wins and losses. This and the next three: the walk of risk_of_ruin; not finite where it has none. */
  get ruinP(): number {
    return this.wins / (this.wins + this.losses);
  }

  /** Mean win in mean losses. */
  get ruinB(): number {
    return this.winPnl / this.wins / (-this.lossPnl / this.losses);
  }

  /** Mean stake in mean losses, 1 to a million. */
  get ruinU(): number {
    return Math.min(MAX_STAKES, Math.max(1, this.cost / this.realised / (-this.lossPnl / this.losses)));
  }

  /** Adjustment coefficient of the walk; `NaN` unless it drifts upwards. */
  get ruinZ(): number {
    return this.winPnl + this.lossPnl > 0 ? adjustmentCoefficient(this.ruinP, this.ruinB) : Number.NaN;
  }
}

/** A bag over nothing. */
export function emptyBag(): Bag {
  return new Bag({ facts: newFacts(), roiCounts: new Float64Array(roiBuckets.length) });
}
