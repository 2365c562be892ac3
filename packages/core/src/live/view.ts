import type { Candle } from '../market-data/candle-fold.ts';
import { candles } from '../queries/candles.ts';
import type { QueryContext } from '../queries/context.ts';
import { type LatestPrice, latestPrices } from '../queries/prices.ts';
import type { Swap } from '../queries/swap.ts';
import { servedSwaps } from '../queries/swaps.ts';
import { servedTrades, type Trade } from '../queries/trades.ts';
import { timeOf } from '../records/chain-order.ts';
import { type Batch, NO_ID, takeRows } from '../records/columns.ts';
import { addTo } from '../records/key-index.ts';
import type { LiveCommit, LiveRows } from './commit.ts';
import { type Eventual, Items } from './items.ts';

export type Ask = <T>(run: (context: QueryContext) => Promise<T>, cost: 'point' | 'scan') => Promise<T>;

/** Rows that are served before others have their turn. */
const PIECE = 500;

/** Candles that one question gives at most. */
const MOST_CANDLES = 5000;

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

interface Cursors {
  readonly before: string;
  readonly after: string;
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

  prices(rows: LiveRows): Eventual<Items<LatestPrice>> {
    return this.once('prices', () =>
      this.ask(async (context) => {
        const { dictionary, reader } = context;
        const ids = [...new Set([...timesByToken(rows).keys(), ...(rows.replaces?.tokens ?? [])])];
        await dictionary.load(reader, ids);
        const tokens = ids.map((id) => dictionary.textOf(id));
        return new Items(await latestPrices(context, { tokens }), { token: ({ token }) => [token] });
      }, 'point'),
    );
  }

  /** The buckets of a token that changed, the oldest first; after a rollback all from its first on. */
  candles(rows: LiveRows, token: string, interval: number): Eventual<readonly Candle[]> {
    return this.once(`candles ${interval} ${token}`, () =>
      this.ask(async (context) => {
        const id = await context.dictionary.findOne(context.reader, token);
        if (id === NO_ID) return [];
        const changed = new Set<number>();
        for (const time of timesByToken(rows).get(id) ?? []) changed.add(Math.floor(time / interval) * interval);
        const { replaces } = rows;
        const since = replaces === undefined ? undefined : Math.floor(replaces.fromTime / interval) * interval;
        if (since === undefined && changed.size === 0) return [];
        const isWanted = ({ timestamp }: Candle): boolean =>
          changed.has(timestamp) || (since !== undefined && timestamp >= since);
        const from = Math.min(...changed, since ?? Number.POSITIVE_INFINITY);
        return (await candlesFrom(context, { token, interval, from })).filter(isWanted);
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

async function candlesFrom(
  context: QueryContext,
  { token, interval, from }: { readonly token: string; readonly interval: number; readonly from: number },
): Promise<readonly Candle[]> {
  const found: Candle[] = [];
  for (let start = from; start <= context.asOf; start += MOST_CANDLES * interval) {
    const end = start + MOST_CANDLES * interval;
    const to = end > context.asOf ? undefined : end;
    for (const candle of await candles(context, { token, interval, from: start, to })) found.push(candle);
  }
  return found;
}
