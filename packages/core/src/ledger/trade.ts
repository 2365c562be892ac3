import { allRows, type Batch, enlarged, isAscending, newBatch, takeRows } from '../records/columns.ts';
import { tradePoolsTable, tradesTable } from '../records/tables.ts';

export type Trades = Batch<typeof tradesTable>;
/** The columns of trades that the ledger of a pair reads and writes. */
export type LedgerTrades = Batch<
  typeof tradesTable,
  | 'seq'
  | 'tx'
  | 'wallet'
  | 'token'
  | 'direction'
  | 'token_amount'
  | 'usd_amount'
  | 'native_amount'
  | 'position_state'
  | 'cost'
  | 'proceeds'
  | 'pnl'
  | 'holding'
  | 'open_before'
  | 'open_cost'
  | 'cost_native'
  | 'proceeds_native'
  | 'pre_token_balance'
  | 'post_token_balance'
>;
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

/**
 * The same arrays in an object of a fixed shape: V8 finds a column of a batch, whose names came one by one, by hashing its name, and the
 * ledger asks for some twenty of each trade.
 */
export function ledgerTrades({ length, columns: c }: LedgerTrades): LedgerTrades {
  return {
    length,
    columns: {
      seq: c.seq,
      tx: c.tx,
      wallet: c.wallet,
      token: c.token,
      direction: c.direction,
      token_amount: c.token_amount,
      usd_amount: c.usd_amount,
      native_amount: c.native_amount,
      position_state: c.position_state,
      cost: c.cost,
      proceeds: c.proceeds,
      pnl: c.pnl,
      holding: c.holding,
      open_before: c.open_before,
      open_cost: c.open_cost,
      cost_native: c.cost_native,
      proceeds_native: c.proceeds_native,
      pre_token_balance: c.pre_token_balance,
      post_token_balance: c.post_token_balance,
    },
  };
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
