import type { Appended } from '../ingest/changes.ts';
import { timeOf } from '../records/chain-order.ts';
import { NO_ID } from '../records/columns.ts';
import { SUSPECT } from '../records/tables.ts';
import { type Advance, Region } from './region.ts';

/** What an answer said of a token, and the as-of times for which it says the same while the token is not traded; `null` is an answer, too. */
export interface TokenAnswer<T> {
  readonly from: number;
  readonly until: number;
  readonly value: T | null;
}

/** What the last print of a token says of it: `usd_price` USD per token, `block_time` Unix seconds. */
export interface LatestPrint {
  readonly usd_price: number;
  readonly block_slot: number | null;
  readonly block_time: number;
  readonly suspect: boolean;
  /** The last print that is not suspect: the same one, an earlier one, or none. */
  readonly clean: CleanPrint | null;
}

export type CleanPrint = Pick<LatestPrint, 'usd_price' | 'block_time'>;

/** The id of a symbol in the dictionary. */
export interface SymbolId {
  readonly id: number;
}

/** What the registry says of a token: `supply` is the one that market caps go by, circulating or else total; `NaN` where it gives neither. */
export interface RegisteredToken {
  readonly symbol: string | null;
  readonly supply: number;
}

type TokenRegion<T> = Region<number, TokenAnswer<T>>;

const MOST_SYMBOLS = 500_000;
const MOST_ANSWERS = 100_000;

/** Answers about single tokens. */
export interface TokenRegions {
  /** The last print, which each swap with a price makes anew. */
  readonly prices: TokenRegion<LatestPrint>;
  /** What the newest swap that names a token calls it. */
  readonly symbols: TokenRegion<SymbolId>;
  /** What the registry says, until it changes. */
  readonly registered: TokenRegion<RegisteredToken>;
  /** Price statistics, until the token is traded. */
  readonly stats: TokenRegion<object>;
}

export function newTokenRegions(prices: number): TokenRegions {
  return {
    prices: new Region({ most: prices }, advancePrices),
    symbols: new Region({ most: MOST_SYMBOLS }, advanceSymbols),
    registered: new Region({ most: MOST_ANSWERS }, (region, { hasRegistryChanged }) => {
      if (hasRegistryChanged) region.clear();
    }),
    stats: new Region({ most: MOST_ANSWERS }, (region, { appended, touched }) => {
      for (const { legs } of appended) for (const token of legs.columns.token) region.delete(token);
      for (const token of touched.tokens) region.delete(token);
    }),
  };
}

const advancePrices: Advance<number, TokenAnswer<LatestPrint>> = (region, { appended, touched }) => {
  for (const rows of appended)
    for (const [token, { clean, ...print }] of lastPrints(rows)) {
      const before = region.peek(token);
      // A suspect print leaves the last clean one, if that is known.
      if (clean !== undefined) region.put(token, answerOf({ ...print, clean }));
      else if (before === undefined) region.delete(token);
      else region.put(token, answerOf({ ...print, clean: before.value?.clean ?? null }));
    }
  for (const token of touched.tokens) region.delete(token);
};

const advanceSymbols: Advance<number, TokenAnswer<SymbolId>> = (region, { appended, touched }) => {
  for (const { legs } of appended) {
    const { token, symbol } = legs.columns;
    for (let leg = 0; leg < legs.length; leg++)
      if (symbol[leg] !== NO_ID && region.peek(token[leg]!)?.value?.id !== symbol[leg])
        region.put(token[leg]!, answerOf({ id: symbol[leg]! }));
  }
  for (const token of touched.tokens) region.delete(token);
};

/** Cached answers are those of the newest state. */
function answerOf<T>(value: T): TokenAnswer<T> {
  return { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY, value };
}

type AppendedPrint = Omit<LatestPrint, 'clean'> & { readonly clean: CleanPrint | undefined };

/** The last print of each token that has one, and its last clean one among the new ones, from the last on. */
function* lastPrints({ swaps, slots, legs }: Appended): Generator<readonly [token: number, print: AppendedPrint]> {
  const { token, seq, price, standing } = legs.columns;
  const last = new Map<number, number>();
  const lastClean = new Map<number, number>();
  for (let leg = 0; leg < legs.length; leg++) {
    if (Number.isNaN(price[leg]!)) continue;
    last.set(token[leg]!, leg);
    if (standing[leg] !== SUSPECT) lastClean.set(token[leg]!, leg);
  }
  const printAt = (leg: number): CleanPrint => ({ usd_price: price[leg]!, block_time: timeOf(seq[leg]!) });
  let swap = swaps.length - 1;
  for (const [id, leg] of [...last].sort((a, b) => b[1] - a[1])) {
    while (swaps.columns.seq[swap] !== seq[leg]) swap--;
    const slot = slots[swap]!;
    const clean = lastClean.get(id);
    const { usd_price, block_time } = printAt(leg);
    yield [
      id,
      {
        usd_price,
        block_slot: Number.isNaN(slot) ? null : slot,
        block_time,
        suspect: standing[leg] === SUSPECT,
        clean: clean === undefined ? undefined : printAt(clean),
      },
    ];
  }
}
