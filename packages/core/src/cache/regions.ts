import { LRUCache } from 'lru-cache';
import type { Appended, Changes } from '../ingest/changes.ts';
import { nativeMarkOf } from '../ledger/native-mark.ts';
import type { CandleFold } from '../market-data/candle-fold.ts';
import { timeOf } from '../records/chain-order.ts';
import { firstAfter, NO_ID } from '../records/columns.ts';
import { isMarking, isSuspect, SELF } from '../records/standing.ts';
import type { Budget } from './budget.ts';
import type { Kept } from './kept.ts';

/** What a commit does to the values of a region: it advances those that it changes to the new version, or deletes them. */
type Advance<K extends number | string, V extends object> = (region: Region<K, V>, changes: Changes) => void;

interface RegionOptions<V> {
  /** Bytes that the values take together at most; the least recently used go first. 0 caches none. */
  readonly most: number;
  /** Bytes of a value with its key, about. */
  readonly size: number | ((value: V) => number);
}

/** Values of one kind by key, all of the same version. */
export class Region<K extends number | string, V extends object> implements Kept {
  readonly #most: number;
  readonly #values: LRUCache<K, V>;
  readonly #advance: Advance<K, V>;

  constructor({ most, size }: RegionOptions<V>, advance: Advance<K, V>) {
    this.#most = Math.floor(most);
    const sizeCalculation = typeof size === 'number' ? () => size : size;
    this.#values = new LRUCache({ maxSize: Math.max(1, this.#most), sizeCalculation });
    this.#advance = advance;
  }

  get(key: K): V | undefined {
    return this.#values.get(key);
  }

  /** The value, without a use of it. */
  peek(key: K): V | undefined {
    return this.#values.peek(key);
  }

