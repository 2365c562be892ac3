/** How two partial sums join in a slot: they add up, the greater or the smaller one stays, or `joinOlder` says it for a run of trades. */
type Join = 'sum' | 'largest' | 'smallest' | 'run';

const joins: Join[] = [];
const slot = (join: Join): number => joins.push(join) - 1;

/**
 * What the trades of a window give its bag, whatever their counterparties. A row is a fact of the bag: its slot, its join, and its copy
 * into the bag follow; `addTrades` feeds it. A slot of no trades is 0. The facts come before the inner slots: `take` relies on it.
 */
const facts = {
  buys: slot('sum'),
  sells: slot('sum'),
  /** Volumes over rows of known USD value, with the number of those rows and the tokens in them. */
  buyVolume: slot('sum'),
  sellVolume: slot('sum'),
  buysKnown: slot('sum'),
  sellsKnown: slot('sum'),
  buyTokens: slot('sum'),
  sellTokens: slot('sum'),
  unvalued: slot('sum'),
  /** Value of what sells sold beyond their lots, and from lots of unknown cost. */
  unmatched: slot('sum'),
  /** Volume in native tokens, and the results that they give, over rows that have them. */
  nativeVolume: slot('sum'),
  nativePnl: slot('sum'),
  nativeCost: slot('sum'),
  /** What the wallet paid the chain, in USD and native tokens; the fees that are worth a stale price, and those of unknown worth. */
  fees: slot('sum'),
  feesNative: slot('sum'),
  staleFees: slot('sum'),
  unpricedFees: slot('sum'),
  buyMarketCap: slot('sum'),
  sellMarketCap: slot('sum'),
  buyMarketCaps: slot('sum'),
  sellMarketCaps: slot('sum'),
  /** Buys that open a position in a token of known creation, how many of them came early, and the seconds from creation to them, summed. */
  entries: slot('sum'),
  earlyEntries: slot('sum'),
  entryDelay: slot('sum'),
  realised: slot('sum'),
  wins: slot('sum'),
  losses: slot('sum'),
  winPnl: slot('sum'),
  lossPnl: slot('sum'),
  /** With small sells; `smallPnl` of these alone, `realisedCost` without them. */
  pnl: slot('sum'),
  cost: slot('sum'),
  smallPnl: slot('sum'),
  realisedCost: slot('sum'),
  winCost: slot('sum'),
  lossCost: slot('sum'),
  holding: slot('sum'),
  rois: slot('sum'),
  roiSum: slot('sum'),
  /** Sums of roi x v and v over R, v = cost + proceeds. */
  weightedRoi: slot('sum'),
  roiWeight: slot('sum'),
  largestWin: slot('largest'),
  largestLoss: slot('smallest'),
  longestWins: slot('run'),
  longestLosses: slot('run'),
  /** Largest fall of the running pnl from its peak, in USD. */
  largestFall: slot('run'),
};

/** Slots of partial sums: one for each fact, and slots of which the bag has no field. */
export const at = {
  ...facts,
  /** Open cost times the seconds that it stood, from the first trade to the last. */
  area: slot('sum'),
  /** The runs of wins or losses that the oldest realised sells, and the newest ones, are. */
  oldestWins: slot('run'),
  oldestLosses: slot('run'),
  newestWins: slot('run'),
  newestLosses: slot('run'),
  /** The largest fall of the running pnl from before the oldest trade, and to the newest one. */
  fallFromOldest: slot('run'),
  fallToNewest: slot('run'),
} as const;

const slotsOf = (join: Join): Uint8Array => Uint8Array.from(joins.flatMap((own, i) => (own === join ? [i] : [])));
const [sums, largest, smallest] = [slotsOf('sum'), slotsOf('largest'), slotsOf('smallest')];

/** Partial sums of no trades: a number for each slot. */
export function newPartialSums(): Float64Array {
  return new Float64Array(joins.length);
}

/** Joins the slots that know nothing of the order of trades. */
export function joinFacts(s: Float64Array, other: Float64Array): void {
  for (const i of sums) s[i]! += other[i]!;
  for (const i of largest) if (other[i]! > s[i]!) s[i] = other[i]!;
  for (const i of smallest) if (other[i]! < s[i]!) s[i] = other[i]!;
}

export function newFacts(): Float64Array {
  return new Float64Array(Object.keys(facts).length);
}

type FactNames = { [Name in keyof typeof facts]: number };

class FactSlots {
  static {
    for (const [name, i] of Object.entries(facts))
      Object.defineProperty(FactSlots.prototype, name, {
        get(this: FactSlots) {
          return this.facts[i];
        },
        set(this: FactSlots, value: number) {
          this.facts[i] = value;
        },
      });
  }

  readonly facts: Float64Array;

  constructor(place: Float64Array) {
    this.facts = place;
  }

  /** Takes the facts of partial sums; their slots come first. */
  take(s: Float64Array): void {
    for (let i = 0; i < this.facts.length; i++) this.facts[i] = s[i]!;
  }
}

/** The facts by name. Accessors, since a copy of each by name costs more than the fold of a small wallet. */
export const TradeFacts = FactSlots as new (place: Float64Array) => FactSlots & FactNames;
