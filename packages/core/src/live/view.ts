import type { Transfers } from '../ingest/transfers/check.ts';
import { type Candle, MAX_CANDLES } from '../market-data/candle-fold.ts';
import { candles } from '../queries/candles.ts';
import type { QueryContext } from '../queries/context.ts';
import { type LatestPrice, latestPrices } from '../queries/prices.ts';
import type { Swap } from '../queries/swap.ts';
import { servedSwaps } from '../queries/swaps.ts';
import { servedTrades, type Trade } from '../queries/trades.ts';
import type { Transfer } from '../queries/transfer.ts';
import { oldestFirst, servedTransfers } from '../queries/transfers.ts';
import { timeOf } from '../records/chain-order.ts';
import { type Batch, NO_ID, takeRows } from '../records/columns.ts';
import { addTo } from '../records/key-index.ts';
import { bucketStart } from '../time.ts';
import type { LiveCommit, LiveRows, LiveTransfers } from './commit.ts';

export type Ask = <T>(run: (context: QueryContext) => Promise<T>, cost: 'point' | 'scan') => Promise<T>;

/** Rows that are served before others have their turn. */
const PIECE = 500;

/** A trade that there is no more. */
export interface GoneTrade {
  readonly tx_hash: string;
  readonly wallet: string;
  readonly token: string;
}

export interface TradeItems {
  readonly items: Items<Trade>;
  readonly gone: readonly GoneTrade[];
}

export interface TransferItems {
  readonly items: Items<Transfer>;
  /** Those that there are no more. */
  readonly gone: Items<Transfer>;
}

interface Cursors {
  readonly before: string;
  readonly after: string;
}

/** Candles that changed, and the starts of buckets that have none. */
interface Changed {
  readonly found: readonly Candle[];
  readonly gone: readonly number[];
}

/** The items of one commit, each made when the first subscription asks for it. */
export class CommitView {
  readonly #made = new Map<string, Eventual<unknown>>();

  constructor(
    readonly commit: LiveCommit,
    readonly cursors: Cursors,
    readonly ask: Ask,
  ) {}

  /** What `make` gives, made once for all who ask by the same key. What fails is made again: it may have read from a state that is gone. */
  once<T>(key: string, make: () => Promise<T>): Eventual<T> {
    const known = this.#made.get(key);
    if (known !== undefined) return known as Eventual<T>;
    const made = make();
    this.#made.set(key, made);
    made.then(
      (value) => this.#made.set(key, value),
      () => this.#made.delete(key),
    );
    return made;
  }

