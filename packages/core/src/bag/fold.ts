import { type Bag, EARLY_ENTRY, emptyBag, roiBuckets } from './bag.ts';
import { type EntityPrints, type EntityTrades, firstAfter, openCostAt } from './entity.ts';
import { type WindowSpec, windowSpecs } from './windows.ts';

const DAY = 86_400;

/** Scratch of the fold, one entry a partner; clean between folds. */
interface Partners {
  readonly capacity: number;
  /** Partners with a trade in the window, in the order of their first one. */
  readonly order: Int32Array;
  count: number;
  seen: Uint8Array;
  pnl: Float64Array;
  cost: Float64Array;
  wins: Int32Array;
  losses: Int32Array;
  realised: Int32Array;
  day: Int32Array;
}

/** What folds share one after the other instead of making it anew: a bag is then the caller's until the next fold with the same scratch. */
export interface FoldScratch {
  partners: Partners;
  /** Buffers of the period series, and a view of each length of them. */
  readonly series: Readonly<Record<SeriesName, readonly Float64Array[]>>;
  readonly roiCounts: Float64Array;
}

type SeriesName = 'pnl' | 'roi' | 'winrate' | 'price' | 'change';

const MOST_PERIODS = Math.max(...[...windowSpecs.tokens, ...windowSpecs.wallets].map(({ periods }) => periods));

export function newFoldScratch(): FoldScratch {
  const views = (): Float64Array[] => {
    const buffer = new Float64Array(MOST_PERIODS);
    return Array.from({ length: MOST_PERIODS + 1 }, (_, length) => buffer.subarray(0, length));
  };
  return {
    partners: newPartners(64),
    series: { pnl: views(), roi: views(), winrate: views(), price: views(), change: views() },
    roiCounts: new Float64Array(roiBuckets.length),
  };
}

const SEEN = 1;
const BOUGHT = 2;
const SOLD = 4;

/**
 * Folds the trades of one entity in the window (asOf - w, asOf] into a bag: the hot loop, one pass.
 *
 * - `trades` are the entity's up to `asOf`, at least those in the window, `prints` those of a token (none for a wallet).
 * - Pure: the same trades give the same bag, to the bit.
 */
export function foldBag(
  trades: EntityTrades,
  prints: EntityPrints,
  window: WindowSpec,
  asOf: number,
  scratch: FoldScratch = newFoldScratch(),
): Bag {
  const bag = emptyBag();
  bag.roiCounts = scratch.roiCounts.fill(0);
  bag.seconds = window.seconds;
  bag.asOf = asOf;
  bag.ratioScale = window.ratioScale;
  const from = firstAfter(trades.time, trades.length, asOf - window.seconds);
  if (scratch.partners.capacity < trades.partners) scratch.partners = newPartners(trades.partners * 2);
  const { partners, series } = scratch;
  foldTrades(bag, trades, from, partners);
  foldPartners(bag, partners);
  foldPeriods(bag, trades, from, window, asOf, series);
  foldDays(bag, trades, from, window, asOf, partners);
  foldPrints(bag, prints, window, asOf, series);
  clean(partners);
  return bag;
}

