import type { Bag } from './bag.ts';
import { cumulativeFall, longestRun, priceFall, returnsFall, type Span, type TermSource } from './spans.ts';

/** What a number counts in: `percent` carries 12.5 for 12.5 %, `native` are whole native tokens, `seconds` are whole when served. A `count` is whole, and never `null` where `empty` is 0. */
export type Unit =
  | 'USD'
  | 'native'
  | 'USD per token'
  | 'percent'
  | 'ratio'
  | 'count'
  | 'count per day'
  | 'seconds'
  | 'score';

/** What a trade brings into the sums of a window, and whether it is of the counterparty that made the most in it. */
export interface TradePart {
  readonly isBuy: boolean;
  /** USD; `NaN` if it is unknown. */
  readonly usd: number;
  /** `NaN` unless the trade is a realised or a small sell. */
  readonly pnl: number;
  readonly isSmall: boolean;
  /** `NaN` unless the trade is an entry into a token of known creation. */
  readonly entryDelay: number;
  /** In native tokens, each `NaN` if it is unknown: the value of the trade, the result of a sell, and what its wallet paid the chain. */
  readonly native: number;
  readonly pnlNative: number;
  readonly feeNative: number;
  /** The same payment in USD, below 0 if it is worth a stale price. */
  readonly feeUsd: number;
  /** USD, of a sell of known value, else `NaN`: what it sold beyond its lots, and from lots of unknown cost. */
  readonly unmatched: number;
  /** USD: what lots cost that left, and came back, since the trade before it. */
  readonly awayCost: number;
  readonly returnedCost: number;
  readonly isOfBest: boolean;
}

/**
 * A fact of the bag as a term of metrics.
 *
 * - `meaning`: of a wallet the counterparties are tokens, of a token wallets.
 * - `part`: what a trade adds to a sum over trades; `null` where the trade does not enter.
 * - `span`: from when to when a fall or a streak lasts.
 * - `reads`: what it takes beside the trades of its window: `past`, what was open before them; `prints`, those of the token; `registry`, that
 *   of tokens; `best`, in its parts, which counterparty made the most.
 * - `name`: as answers have it, if it is not the name of the fact in snake_case.
 */
export interface Term {
  readonly unit: Unit | 'Unix seconds' | 'percent x USD';
  readonly meaning: string;
  readonly part?: (trade: TradePart) => number | null;
  readonly span?: (source: TermSource) => Span | null;
  readonly reads?: 'past' | 'prints' | 'registry' | 'best';
  readonly name?: string;
}

/** What is no fact but the place of some, and how it is filled. */
type Fact = Exclude<keyof Bag, 'facts' | 'take'>;

const one = (isIn: boolean): number | null => (isIn ? 1 : null);
const known = (value: number, isIn = true): number | null => (isIn && !Number.isNaN(value) ? value : null);

