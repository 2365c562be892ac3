import { EARLY_ENTRY } from './bag.ts';
import type { EntityTrades } from './entity.ts';
import { at, joinFacts } from './trade-facts.ts';

/** Value of what a sell sold beyond its lots, and from lots of unknown cost, USD: all of it if the sell has no proceeds from lots. */
export function unmatchedOf(usd: number, proceeds: number): number {
  return proceeds > 0 ? Math.max(0, usd - proceeds) : usd;
}

/** Adds rows `from` to `to`, newest first, before those that are there: the hot loop. */
export function addTrades(s: Float64Array, trades: EntityTrades, from: number, to: number): void {
  let wins = s[at.oldestWins]!;
  let losses = s[at.oldestLosses]!;
  let fall = s[at.fallFromOldest]!;
  for (let i = to - 1; i >= from; i--) {
    if (i < to - 1) s[at.area]! += trades.openCost[i]! * (trades.time[i + 1]! - trades.time[i]!);
    const usd = trades.usd[i]!;
    const isKnown = !Number.isNaN(usd);
    if (!isKnown) s[at.unvalued]!++;
    const native = trades.native[i]!;
    if (!Number.isNaN(native)) s[at.nativeVolume]! += native;
    const fee = trades.feeNative[i]!;
    if (!Number.isNaN(fee)) {
      s[at.feesNative]! += fee;
      const feeUsd = trades.feeUsd[i]!;
      if (Number.isNaN(feeUsd)) s[at.unpricedFees]!++;
      else s[at.fees]! += Math.abs(feeUsd);
      if (feeUsd < 0) s[at.staleFees]!++;
    }
    const pnlNative = trades.pnlNative[i]!;
    if (!Number.isNaN(pnlNative)) {
      s[at.nativePnl]! += pnlNative;
      s[at.nativeCost]! += trades.costNative[i]!;
    }
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
        s[at.unmatched]! += unmatchedOf(usd, trades.proceeds[i]!);
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
    s[at.pnl]! += pnl;
    s[at.cost]! += cost;
    fall = Math.max(0, fall - pnl);
    if (fall > s[at.largestFall]!) s[at.largestFall] = fall;
    if (-s[at.pnl]! > s[at.fallToNewest]!) s[at.fallToNewest] = -s[at.pnl]!;
    const holding = trades.holding[i]!;
    // A small sell counts in sums alone.
    if (Number.isNaN(holding)) {
      s[at.smallPnl]! += pnl;
      continue;
    }
    s[at.realised]!++;
    s[at.realisedCost]! += cost;
    s[at.holding]! += holding;
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
    const roi = (pnl / cost) * 100;
    // Of a cost near the least number it is infinite, and no part of a mean.
    if (cost > 0 && Number.isFinite(roi)) {
      const weight = cost + trades.proceeds[i]!;
      s[at.rois]!++;
      s[at.roiSum]! += roi;
      s[at.weightedRoi]! += roi * weight;
      s[at.roiWeight]! += weight;
    }
  }
  s[at.oldestWins] = wins;
  s[at.oldestLosses] = losses;
  s[at.fallFromOldest] = fall;
}

/** Joins the partial sums of older trades to the partial sums of newer ones. Runs come first: they read the counts and the pnl of the newer trades alone. */
export function joinOlder(s: Float64Array, older: Float64Array): void {
  if (older[at.realised]! > 0) {
    const wins = older[at.newestWins]! + s[at.oldestWins]!;
    const losses = older[at.newestLosses]! + s[at.oldestLosses]!;
    s[at.longestWins] = Math.max(s[at.longestWins]!, older[at.longestWins]!, wins);
    s[at.longestLosses] = Math.max(s[at.longestLosses]!, older[at.longestLosses]!, losses);
    if (s[at.newestWins] === s[at.realised]) s[at.newestWins]! += older[at.newestWins]!;
    if (s[at.newestLosses] === s[at.realised]) s[at.newestLosses]! += older[at.newestLosses]!;
    s[at.oldestWins] = older[at.oldestWins] === older[at.realised] ? wins : older[at.oldestWins]!;
    s[at.oldestLosses] = older[at.oldestLosses] === older[at.realised] ? losses : older[at.oldestLosses]!;
  }
  const across = older[at.fallToNewest]! + s[at.fallFromOldest]!;
  s[at.largestFall] = Math.max(s[at.largestFall]!, older[at.largestFall]!, across);
  s[at.fallToNewest] = Math.max(s[at.fallToNewest]!, older[at.fallToNewest]! - s[at.pnl]!);
  s[at.fallFromOldest] = Math.max(older[at.fallFromOldest]!, s[at.fallFromOldest]! - older[at.pnl]!);
  joinFacts(s, older);
}