function foldTrades(bag: Bag, trades: EntityTrades, from: number, partners: Partners): void {
  let wins = 0;
  let losses = 0;
  let running = 0;
  let peak = 0;
  for (let i = from; i < trades.length; i++) {
    const usd = trades.usd[i]!;
    const isKnown = !Number.isNaN(usd);
    const marketCap = trades.marketCap[i]!;
    const partner = trades.partner[i]!;
    let seen = partners.seen[partner]!;
    if (seen === 0) partners.order[partners.count++] = partner;
    seen |= SEEN;
    if (trades.isBuy[i] === 1) {
      seen |= BOUGHT;
      bag.buys++;
      if (isKnown) {
        bag.buysKnown++;
        bag.buyVolume += usd;
        bag.buyTokens += trades.tokenAmount[i]!;
      }
      if (!Number.isNaN(marketCap)) {
        bag.buyMarketCaps++;
        bag.buyMarketCap += marketCap;
      }
      const delay = trades.entryDelay[i]!;
      if (!Number.isNaN(delay)) {
        bag.entries++;
        bag.entryDelay += delay;
        if (delay <= EARLY_ENTRY) bag.earlyEntries++;
      }
    } else {
      seen |= SOLD;
      bag.sells++;
      if (isKnown) {
        bag.sellsKnown++;
        bag.sellVolume += usd;
        bag.sellTokens += trades.tokenAmount[i]!;
      }
      if (!Number.isNaN(marketCap)) {
        bag.sellMarketCaps++;
        bag.sellMarketCap += marketCap;
      }
    }
    partners.seen[partner] = seen;
    const pnl = trades.pnl[i]!;
    if (Number.isNaN(pnl)) continue;
    const cost = trades.cost[i]!;
    bag.realised++;
    bag.pnl += pnl;
    bag.cost += cost;
    bag.holding += trades.holding[i]!;
    partners.realised[partner]!++;
    partners.pnl[partner]! += pnl;
    partners.cost[partner]! += cost;
    if (pnl > 0) {
      bag.wins++;
      bag.winPnl += pnl;
      bag.winCost += cost;
      if (pnl > bag.largestWin) bag.largestWin = pnl;
      partners.wins[partner]!++;
      wins++;
      losses = 0;
      if (wins > bag.longestWins) bag.longestWins = wins;
    } else if (pnl < 0) {
      bag.losses++;
      bag.lossPnl += pnl;
      bag.lossCost += cost;
      if (pnl < bag.largestLoss) bag.largestLoss = pnl;
      partners.losses[partner]!++;
      losses++;
      wins = 0;
      if (losses > bag.longestLosses) bag.longestLosses = losses;
    } else {
      wins = 0;
      losses = 0;
    }
    if (cost > 0) {
      const roi = (pnl / cost) * 100;
      const weight = cost + trades.proceeds[i]!;
      bag.rois++;
      bag.roiSum += roi;
      bag.weightedRoi += roi * weight;
      bag.roiWeight += weight;
    }
    running += pnl;
    if (running > peak) peak = running;
    if (peak - running > bag.largestFall) bag.largestFall = peak - running;
  }
  if (trades.length > from) {
    bag.firstTime = trades.time[from]!;
    bag.lastTime = trades.time[trades.length - 1]!;
  }
}

function foldPartners(bag: Bag, partners: Partners): void {
  bag.partners = partners.count;
  for (let i = 0; i < partners.count; i++) {
    const p = partners.order[i]!;
    const seen = partners.seen[p]!;
    if ((seen & BOUGHT) !== 0) bag.buyers++;
    if ((seen & SOLD) !== 0) bag.sellers++;
    if (partners.realised[p] === 0) continue;
    const pnl = partners.pnl[p]!;
    const cost = partners.cost[p]!;
    bag.positions++;
    bag.positionPnl += pnl;
    if (pnl > 0) bag.positionWins++;
    else if (pnl < 0) bag.positionLosses++;
    const decided = partners.wins[p]! + partners.losses[p]!;
    if (decided > 0) {
      bag.positionWinrates++;
      bag.positionWinrateSum += (partners.wins[p]! / decided) * 100;
    }
    if (cost > 0) {
      const roi = (pnl / cost) * 100;
      bag.positionRois++;
      bag.positionRoiSum += roi;
      bag.roiCounts[roi > 500 ? 0 : roi > 200 ? 1 : roi >= 0 ? 2 : roi >= -50 ? 3 : 4]!++;
    }
  }
}

function roiOn(pnl: number, base: number): number {
  return base === 0 ? 0 : (pnl / base) * 100;
}

/** Period j of length h is (A - (j+1)h, A - jh]; the series run oldest first. */
function foldPeriods(
  bag: Bag,
  trades: EntityTrades,
  from: number,
  window: WindowSpec,
  asOf: number,
  series: FoldScratch['series'],
): void {
  const { periods, period } = window;
  const start = asOf - window.seconds;
  const pnls = series.pnl[periods]!;
  const rois = series.roi[periods]!;
  const winrates = series.winrate[periods]!;
  let rated = 0;
  let row = from;
  let area = 0;
  let at = start;
  let open = openCostAt(trades, start);
  for (let p = 0; p < periods; p++) {
    const end = start + (p + 1) * period;
    let pnl = 0;
    let base = open;
    let wins = 0;
    let losses = 0;
    let isActive = false;
    while (row < trades.length && trades.time[row]! <= end) {
      const time = trades.time[row]!;
      area += open * (time - at);
      at = time;
      open = trades.openCost[row]!;
      if (trades.isBuy[row] === 1) {
        const usd = trades.usd[row]!;
        if (!Number.isNaN(usd)) base += usd;
      } else {
        const result = trades.pnl[row]!;
        if (!Number.isNaN(result)) {
          isActive = true;
          pnl += result;
          if (result > 0) wins++;
          else if (result < 0) losses++;
        }
      }
      row++;
    }
    pnls[p] = pnl;
    rois[p] = roiOn(pnl, base);
    if (isActive) bag.activePeriods++;
    if (pnl > 0) bag.winningPeriods++;
    if (wins + losses > 0) winrates[rated++] = (wins / (wins + losses)) * 100;
  }
  area += open * (asOf - at);
  bag.averageOpenCost = area / window.seconds;
  bag.periodPnl = pnls;
  bag.periodRoi = rois;
  bag.periodWinrate = series.winrate[rated]!;
}

