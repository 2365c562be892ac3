import { newFacts, TradeFacts } from './trade-facts.ts';

/**
 * Adjustment coefficient of a walk that gains `b` with chance `p` and loses 1 otherwise: the root z > 0 of
 * p (exp(-z b) - 1) + (1 - p)(exp(z) - 1) = 0, for a walk that drifts upwards (Cramer-Lundberg; Feller, vol. 2, ch. XII).
 */
export function adjustmentCoefficient(p: number, b: number): number {
  let z = -Math.log1p(-p);
  // Convex and not below 0 at the start: Newton's steps fall towards the root from the right until rounding stops them.
  for (let i = 0; i < 200; i++) {
    const next =
      z - (p * Math.expm1(-z * b) + (1 - p) * Math.expm1(z)) / ((1 - p) * Math.exp(z) - p * b * Math.exp(-z * b));
    if (!(next < z && next > 0)) break;
    z = next;
  }
  return z;
}

/** Largest fall from a running peak of the curve that starts at 1 and compounds the returns (percent), in percent. */
export function compoundedFall(returns: Float64Array): number {
  let level = 1;
  let peak = 1;
  let fall = 0;
  for (let i = 0; i < returns.length; i++) {
    level *= Math.max(0, 1 + returns[i]! / 100);
    if (level > peak) peak = level;
    fall = Math.max(fall, (1 - level / peak) * 100);
  }
  return fall;
}

/** Where the first of the largest falls from a running peak begins and ends, as places in the curve; `null` where it never falls. */
export function fallOf(
  curve: ArrayLike<number>,
  sizeOf: (peak: number, value: number) => number,
): { readonly peak: number; readonly trough: number } | null {
  let largest = 0;
  let found = null;
  let peak = 0;
  for (let i = 0; i < curve.length; i++) {
    if (curve[i]! > curve[peak]!) peak = i;
    const fall = sizeOf(curve[peak]!, curve[i]!);
    if (!(fall > largest)) continue;
    largest = fall;
    found = { peak, trough: i };
  }
  return found;
}

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
 * - T trades, B buys, S sells, R realised sells, R* those and small ones, P counterparties with a realised sell in the window, as docs/reference/metrics.md names them.
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
  washVolume = 0;
  washVolumeNative = 0;
  /** Value of what was sold within a minute after it was bought, USD. */
  quickProceeds = 0;
  /** Fees of transactions without a trade, in USD and native tokens; how many are worth a stale price, and how many an unknown one. */
  bareFees = 0;
  bareFeesNative = 0;
  bareStaleFees = 0;
  bareUnpricedFees = 0;
  /** Cost of lots that left, and that came back, between the trades, USD. */
  awayCost = 0;
  returnedCost = 0;
  /** Positions by ROI, as `roiBuckets`. */
  roiCounts: Float64Array;

  /** Period series, oldest first. */
  periodPnl = noSeries;
  periodRoi = noSeries;
  /** Periods that hold a realised sell, and how many of these have a positive result. */
  activePeriods = 0;
  winningPeriods = 0;
  /** Periods with a win or a loss only. */
  periodWinrate = noSeries;
  /** Time average of the open cost over the window, USD. */
  averageOpenCost = 0;
  /** 24 h periods of the window, and how many of these hold a trade; windows shorter than a day have none. */
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
    return Math.min(MAX_STAKES, Math.max(1, this.realisedCost / this.realised / (-this.lossPnl / this.losses)));
  }

  /** Adjustment coefficient of the walk; `NaN` unless it drifts upwards. */
  get ruinZ(): number {
    return this.winPnl + this.lossPnl > 0 ? adjustmentCoefficient(this.ruinP, this.ruinB) : Number.NaN;
  }
}

export function emptyBag(): Bag {
  return new Bag({ facts: newFacts(), roiCounts: new Float64Array(roiBuckets.length) });
}
