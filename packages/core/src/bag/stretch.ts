import { type Bag, EARLY_ENTRY } from './bag.ts';
import type { EntityTrades } from './entity.ts';

/**
 * What a stretch of an entity's trades adds to the windows that hold all of it, by place in an array of `STRETCH` numbers, all 0 for no
 * trades. Sums stand first, then what two stretches join in another way.
 */
export const at = {
  buys: 0,
  sells: 1,
  buyVolume: 2,
  sellVolume: 3,
  buysKnown: 4,
  sellsKnown: 5,
  buyTokens: 6,
  sellTokens: 7,
  buyMarketCap: 8,
  sellMarketCap: 9,
  buyMarketCaps: 10,
  sellMarketCaps: 11,
  entries: 12,
  earlyEntries: 13,
  entryDelay: 14,
  realised: 15,
  wins: 16,
  losses: 17,
  winPnl: 18,
  lossPnl: 19,
  pnl: 20,
  cost: 21,
  winCost: 22,
  lossCost: 23,
  holding: 24,
  rois: 25,
  roiSum: 26,
  weightedRoi: 27,
  roiWeight: 28,
  /** Open cost times the seconds that it stood, from the first trade to the last. */
  area: 29,
  largestWin: 30,
  largestLoss: 31,
  longestWins: 32,
  longestLosses: 33,
  /** The runs of wins or losses that the oldest realised sells, and the newest ones, are. */
  oldestWins: 34,
  oldestLosses: 35,
  newestWins: 36,
  newestLosses: 37,
  /** The largest fall of the running pnl between any two trades, from before the oldest one, and to the newest one. */
  fall: 38,
  fallFromOldest: 39,
  fallToNewest: 40,
} as const;

const SUMS = 30;
export const STRETCH = 41;

/** Adds rows `from` to `to`, newest first, before those that are there: the hot loop. */
export function addTrades(s: Float64Array, trades: EntityTrades, from: number, to: number): void {
  let wins = s[at.oldestWins]!;
  let losses = s[at.oldestLosses]!;
  let fall = s[at.fallFromOldest]!;
  for (let i = to - 1; i >= from; i--) {
    if (i < to - 1) s[at.area]! += trades.openCost[i]! * (trades.time[i + 1]! - trades.time[i]!);
    const usd = trades.usd[i]!;
    const isKnown = !Number.isNaN(usd);
    const marketCap = trades.marketCap[i]!;
    if (trades.isBuy[i] === 1) {
      s[at.buys]!++;
      if (isKnown) {
        s[at.buysKnown]!++;
        s[at.buyVolume]! += usd;
        s[at.buyTokens]! += trades.tokenAmount[i]!;
      }
      if (!Number.isNaN(marketCap)) {
        s[at.buyMarketCaps]!++;
        s[at.buyMarketCap]! += marketCap;
      }
      const delay = trades.entryDelay[i]!;
      if (!Number.isNaN(delay)) {
        s[at.entries]!++;
        s[at.entryDelay]! += delay;
        if (delay <= EARLY_ENTRY) s[at.earlyEntries]!++;
      }
    } else {
      s[at.sells]!++;
      if (isKnown) {
        s[at.sellsKnown]!++;
        s[at.sellVolume]! += usd;
        s[at.sellTokens]! += trades.tokenAmount[i]!;
      }
      if (!Number.isNaN(marketCap)) {
        s[at.sellMarketCaps]!++;
        s[at.sellMarketCap]! += marketCap;
      }
    }
    const pnl = trades.pnl[i]!;
    if (Number.isNaN(pnl)) continue;
    const cost = trades.cost[i]!;
    s[at.realised]!++;
    s[at.pnl]! += pnl;
    s[at.cost]! += cost;
    s[at.holding]! += trades.holding[i]!;
    if (pnl > 0) {
      s[at.wins]!++;
      s[at.winPnl]! += pnl;
      s[at.winCost]! += cost;
      if (pnl > s[at.largestWin]!) s[at.largestWin] = pnl;
      wins++;
      losses = 0;
      if (wins > s[at.longestWins]!) s[at.longestWins] = wins;
      if (wins === s[at.realised]) s[at.newestWins] = wins;
    } else if (pnl < 0) {
      s[at.losses]!++;
      s[at.lossPnl]! += pnl;
      s[at.lossCost]! += cost;
      if (pnl < s[at.largestLoss]!) s[at.largestLoss] = pnl;
      losses++;
      wins = 0;
      if (losses > s[at.longestLosses]!) s[at.longestLosses] = losses;
      if (losses === s[at.realised]) s[at.newestLosses] = losses;
    } else {
      wins = 0;
      losses = 0;
    }
    if (cost > 0) {
      const roi = (pnl / cost) * 100;
      const weight = cost + trades.proceeds[i]!;
      s[at.rois]!++;
      s[at.roiSum]! += roi;
      s[at.weightedRoi]! += roi * weight;
      s[at.roiWeight]! += weight;
    }
    fall = Math.max(0, fall - pnl);
    if (fall > s[at.fall]!) s[at.fall] = fall;
    if (-s[at.pnl]! > s[at.fallToNewest]!) s[at.fallToNewest] = -s[at.pnl]!;
  }
  s[at.oldestWins] = wins;
  s[at.oldestLosses] = losses;
  s[at.fallFromOldest] = fall;
}