/** The window's 24 h periods: mean return and mean number of partners. */
function foldDays(
  bag: Bag,
  trades: EntityTrades,
  from: number,
  window: WindowSpec,
  asOf: number,
  partners: Partners,
): void {
  const days = window.seconds / DAY;
  if (days < 1) return;
  let row = from;
  let roiSum = 0;
  let traded = 0;
  let open = openCostAt(trades, asOf - window.seconds);
  for (let day = 0; day < days; day++) {
    const end = asOf - window.seconds + (day + 1) * DAY;
    let pnl = 0;
    let base = open;
    while (row < trades.length && trades.time[row]! <= end) {
      open = trades.openCost[row]!;
      const partner = trades.partner[row]!;
      if (partners.day[partner] !== day) {
        partners.day[partner] = day;
        traded++;
      }
      const result = trades.pnl[row]!;
      const usd = trades.usd[row]!;
      if (trades.isBuy[row] === 1) {
        if (!Number.isNaN(usd)) base += usd;
      } else if (!Number.isNaN(result)) pnl += result;
      row++;
    }
    roiSum += roiOn(pnl, base);
  }
  bag.dailyRoi = roiSum / days;
  bag.dailyPartners = traded / days;
}

function foldPrints(
  bag: Bag,
  prints: EntityPrints,
  window: WindowSpec,
  asOf: number,
  series: FoldScratch['series'],
): void {
  if (prints.length === 0) return;
  const start = asOf - window.seconds;
  let row = firstAfter(prints.time, prints.length, start);
  let price = row > 0 ? prints.price[row - 1]! : Number.NaN;
  let peak = price;
  let fall = Number.isNaN(price) ? Number.NaN : 0;
  const prices = series.price[window.periods]!;
  const changes = series.change[window.periods]!;
  let priced = 0;
  let changed = 0;
  for (let p = 0; p < window.periods; p++) {
    const end = start + (p + 1) * window.period;
    const before = price;
    if (row < prints.length && prints.time[row]! <= end) bag.pricedPeriods++;
    while (row < prints.length && prints.time[row]! <= end) {
      price = prints.price[row++]!;
      if (!(price <= peak)) peak = price;
      const drop = (1 - price / peak) * 100;
      if (!(drop <= fall)) fall = drop;
    }
    if (Number.isNaN(price)) continue;
    prices[priced++] = price;
    if (!Number.isNaN(before)) changes[changed++] = price / before - 1;
  }
  bag.periodPrice = series.price[priced]!;
  bag.priceChange = series.change[changed]!;
  bag.priceFall = fall;
}

/** Leaves the scratch as it was made. */
function clean(partners: Partners): void {
  for (let i = 0; i < partners.count; i++) {
    const p = partners.order[i]!;
    partners.seen[p] = 0;
    partners.pnl[p] = 0;
    partners.cost[p] = 0;
    partners.wins[p] = 0;
    partners.losses[p] = 0;
    partners.realised[p] = 0;
    partners.day[p] = -1;
  }
  partners.count = 0;
}

function newPartners(capacity: number): Partners {
  return {
    capacity,
    order: new Int32Array(capacity),
    count: 0,
    seen: new Uint8Array(capacity),
    pnl: new Float64Array(capacity),
    cost: new Float64Array(capacity),
    wins: new Int32Array(capacity),
    losses: new Int32Array(capacity),
    realised: new Int32Array(capacity),
    day: new Int32Array(capacity).fill(-1),
  };
}