  swaps(rows: LiveRows): Eventual<Items<Swap>> {
    return this.once('swaps', async () => {
      const known = rows.transactions();
      const served = await this.#pieces(rows.swaps, async (context, piece) => {
        const { data } = await servedSwaps(context, piece, piece.length, known);
        return data;
      });
      return new Items(served, {
        wallet: ({ wallet }) => [wallet],
        token: ({ token_in, token_out }) => (token_in === token_out ? [token_in] : [token_in, token_out]),
        pool: ({ pool }) => (pool === null ? [] : [pool]),
      });
    });
  }

  trades(rows: LiveRows): Eventual<TradeItems> {
    return this.once('trades', async () => {
      const { tradePools, goneTrades } = rows;
      const transactions = rows.transactions();
      const served = await this.#pieces(rows.trades, async (context, piece) => {
        const { data } = await servedTrades(context, piece, piece.length, { transactions, tradePools });
        return data;
      });
      const items = new Items(served, {
        wallet: ({ wallet }) => [wallet],
        token: ({ token }) => [token],
        pool: ({ pools }) => pools,
      });
      const { tx, wallet, token } = goneTrades.columns;
      const gone = await this.ask(async ({ dictionary, reader }) => {
        await dictionary.load(reader, [...wallet, ...token]);
        return Array.from(tx, (id, row) => ({
          tx_hash: transactions.get(id)?.tx_hash ?? '',
          wallet: dictionary.textOf(wallet[row]!),
          token: dictionary.textOf(token[row]!),
        })).filter(({ tx_hash }) => tx_hash !== '');
      }, 'point');
      return { items, gone };
    });
  }

  transfers({ transfers, gone }: LiveTransfers): Eventual<TransferItems> {
    return this.once('transfers', async () => {
      const itemsOf = async (rows: Transfers): Promise<Items<Transfer>> =>
        new Items(await this.#pieces(oldestFirst(rows), servedTransfers), {
          wallet: ({ from, to }) => [...new Set([from, to])].filter((wallet) => wallet !== null),
          token: ({ token }) => [token],
        });
      return { items: await itemsOf(transfers), gone: await itemsOf(gone) };
    });
  }

  /** Asks as of the newest swap: nothing would tell of one that is ahead of the clock once its time comes. */
  #askNewest<T>(run: (context: QueryContext) => Promise<T>, cost: 'point' | 'scan'): Promise<T> {
    return this.ask((known) => run({ ...known, asOf: Math.max(known.asOf, known.lastTime ?? 0) }), cost);
  }

  /** The latest prices of the tokens that changed; `gone`: those of them that have none, although they may have had one. */
  prices(rows: LiveRows): Eventual<{ readonly items: Items<LatestPrice>; readonly gone: readonly string[] }> {
    return this.once('prices', () =>
      this.#askNewest(async (context) => {
        const { dictionary, reader } = context;
        const ids = [...new Set([...timesByToken(rows).keys(), ...(rows.replaces?.tokens ?? [])])];
        await dictionary.load(reader, ids);
        const tokens = ids.map((id) => dictionary.textOf(id));
        const prices = await latestPrices(context, { tokens });
        const priced = new Set(prices.map(({ token }) => token));
        const gone = rows.isAppended ? [] : tokens.filter((token) => !priced.has(token));
        return { items: new Items(prices, { token: ({ token }) => [token] }), gone };
      }, 'point'),
    );
  }

  /**
   * The buckets of a token that changed, the oldest first; after a rollback all from its first on. `gone`: the changed ones that have no
   * candle, although they may have had one.
   */
  candles(rows: LiveRows, token: string, interval: number): Eventual<Changed> {
    return this.once(`candles ${interval} ${token}`, () =>
      this.#askNewest(async (context) => {
        const id = await context.dictionary.findOne(context.reader, token);
        if (id === NO_ID) return { found: [], gone: [] };
        const changed = new Set<number>();
        for (const time of timesByToken(rows).get(id) ?? []) changed.add(bucketStart(time, interval));
        const { replaces } = rows;
        const since = bucketStart(replaces?.fromTime ?? Number.POSITIVE_INFINITY, interval);
        const found: Candle[] = [];
        for (const { from, to } of rangesOf(context.asOf, { interval, changed, since }))
          for (const candle of await candles(context, { token, interval, from, to }))
            if (changed.has(candle.timestamp) || candle.timestamp >= since) found.push(candle);
        if (rows.isAppended || replaces !== undefined) return { found, gone: [] };
        for (const { timestamp } of found) changed.delete(timestamp);
        return { found, gone: [...changed].sort((a, b) => a - b) };
      }, 'scan'),
    );
  }

  /** The rows as they are served, some at a time, so that others have their turn between. */
  async #pieces<B extends Batch, T>(
    batch: B,
    serve: (context: QueryContext, piece: B) => Promise<readonly T[]>,
  ): Promise<readonly T[]> {
    const served: T[] = [];
    for (let from = 0; from < batch.length; from += PIECE) {
      const rows = Array.from({ length: Math.min(PIECE, batch.length - from) }, (_, i) => from + i);
      const piece = batch.length <= PIECE ? batch : (takeRows(batch, rows) as unknown as B);
      await this.ask(async (context) => {
        for (const item of await serve(context, piece)) served.push(item);
        await context.yielder().take();
      }, 'point');
    }
    return served;
  }
}

const times = new WeakMap<LiveRows, ReadonlyMap<number, readonly number[]>>();

