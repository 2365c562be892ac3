/** Buckets of a ROI distribution: gt_500 (> 500), 200_500 (> 200 to 500), 0_200 (0 to 200), neg50_0 (-50 to < 0), lt_neg50_0 (< -50). */
export const roiBuckets = ['gt_500', '200_500', '0_200', 'neg50_0', 'lt_neg50_0'] as const;

/** An entry this many seconds after the token's creation, or sooner, is early. */
export const EARLY_ENTRY = 60;

/**
 * What one pass over an entity's trades in one window gathers: the questions of all metrics are answered from it.
 *
 * - Entity: a wallet (partners are its tokens) or a token (partners are its wallets).
 * - T trades, B buys, S sells, R realised sells, P partners with a realised sell in the window, as docs/metrics.md names them.
 * - Money in USD, times in Unix seconds, percent values in percent. Sums over nothing are 0; extremes and times over nothing `NaN`.
 */
export interface Bag {
  /** Window length in seconds, and where it ends. */
  seconds: number;
  asOf: number;
  /** What mean / deviation of the period series is multiplied by. */
  ratioScale: number;

  buys: number;
  sells: number;
  /** Volumes over rows of known USD value, with the number of those rows and the tokens in them. */
  buyVolume: number;
  sellVolume: number;
  buysKnown: number;
  sellsKnown: number;
  buyTokens: number;
  sellTokens: number;
  buyMarketCap: number;
  sellMarketCap: number;
  buyMarketCaps: number;
  sellMarketCaps: number;
  firstTime: number;
  lastTime: number;
  /** Distinct partners over T, B, S. */
  partners: number;
  buyers: number;
  sellers: number;
  /** Buys that open a position in a token of known creation, how many of them came early, and the seconds from creation to them, summed. */
  entries: number;
  earlyEntries: number;
  entryDelay: number;

  realised: number;
  wins: number;
  losses: number;
  winPnl: number;
  lossPnl: number;
  pnl: number;
  largestWin: number;
  largestLoss: number;
  longestWins: number;
  longestLosses: number;
  cost: number;
  winCost: number;
  lossCost: number;
  holding: number;
  rois: number;
  roiSum: number;
  /** Sums of roi x v and v over R, v = cost + proceeds. */
  weightedRoi: number;
  roiWeight: number;
  /** Largest fall of the running pnl from its peak, in USD. */
  largestFall: number;

  positions: number;
  positionWins: number;
  positionLosses: number;
  positionPnl: number;
  positionRois: number;
  positionRoiSum: number;
  positionWinrates: number;
  positionWinrateSum: number;
  /** Positions by ROI, as `roiBuckets`. */
  roiCounts: Float64Array;

  /** Period series, oldest first. */
  periodPnl: Float64Array;
  periodRoi: Float64Array;
  /** Periods that hold a realised sell, and those of them with a positive result. */
  activePeriods: number;
  winningPeriods: number;
  /** Periods with a win or a loss only. */
  periodWinrate: Float64Array;
  /** Time average of the open cost over the window, USD. */
  averageOpenCost: number;
  /** Mean over the window's 24 h periods; windows shorter than a day have none. */
  dailyRoi: number;
  dailyPartners: number;

  /** Prices at the ends of the periods from the first print on, their relative changes, and the periods with a print. Tokens only. */
  periodPrice: Float64Array;
  priceChange: Float64Array;
  pricedPeriods: number;
  /** Largest fall over the prints of the window, percent; `NaN` without a price. */
  priceFall: number;
}

const noSeries = new Float64Array(0);

/** A bag over nothing. */
export function emptyBag(): Bag {
  return {
    seconds: 0,
    asOf: 0,
    ratioScale: 1,
    buys: 0,
    sells: 0,
    buyVolume: 0,
    sellVolume: 0,
    buysKnown: 0,
    sellsKnown: 0,
    buyTokens: 0,
    sellTokens: 0,
    buyMarketCap: 0,
    sellMarketCap: 0,
    buyMarketCaps: 0,
    sellMarketCaps: 0,
    firstTime: Number.NaN,
    lastTime: Number.NaN,
    partners: 0,
    buyers: 0,
    sellers: 0,
    entries: 0,
    earlyEntries: 0,
    entryDelay: 0,
    realised: 0,
    wins: 0,
    losses: 0,
    winPnl: 0,
    lossPnl: 0,
    pnl: 0,
    largestWin: 0,
    largestLoss: 0,
    longestWins: 0,
    longestLosses: 0,
    cost: 0,
    winCost: 0,
    lossCost: 0,
    holding: 0,
    rois: 0,
    roiSum: 0,
    weightedRoi: 0,
    roiWeight: 0,
    largestFall: 0,
    positions: 0,
    positionWins: 0,
    positionLosses: 0,
    positionPnl: 0,
    positionRois: 0,
    positionRoiSum: 0,
    positionWinrates: 0,
    positionWinrateSum: 0,
    roiCounts: new Float64Array(roiBuckets.length),
    periodPnl: noSeries,
    periodRoi: noSeries,
    activePeriods: 0,
    winningPeriods: 0,
    periodWinrate: noSeries,
    averageOpenCost: 0,
    dailyRoi: Number.NaN,
    dailyPartners: Number.NaN,
    periodPrice: noSeries,
    priceChange: noSeries,
    pricedPeriods: 0,
    priceFall: Number.NaN,
  };
}
