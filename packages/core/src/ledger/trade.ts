import { allRows, type Batch, enlarged, isAscending, newBatch, takeRows } from '../records/columns.ts';
import { tradePoolsTable, tradesTable } from '../records/tables.ts';

export type Trades = Batch<typeof tradesTable>;
export type TradePools = Batch<typeof tradePoolsTable>;

/** Codes of `swap_type`, named in_out. */
export const swapTypes = ['quote_token', 'token_quote', 'token_token', 'quote_quote'] as const;
export const QUOTE_QUOTE = 3;

export const directions = ['buy', 'sell'] as const;
export const BUY = 0;
export const SELL = 1;

export const positionStates = ['open', 'trade', 'close'] as const;
export const OPEN = 0;
export const TRADE = 1;
export const CLOSE = 2;

/** The code of a swap type, by which of its two tokens are quote tokens. */
export function swapTypeOf(inIsQuote: boolean, outIsQuote: boolean): number {
  return inIsQuote ? (outIsQuote ? QUOTE_QUOTE : 0) : outIsQuote ? 1 : 2;
}

export class TradesBuilder {
  #batch = newBatch(tradesTable, 1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Longer than what was added. */
  get columns(): Trades['columns'] {
    return this.#batch.columns;
  }

  add(): { columns: Trades['columns']; row: number } {
    if (this.#length === this.#batch.length) this.#batch = enlarged(tradesTable, this.#batch, this.#length * 2);
    return { columns: this.#batch.columns, row: this.#length++ };
  }

  /** What was added, in the order of `seq`. */
  build(): Trades {
    const seq = this.#batch.columns.seq;
    const rows = allRows(this.#length);
    return takeRows(this.#batch, isAscending(seq, rows.length) ? rows : rows.sort((a, b) => seq[a]! - seq[b]!));
  }
}

/** The rows of trades with several pools, from their pools by `seq`. */
export function tradePoolRows(poolsOf: ReadonlyMap<number, readonly number[]>): TradePools {
  let length = 0;
  for (const pools of poolsOf.values()) length += pools.length;
  const rows = newBatch(tradePoolsTable, length);
  let row = 0;
  for (const [seq, pools] of poolsOf) {
    for (const [place, pool] of pools.entries()) {
      rows.columns.seq[row] = seq;
      rows.columns.place[row] = place;
      rows.columns.pool[row++] = pool;
    }
  }
  return rows;
}