function timesByToken(rows: LiveRows): ReadonlyMap<number, readonly number[]> {
  const known = times.get(rows);
  if (known !== undefined) return known;
  const found = new Map<number, number[]>();
  const { seq, token_in, token_out } = rows.swaps.columns;
  for (let row = 0; row < rows.swaps.length; row++) {
    const time = timeOf(seq[row]!);
    for (const token of [token_in[row]!, token_out[row]!]) addTo(found, token, time);
  }
  for (const { token, seq } of rows.judged)
    for (const [place, id] of token.entries()) addTo(found, id, timeOf(seq[place]!));
  times.set(rows, found);
  return found;
}

/** Ranges of time, each of as many buckets as one question may have, around those that changed, and all from `since` on. */
function* rangesOf(
  asOf: number,
  { interval, changed, since }: { readonly interval: number; readonly changed: ReadonlySet<number>; since: number },
): Generator<{ readonly from: number; readonly to?: number | undefined }> {
  const starts = [...changed].filter((start) => start < since && start <= asOf).sort((a, b) => a - b);
  const most = MAX_CANDLES * interval;
  const ending = (to: number) => (to > asOf ? undefined : to);
  for (let i = 0; i < starts.length; ) {
    const from = starts[i]!;
    while (i < starts.length && starts[i]! < from + most) i++;
    yield { from, to: ending(starts[i - 1]! + interval) };
  }
  for (let from = since; from <= asOf; from += most) yield { from, to: ending(from + most) };
}

/** The addresses by which items of a kind are chosen. */
type KeysOf<T> = Readonly<Partial<Record<'wallet' | 'token' | 'pool', (item: T) => readonly string[]>>>;

/** Which items a subscription wants: those that have one of each list; a list that is absent asks for nothing. */
export interface Wanted {
  readonly wallet?: ReadonlySet<string> | undefined;
  readonly token?: ReadonlySet<string> | undefined;
  readonly pool?: ReadonlySet<string> | undefined;
}

type KeyName = keyof Wanted;
const keyNames: readonly KeyName[] = ['wallet', 'token', 'pool'];

/** The items of a commit, in chain order, found by the addresses that they have. */
export class Items<T> {
  readonly all: readonly T[];
  readonly #keysOf: KeysOf<T>;
  readonly #rows = new Map<KeyName, ReadonlyMap<string, readonly number[]>>();

  constructor(all: readonly T[], keysOf: KeysOf<T>) {
    this.all = all;
    this.#keysOf = keysOf;
  }

  choose(wanted: Wanted): readonly T[] {
    const [first, ...others] = keyNames.filter((name) => wanted[name] !== undefined);
    if (first === undefined) return this.all;
    const index = this.#index(first);
    const found = new Set<number>();
    for (const key of wanted[first]!) for (const row of index.get(key) ?? []) found.add(row);
    if (found.size === 0) return [];
    const has = (item: T, name: KeyName): boolean => this.#keysOf[name]!(item).some((key) => wanted[name]!.has(key));
    const rows = [...found].sort((a, b) => a - b).map((row) => this.all[row]!);
    return others.length === 0 ? rows : rows.filter((item) => others.every((name) => has(item, name)));
  }

  #index(name: KeyName): ReadonlyMap<string, readonly number[]> {
    const known = this.#rows.get(name);
    if (known !== undefined) return known;
    const index = new Map<string, number[]>();
    for (const [row, item] of this.all.entries()) for (const key of this.#keysOf[name]!(item)) addTo(index, key, row);
    this.#rows.set(name, index);
    return index;
  }
}

/** A value, or a promise of one: what many share is made once, and then there without a turn of the event loop for each. */
export type Eventual<T> = T | Promise<T>;

export function mapped<T, R>(value: Eventual<T>, map: (value: T) => R): Eventual<R> {
  return value instanceof Promise ? value.then(map) : map(value);
}

/** All of them, once the last is there. */
export function allOf<T>(values: readonly Eventual<T>[]): Eventual<readonly T[]> {
  return values.some((value) => value instanceof Promise) ? Promise.all(values) : (values as readonly T[]);
}