/** Every fact of the bag. A new one is a line here. */
export const termTable = {
  seconds: { unit: 'seconds', meaning: 'Length of the window.' },
  asOf: { unit: 'Unix seconds', meaning: 'End of the window.' },
  ratioScale: { unit: 'ratio', meaning: 'What mean / deviation of the periods is multiplied by.' },
  buys: { unit: 'count', meaning: 'Buys.', part: ({ isBuy }) => one(isBuy) },
  sells: { unit: 'count', meaning: 'Sells.', part: ({ isBuy }) => one(!isBuy) },
  buyVolume: { unit: 'USD', meaning: 'Value of the buys.', part: ({ isBuy, usd }) => known(usd, isBuy) },
  sellVolume: { unit: 'USD', meaning: 'Value of the sells.', part: ({ isBuy, usd }) => known(usd, !isBuy) },
  buysKnown: { unit: 'count', meaning: 'Buys of known value.' },
  sellsKnown: { unit: 'count', meaning: 'Sells of known value.' },
  buyTokens: { unit: 'count', meaning: 'Whole tokens in the buys of known value.' },
  sellTokens: { unit: 'count', meaning: 'Whole tokens in the sells of known value.' },
  unvalued: {
    name: 'unvalued_trades',
    unit: 'count',
    meaning: 'Trades of unknown value.',
    part: ({ usd }) => one(Number.isNaN(usd)),
  },
  unmatched: {
    name: 'unmatched_proceeds',
    unit: 'USD',
    meaning: 'Value of what the sells sold beyond their lots, and from lots of unknown cost.',
    part: ({ unmatched }) => known(unmatched),
  },
  nativeVolume: {
    unit: 'native',
    meaning: 'Value of the trades in the native token, where known.',
    part: ({ native }) => known(native),
  },
  nativePnl: {
    unit: 'native',
    meaning: 'Results of the sells in the native token, where known.',
    part: ({ pnlNative }) => known(pnlNative),
  },
  nativeCost: { unit: 'native', meaning: 'Cost of what those sells sold, in the native token.' },
  fees: {
    unit: 'USD',
    meaning: 'What the wallet paid the chain for the trades, where known.',
    part: ({ feeUsd }) => known(Math.abs(feeUsd)),
  },
  feesNative: {
    unit: 'native',
    meaning: 'What the wallet paid the chain for the trades, in the native token.',
    part: ({ feeNative }) => known(feeNative),
  },
  staleFees: {
    unit: 'count',
    meaning: 'Trades whose fee is worth a stale native price.',
    part: ({ feeUsd }) => one(feeUsd < 0),
  },
  unpricedFees: {
    unit: 'count',
    meaning: 'Trades whose fee came before the first native price.',
    part: ({ feeNative, feeUsd }) => one(!Number.isNaN(feeNative) && Number.isNaN(feeUsd)),
  },
  bareFees: { unit: 'USD', meaning: 'What the wallet paid for transactions without a trade, where known.' },
  bareFeesNative: {
    unit: 'native',
    meaning: 'What the wallet paid for transactions without a trade, in the native token.',
  },
  bareStaleFees: { unit: 'count', meaning: 'Those of these transactions whose fee is worth a stale native price.' },
  bareUnpricedFees: {
    unit: 'count',
    meaning: 'Those of these transactions whose fee came before the first native price.',
  },
  buyMarketCap: { unit: 'USD', meaning: 'Market caps at the buys, where known, added up.', reads: 'registry' },
  sellMarketCap: { unit: 'USD', meaning: 'Market caps at the sells, where known, added up.', reads: 'registry' },
  buyMarketCaps: { unit: 'count', meaning: 'Buys at a known market cap.', reads: 'registry' },
  sellMarketCaps: { unit: 'count', meaning: 'Sells at a known market cap.', reads: 'registry' },
  entries: {
    unit: 'count',
    meaning: 'Buys that open a position in a token of known creation.',
    part: ({ entryDelay }) => one(!Number.isNaN(entryDelay)),
    reads: 'registry',
  },
  earlyEntries: { unit: 'count', meaning: 'Those of the entries that came early.', reads: 'registry' },
  entryDelay: {
    unit: 'seconds',
    meaning: 'Time from the creation of the token to each entry, added up.',
    reads: 'registry',
  },
  realised: { unit: 'count', meaning: 'Realised sells.' },
  wins: {
    unit: 'count',
    meaning: 'Realised sells with a profit.',
    part: ({ pnl, isSmall }) => one(pnl > 0 && !isSmall),
  },
  losses: {
    unit: 'count',
    meaning: 'Realised sells with a loss.',
    part: ({ pnl, isSmall }) => one(pnl < 0 && !isSmall),
  },
  winPnl: { unit: 'USD', meaning: 'Profits of the wins.', part: ({ pnl, isSmall }) => known(pnl, pnl > 0 && !isSmall) },
  lossPnl: {
    unit: 'USD',
    meaning: 'Losses, not positive.',
    part: ({ pnl, isSmall }) => known(pnl, pnl < 0 && !isSmall),
  },
  pnl: { unit: 'USD', meaning: 'Results of the realised and the small sells.', part: ({ pnl }) => known(pnl) },
  cost: { unit: 'USD', meaning: 'Cost of what the realised and the small sells sold.' },
  smallPnl: { unit: 'USD', meaning: 'Results of the small sells.', part: ({ pnl, isSmall }) => known(pnl, isSmall) },
  realisedCost: { unit: 'USD', meaning: 'Cost of what the realised sells sold.' },
  winCost: { unit: 'USD', meaning: 'Cost of what the wins sold.' },
  lossCost: { unit: 'USD', meaning: 'Cost of what the losses sold.' },
  holding: { unit: 'seconds', meaning: 'Mean holding time of each realised sell, added up.' },
  rois: { unit: 'count', meaning: 'Realised sells with a return.' },
  roiSum: { unit: 'percent', meaning: 'Returns of the realised sells, added up.' },
  weightedRoi: { unit: 'percent x USD', meaning: 'Returns times their weights (cost + proceeds), added up.' },
  roiWeight: { unit: 'USD', meaning: 'Weights of the returns (cost + proceeds), added up.' },
  largestWin: { unit: 'USD', meaning: 'Largest profit of a realised sell.' },
  largestLoss: { unit: 'USD', meaning: 'Largest loss of a realised sell.' },
  longestWins: { unit: 'count', meaning: 'Longest run of wins.', span: longestRun((pnl) => pnl > 0) },
  longestLosses: { unit: 'count', meaning: 'Longest run of losses.', span: longestRun((pnl) => pnl < 0) },
  largestFall: {
    unit: 'USD',
    meaning: 'Largest fall of the running result, which starts at 0, from its peak.',
    span: cumulativeFall,
  },
  firstTime: { unit: 'Unix seconds', meaning: 'Time of the first trade.' },
  lastTime: { unit: 'Unix seconds', meaning: 'Time of the last trade.' },
  counterparties: { unit: 'count', meaning: 'Distinct tokens (of a wallet) or wallets (of a token) in the trades.' },
  buyers: { unit: 'count', meaning: 'Distinct tokens or wallets in the buys.' },
  sellers: { unit: 'count', meaning: 'Distinct tokens or wallets in the sells.' },
  positions: { unit: 'count', meaning: 'Positions with a realised sell.' },
  positionWins: { unit: 'count', meaning: 'Positions whose realised sells made a profit together.' },
  positionLosses: { unit: 'count', meaning: 'Positions whose realised sells made a loss together.' },
  positionPnl: { unit: 'USD', meaning: 'Results of the positions, added up.' },
  positionRois: { unit: 'count', meaning: 'Positions with a return.' },
  positionRoiSum: { unit: 'percent', meaning: 'Returns of the positions, added up.' },
  positionWinrates: { unit: 'count', meaning: 'Positions with a win or a loss.' },
  positionWinrateSum: { unit: 'percent', meaning: 'Win rates of the positions, added up.' },
  bestPositionPnl: { unit: 'USD', meaning: 'Result of the position that made the most, small sells included.' },
  otherPositionsPnl: {
    unit: 'USD',
    meaning: 'Results of all other positions.',
    part: ({ pnl, isOfBest }) => known(pnl, !isOfBest),
    reads: 'best',
  },
  washVolume: {
    unit: 'USD',
    meaning: 'Volume of the round trips of positions that were bought and sold often, at once and for nothing.',
  },
  washVolumeNative: { unit: 'native', meaning: 'The same in the native token, where known.' },
  quickProceeds: {
    unit: 'USD',
    meaning:
      'Value of what the sells sold at most 60 s after it was bought: each takes the newest buys that no sell took.',
  },
  awayCost: {
    unit: 'USD',
    meaning: 'Cost of the lots that left, each at the trade of its token after that.',
    part: ({ awayCost }) => known(awayCost, awayCost > 0),
  },
  returnedCost: {
    unit: 'USD',
    meaning: 'Cost of the lots that came back, each at the trade of its token after that.',
    part: ({ returnedCost }) => known(returnedCost, returnedCost > 0),
  },
  roiCounts: {
    unit: 'count',
    meaning: 'Positions by return: over 500 %, over 200 to 500, 0 to 200, -50 to under 0, under -50.',
  },
  periodPnl: { unit: 'USD', meaning: 'Result of each period, oldest first.' },
  periodRoi: { unit: 'percent', meaning: 'Return of each period on the capital at work, oldest first.', reads: 'past' },
  periodWinrate: { unit: 'percent', meaning: 'Win rate of each period with a win or a loss, oldest first.' },
  activePeriods: { unit: 'count', meaning: 'Periods that hold a realised sell.' },
  winningPeriods: { unit: 'count', meaning: 'Periods that hold a realised sell and have a positive result.' },
  averageOpenCost: { unit: 'USD', meaning: 'Time average of the open cost over the window.', reads: 'past' },
  days: { unit: 'count', meaning: '24 h periods of the window.' },
  activeDays: { unit: 'count', meaning: '24 h periods that hold a trade.' },
  dailyRoiSum: { unit: 'percent', meaning: 'Returns of the 24 h periods, added up.', reads: 'past' },
  dailyCounterpartiesSum: { unit: 'count', meaning: 'Distinct tokens of each 24 h period, added up.' },
  periodPrice: {
    unit: 'USD per token',
    meaning: 'Price at the end of each period from the first print on, oldest first.',
    reads: 'prints',
  },
  priceChange: { unit: 'ratio', meaning: 'Change of the price in each period, oldest first.', reads: 'prints' },
  pricedPeriods: { unit: 'count', meaning: 'Periods that hold a print.', reads: 'prints' },
  priceFall: { unit: 'percent', meaning: 'Largest fall of the price from its peak.', span: priceFall, reads: 'prints' },
  returnsFall: {
    unit: 'percent',
    meaning: 'Largest fall of the compounded period returns from their peak.',
    span: returnsFall,
    reads: 'past',
  },
  ruinP: { name: 'p', unit: 'ratio', meaning: 'Chance of a win: wins / (wins + losses).' },
  ruinB: { name: 'b', unit: 'ratio', meaning: 'Mean win in mean losses.' },
  ruinU: { name: 'U', unit: 'ratio', meaning: 'Mean stake in mean losses, 1 to a million.' },
  ruinZ: {
    name: 'z',
    unit: 'ratio',
    meaning: 'Root of p (exp(-z b) - 1) + (1 - p)(exp(z) - 1) = 0; null without a drift upwards.',
  },
} as const satisfies Readonly<Record<Fact, Term>>;

/** The name of a fact of the bag, as a metric names its terms. */
export type TermName = Fact;

export function termNameOf(fact: TermName): string {
  const { name }: Term = termTable[fact];
  return name ?? fact.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
