import { resultOf } from '../ledger/position.ts';
import { BUY, CLOSE, OPEN } from '../ledger/trade.ts';
import { percent } from '../metrics/numbers.ts';
import { timeOf } from '../records/chain-order.ts';
import type { Batch } from '../records/columns.ts';
import type { tradesTable } from '../records/tables.ts';

/** What a history needs of trades. */
export const historyColumns = [
  'seq',
  'direction',
  'usd_amount',
  'position_state',
  'cost',
  'proceeds',
  'cost_native',
  'proceeds_native',
] as const;
export type HistoryRows = Batch<typeof tradesTable, (typeof historyColumns)[number]>;

/** The columns that a history is written to, and taken up from. */
const columns = {
  first: 'metadata.first_trade_at',
  last: 'metadata.last_trade_at',
  openedAt: 'metadata.opened_at',
  closedAt: 'metadata.closed_at',
  bought: 'holding.bought_usd',
  sold: 'holding.sold_usd',
  buys: 'holding.buy_count',
  sells: 'holding.sell_count',
  pnl: 'holding.realized_pnl',
  cost: 'matched_cost',
  pnlNative: 'holding.realized_pnl_native',
  costNative: 'matched_cost_native',
} as const;

/** What is read of a stored position that is continued. */
export const storedColumns: readonly string[] = ['id', 'updated_at', ...Object.values(columns)];

type Numbers = { -readonly [Name in keyof typeof columns]: number };

const names = Object.keys(columns) as (keyof typeof columns)[];

const nothing: Numbers = {
  first: Number.NaN,
  last: Number.NaN,
  openedAt: Number.NaN,
  closedAt: Number.NaN,
  bought: 0,
  sold: 0,
  buys: 0,
  sells: 0,
  pnl: 0,
  cost: 0,
  pnlNative: 0,
  costNative: 0,
};

/**
 * What all trades of a position add up to, oldest first, so that a stored position can be continued: the same trades give the same numbers, to
 * the bit. Reused from position to position.
 */
export class PositionHistory {
  #now: Numbers = { ...nothing };

  /** Begins with the stored position at `row`; with nothing if that is negative. */
  begin(stored: Batch | undefined, row: number): void {
    Object.assign(this.#now, nothing);
    if (stored === undefined || row < 0) return;
    for (const name of names) this.#now[name] = (stored.columns[columns[name]] as Float64Array)[row]!;
  }

  /** Adds the trade at row `i`, which comes after those that are there. */
  add({ columns: t }: HistoryRows, i: number): void {
    const now = this.#now;
    const time = timeOf(t.seq[i]!);
    const usd = t.usd_amount[i]!;
    const known = Number.isNaN(usd) ? 0 : usd;
    if (Number.isNaN(now.first)) now.first = time;
    now.last = time;
    if (t.direction[i] === BUY) {
      now.buys++;
      now.bought += known;
    } else {
      now.sells++;
      now.sold += known;
    }
    const cost = t.cost[i]!;
    if (!Number.isNaN(cost)) {
      now.pnl += resultOf(cost, t.proceeds[i]!);
      now.cost += cost;
    }
    const costNative = t.cost_native[i]!;
    if (!Number.isNaN(costNative)) {
      now.pnlNative += resultOf(costNative, t.proceeds_native[i]!);
      now.costNative += costNative;
    }
    if (t.position_state[i] === OPEN) {
      now.openedAt = time;
      now.closedAt = Number.NaN;
    } else if (t.position_state[i] === CLOSE) now.closedAt = time;
  }

  /** Writes it to a row of the table of positions. Gives the state of the position. */
  write(c: Readonly<Record<string, Float64Array>>, row: number): 'open' | 'closed' | 'unknown' {
    const now = this.#now;
    for (const name of names) c[columns[name]]![row] = finite(now[name]);
    c['metadata.held']![row] = now.closedAt - now.openedAt;
    c['holding.realized_roi']![row] = finite(percent(now.pnl, now.cost) ?? Number.NaN);
    if (Number.isNaN(now.openedAt)) return 'unknown';
    return Number.isNaN(now.closedAt) ? 'open' : 'closed';
  }
}

const finite = (value: number): number => (Number.isFinite(value) ? value + 0 : Number.NaN);