/** Puts an older stretch before those that are joined already. */
export function joinOlder(s: Float64Array, older: Float64Array): void {
  if (older[at.largestWin]! > s[at.largestWin]!) s[at.largestWin] = older[at.largestWin]!;
  if (older[at.largestLoss]! < s[at.largestLoss]!) s[at.largestLoss] = older[at.largestLoss]!;
  if (older[at.realised]! > 0) {
    const wins = older[at.newestWins]! + s[at.oldestWins]!;
    const losses = older[at.newestLosses]! + s[at.oldestLosses]!;
    s[at.longestWins] = Math.max(s[at.longestWins]!, older[at.longestWins]!, wins);
    s[at.longestLosses] = Math.max(s[at.longestLosses]!, older[at.longestLosses]!, losses);
    if (s[at.newestWins] === s[at.realised]) s[at.newestWins]! += older[at.newestWins]!;
    if (s[at.newestLosses] === s[at.realised]) s[at.newestLosses]! += older[at.newestLosses]!;
    s[at.oldestWins] = older[at.oldestWins] === older[at.realised] ? wins : older[at.oldestWins]!;
    s[at.oldestLosses] = older[at.oldestLosses] === older[at.realised] ? losses : older[at.oldestLosses]!;
    const across = older[at.fallToNewest]! + s[at.fallFromOldest]!;
    s[at.fall] = Math.max(s[at.fall]!, older[at.fall]!, across);
    s[at.fallToNewest] = Math.max(s[at.fallToNewest]!, older[at.fallToNewest]! - s[at.pnl]!);
    s[at.fallFromOldest] = Math.max(older[at.fallFromOldest]!, s[at.fallFromOldest]! - older[at.pnl]!);
  }
  for (let i = 0; i < SUMS; i++) s[i]! += older[i]!;
}

/** What the trades of a window tell its bag by themselves, whatever their partners. */
export function fillFromStretch(bag: Bag, s: Float64Array): void {
  bag.buys = s[at.buys]!;
  bag.sells = s[at.sells]!;
  bag.buyVolume = s[at.buyVolume]!;
  bag.sellVolume = s[at.sellVolume]!;
  bag.buysKnown = s[at.buysKnown]!;
  bag.sellsKnown = s[at.sellsKnown]!;
  bag.buyTokens = s[at.buyTokens]!;
  bag.sellTokens = s[at.sellTokens]!;
  bag.buyMarketCap = s[at.buyMarketCap]!;
  bag.sellMarketCap = s[at.sellMarketCap]!;
  bag.buyMarketCaps = s[at.buyMarketCaps]!;
  bag.sellMarketCaps = s[at.sellMarketCaps]!;
  bag.entries = s[at.entries]!;
  bag.earlyEntries = s[at.earlyEntries]!;
  bag.entryDelay = s[at.entryDelay]!;
  bag.realised = s[at.realised]!;
  bag.wins = s[at.wins]!;
  bag.losses = s[at.losses]!;
  bag.winPnl = s[at.winPnl]!;
  bag.lossPnl = s[at.lossPnl]!;
  bag.pnl = s[at.pnl]!;
  bag.cost = s[at.cost]!;
  bag.winCost = s[at.winCost]!;
  bag.lossCost = s[at.lossCost]!;
  bag.holding = s[at.holding]!;
  bag.rois = s[at.rois]!;
  bag.roiSum = s[at.roiSum]!;
  bag.weightedRoi = s[at.weightedRoi]!;
  bag.roiWeight = s[at.roiWeight]!;
  bag.largestWin = s[at.largestWin]!;
  bag.largestLoss = s[at.largestLoss]!;
  bag.longestWins = s[at.longestWins]!;
  bag.longestLosses = s[at.longestLosses]!;
  bag.largestFall = s[at.fall]!;
}