  /** A value whose size has changed is measured again. */
  put(key: K, value: V): void {
    if (this.#most === 0) return;
    if (this.#values.peek(key) === value) this.#values.delete(key);
    this.#values.set(key, value);
  }

  delete(key: K): void {
    this.#values.delete(key);
  }

  commit(changes: Changes): void {
    if (changes.isEverything) this.drop();
    // An import that nobody asks beside has nothing to advance.
    else if (this.#values.size > 0) this.#advance(this, changes);
  }

  get bytes(): number {
    return this.#values.calculatedSize;
  }

  drop(): void {
    this.#values.clear();
  }
}

/** Answers that are cached, by what was asked. */
export interface Regions extends TokenRegions {
  /** Candles, by token. */
  readonly candles: Region<number, TokenCandles>;
  /** How many rows a list of a token or a pool holds, by `listKey`. */
  readonly lists: Region<number, { readonly count: number }>;
  /** The labels that the registry of wallets gives, under `wallets`. */
  readonly labels: Region<'wallets', ReadonlySet<string>>;
}

export function newRegions(budget: Budget): Regions {
  return {
    ...newTokenRegions(budget),
    candles: newCandleRegion(budget.candles),
    lists: newListRegion(budget.lists),
    labels: new Region({ most: budget.labels, size: labelBytes }, dropWithRegistry),
  };
}

function dropWithRegistry(region: Pick<Kept, 'drop'>, { hasRegistryChanged }: Changes): void {
  if (hasRegistryChanged) region.drop();
}

function labelBytes(names: ReadonlySet<string>): number {
  return [...names].reduce((sum, name) => sum + 100 + 2 * name.length, 200);
}

/** Candles of one token and interval from a bucket on to the newest swap. */
export interface CandleSeries {
  /** Start of the first bucket that the series covers, Unix seconds; 0 covers everything. */
  readonly from: number;
  readonly fold: CandleFold;
}

/** The series of one token, by `seriesKey`. Each commit with swaps of the token goes on with them. */
export type TokenCandles = ReadonlyMap<string, CandleSeries>;

export function seriesKey({ interval, prints }: Pick<CandleFold, 'interval' | 'prints'>): string {
  return `${interval} ${prints}`;
}

/** Bytes of a candle, and of a series beside its candles. */
const CANDLE = 56;
const SERIES = 3584;

/** `most`: bytes of all series together. */
export function newCandleRegion(most: number): Region<number, TokenCandles> {
  const size = (series: TokenCandles): number =>
    [...series.values()].reduce((sum, { fold }) => sum + fold.size * CANDLE + SERIES, 0);
  return new Region({ most, size }, (region, { appended, touched }) => {
    for (const token of touched.tokens) region.delete(token);
    for (const { legs } of appended) {
      const { token, standing, seq, price, usd_amount: usd } = legs.columns;
      const grown = new Map<number, TokenCandles>();
      for (let i = 0; i < legs.length; i++) {
        const series = region.peek(token[i]!);
        if (series === undefined || standing[i] === SELF) continue;
        for (const { fold } of series.values()) fold.addLeg(seq[i]!, price[i]!, usd[i]!, standing[i]!);
        grown.set(token[i]!, series);
      }
      for (const [id, series] of grown) region.put(id, series);
    }
  });
}

/** Lists that are counted: those of a wallet are short, and counted as fast as a count is looked up. `moves`, of id 0, are 1 if there is any. */
export type CountedList =
  | 'swaps of a token'
  | 'swaps of a pool'
  | 'trades of a token'
  | 'transfers of a token'
  | 'moves';

const countedLists: readonly CountedList[] = [
  'swaps of a token',
  'swaps of a pool',
  'trades of a token',
  'transfers of a token',
  'moves',
];

/** `id`: of the token or pool. */
export function listKey(list: CountedList, id: number): number {
  return id * countedLists.length + countedLists.indexOf(list);
}

function newListRegion(most: number): Regions['lists'] {
  return new Region({ most, size: 116 }, (region, { appended, touched }) => {
    region.delete(listKey('moves', 0));
    const grow = (list: CountedList, ids: Int32Array): void => {
      for (const id of ids) {
        const known = region.peek(listKey(list, id));
        if (known !== undefined) region.put(listKey(list, id), { count: known.count + 1 });
      }
    };
    for (const { legs, swaps, trades } of appended) {
      grow('swaps of a token', legs.columns.token);
      grow('swaps of a pool', swaps.columns.pool);
      grow('trades of a token', trades.columns.token);
    }
    for (const token of touched.tokens)
      for (const list of ['swaps of a token', 'trades of a token', 'transfers of a token'] as const)
        region.delete(listKey(list, token));
    for (const pool of touched.pools) region.delete(listKey('swaps of a pool', pool));
  });
}

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
  /** Native tokens per token, if the print moves with the native price as a mark; else `NaN`. */
  readonly native_price: number;
  /** The last print that may be a mark: the same one, an earlier one, or none. */
  readonly clean: CleanPrint | null;
}

/** What a print that values what is held says. */
export type MarkPrint = Pick<LatestPrint, 'usd_price' | 'block_time' | 'native_price'>;

interface CleanPrint extends MarkPrint {
  /** Whether it has a voice: as long as a token has no vote, one without may be a mark. */
  readonly isMarking: boolean;
}

export interface SymbolId {
  readonly id: number;
}

/** What the registry says of a token: `supply` is the one that market caps go by, circulating or else total; `NaN` where it gives neither. */
export interface RegisteredToken {
  readonly symbol: string | null;
  readonly supply: number;
}

type TokenRegion<T> = Region<number, TokenAnswer<T>>;

export interface TokenRegions {
  readonly prices: TokenRegion<LatestPrint>;
  /** What the newest swap that names a token calls it. */
  readonly symbols: TokenRegion<SymbolId>;
  readonly registered: TokenRegion<RegisteredToken>;
  readonly stats: TokenRegion<object>;
  /** What the native token is worth, as of one time. */
  readonly native: TokenRegion<{ readonly usd: number }>;
  /** What quote tokens are known to be worth. */
  readonly known: TokenRegion<{ readonly usd: number }>;
}

function newTokenRegions(budget: Budget): TokenRegions {
  return {
    prices: new Region({ most: budget.prices, size: 375 }, advancePrices),
    symbols: new Region({ most: budget.symbols, size: 200 }, advanceSymbols),
    registered: new Region({ most: budget.registered, size: 240 }, dropWithRegistry),
    stats: new Region({ most: budget.stats, size: 2100 }, (region, { appended, touched }) => {
      for (const { legs } of appended) for (const token of legs.columns.token) region.delete(token);
      for (const token of touched.tokens) region.delete(token);
    }),
    native: new Region({ most: budget.native, size: 200 }, (region) => region.drop()),
    known: new Region({ most: budget.known, size: 200 }, (region, { touched }) => {
      for (const token of touched.tokens) region.delete(token);
    }),
  };
}

const advancePrices: Advance<number, TokenAnswer<LatestPrint>> = (region, { appended, touched }) => {
  for (const rows of appended)
    for (const [token, { clean, isVoiceless, ...print }] of lastPrints(rows)) {
      const before = region.peek(token);
      // Other prints leave the mark, if it is known and they can't be one: without a vote, those without a voice may.
      if (clean !== undefined) region.put(token, answerOf({ ...print, clean }));
      else if (before === undefined || (isVoiceless && before.value?.clean?.isMarking !== true)) region.delete(token);
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

function answerOf<T>(value: T): TokenAnswer<T> {
  return { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY, value };
}

interface AppendedPrint extends Omit<LatestPrint, 'clean'> {
  readonly clean: CleanPrint | undefined;
  /** Whether one is not suspect, and has no voice. */
  readonly isVoiceless: boolean;
}

/** The last print of each token that has one, and its last among the new ones that may be a mark, from the last on. */
function* lastPrints({
  swaps,
  slots,
  legs,
  roles,
}: Appended): Generator<readonly [token: number, print: AppendedPrint]> {
  const { token, seq, price, standing } = legs.columns;
  const last = new Map<number, number>();
  const lastMarking = new Map<number, number>();
  const voiceless = new Set<number>();
  for (let leg = 0; leg < legs.length; leg++) {
    if (Number.isNaN(price[leg]!)) continue;
    last.set(token[leg]!, leg);
    if (isMarking(standing[leg]!)) lastMarking.set(token[leg]!, leg);
    else if (!isSuspect(standing[leg]!)) voiceless.add(token[leg]!);
  }
  const { seq: seqs } = swaps.columns;
  const printAt = (leg: number): MarkPrint => {
    const native_price = nativeMarkOf(swaps, firstAfter(seqs, swaps.length, seq[leg]!) - 1, token[leg]!, roles);
    return { usd_price: price[leg]!, block_time: timeOf(seq[leg]!), native_price };
  };
  let swap = swaps.length - 1;
  for (const [id, leg] of [...last].sort((a, b) => b[1] - a[1])) {
    while (swaps.columns.seq[swap] !== seq[leg]) swap--;
    const slot = slots[swap]!;
    const clean = lastMarking.get(id);
    yield [
      id,
      {
        ...printAt(leg),
        block_slot: Number.isNaN(slot) ? null : slot,
        suspect: isSuspect(standing[leg]!),
        isVoiceless: voiceless.has(id),
        clean: clean === undefined ? undefined : { ...printAt(clean), isMarking: true },
      },
    ];
  }
}
