import { type Bag, emptyBag } from '../bag/bag.ts';
import type { EntityTrades } from '../bag/entity.ts';
import { addTrades } from '../bag/partial-sums.ts';
import { newPartialSums } from '../bag/trade-facts.ts';
import { type WindowSpec, windowSpecs } from '../bag/windows.ts';
import { arrivedOf, findingHere } from '../ledger/here.ts';
import { settledBalance } from '../ledger/lot-rows.ts';
import { resultOf } from '../ledger/result.ts';
import { BUY, CLOSE, OPEN } from '../ledger/trade.ts';
import { type Metric, metricPath, metricValue } from '../metrics/metric.ts';
import { percent, ratio } from '../metrics/numbers.ts';
import type { ProfileShape } from '../profiles/shape.ts';
import { pairToken, pairWallet, timeOf } from '../records/chain-order.ts';
import { type Batch, newBatch, takeRows } from '../records/columns.ts';
import { groupRows, indexing, placesOf } from '../records/key-index.ts';
import type { balancesTable, lotsTable, tradesTable } from '../records/tables.ts';
import { ROWS_PER_CHECK, type Yielder, yielder } from '../yielder.ts';
import type { FoldContext } from './context.ts';
import type { MovedState, PositionMoves } from './position-moves.ts';
import { type TokenFacts, TradeLog, type TradeRows } from './trade-log.ts';

/** Until when a profile holds that time alone does not change. */
export const FOREVER = 2 ** 52;

/** Shortest first: each window is the one before and what is older. */
const windows = [...windowSpecs.wallets].sort((a, b) => a.seconds - b.seconds);

/**
 * Writes the stored metrics of positions: the metrics of a bag that knows nothing but the trades of its window, added from the newest on.
 * The same trades give the same numbers, to the bit, wherever the trades begin that are given.
 */
export class PositionWindows {
  readonly #sums = newPartialSums();
  readonly #bag = emptyBag();
  readonly #metrics: readonly Metric[];
  /** By window, the columns of the metrics. */
  readonly #columns: readonly (readonly Float64Array[])[];
  readonly #freshUntil: Float64Array;
  /** The metrics of a window without a trade. */
  readonly #ofNothing: readonly number[];

  /** `rows`: the rows of the table of positions that are written. */
  constructor({ table }: ProfileShape, metrics: readonly Metric[], rows: Batch) {
    const path = (window: string, metric: Metric): string => `metrics.${window}.${metricPath(metric)}`;
    const isStored = (metric: Metric): boolean => table.columns[path(windows[0]!.name, metric)] !== undefined;
    this.#metrics = metrics.filter((metric) => metric.of.includes('positions') && isStored(metric));
    this.#freshUntil = rows.columns.fresh_until as Float64Array;
    this.#columns = windows.map(({ name }) =>
      this.#metrics.map((metric) => rows.columns[path(name, metric)] as Float64Array),
    );
    this.#ofNothing = this.#valuesOf(this.#sums);
  }

  /**
   * Writes the metrics of the position at `row`. `rows` are those of its trades up to `asOf`, newest first, at least those in the longest
   * window. `fresh_until` is the last as-of time for which they hold: the second before the first trade leaves a window.
   */
  fill(row: number, trades: EntityTrades, rows: ArrayLike<number>, asOf: number): void {
    const sums = this.#sums.fill(0);
    let until = FOREVER;
    let i = 0;
    let values = this.#ofNothing;
    for (const [w, { seconds }] of windows.entries()) {
      const before = i;
      for (; i < rows.length && trades.time[rows[i]!]! > asOf - seconds; i++)
        addTrades(sums, trades, rows[i]!, rows[i]! + 1);
      // Most positions have the same trades in several windows.
      if (i > before) values = this.#valuesOf(sums);
      const columns = this.#columns[w]!;
      for (let m = 0; m < values.length; m++) columns[m]![row] = values[m]!;
      if (i > 0) until = Math.min(until, trades.time[rows[i - 1]!]! + seconds - 1);
    }
    this.#freshUntil[row] = until;
  }

  #valuesOf(sums: Float64Array): readonly number[] {
    this.#bag.take(sums);
    return this.#metrics.map((metric) => metricValue(metric, this.#bag));
  }
}

/** The bag that the stored metrics of a position in a window are of: facts of its trades alone. `trades` are those up to `asOf`, at least of the window. */
export function storedBag(trades: EntityTrades, { seconds }: WindowSpec, asOf: number): Bag {
  const sums = newPartialSums();
  for (let row = trades.length - 1; row >= 0 && trades.time[row]! > asOf - seconds; row--)
    addTrades(sums, trades, row, row + 1);
  const bag = emptyBag();
  bag.take(sums);
  return bag;
}

export type PairBalances = Batch<typeof balancesTable, 'pair' | 'balance' | 'received' | 'flags'>;
export type PairLots = Batch<typeof lotsTable, 'pair' | 'amount' | 'unit_cost' | 'unit_cost_native' | 'bought'>;

/** What positions are made of, but for their windows. */
interface PairReads {
  /** Rows by pair: the rows of each pair oldest first, from its first trade on, or from the first that its stored position does not have. */
  readonly trades: HistoryRows;
  readonly pairs: Float64Array;
  /** By place in `pairs`, the first row of the pair; one more for the end. */
  readonly starts: Int32Array;
  /** Where the trades are in another order: their rows in that which `starts` is of. */
  readonly order?: Int32Array | undefined;
  /** Block time of the newest swap that touches a pair; if `undefined`, the time of its stored or carried position. */
  readonly newestSwap: (pair: number) => number | undefined;
  readonly balances: PairBalances;
  /** By pair and ordinal. */
  readonly lots: PairLots;
  readonly moves: PositionMoves;
  /** When the positions are made, Unix seconds. */
  readonly syncedAt: number;
  /** Stored positions to be continued, or those that the store carries. */
  readonly stored?: Batch | undefined;
}

/** Trades by pair. */
interface GroupedTrades {
  readonly trades: TradeRows;
  readonly pairs: Float64Array;
  readonly starts: Int32Array;
}

/** Positions have no metric that asks for the registry. */
export const noFacts: TokenFacts = { supplyOf: () => Number.NaN, createdAtOf: () => Number.NaN };

/** Trades pair by pair, with where each pair begins. */
export function groupPairs(trades: TradeRows, of: Float64Array): GroupedTrades {
  const { index, starts, rows } = groupRows(of);
  return { trades: takeRows(trades, rows), pairs: index.keys(), starts };
}

/** As `groupPairs`, for pairs that are given: each once, some of which may have no trade. Trades of other pairs are left out. */
export function groupByPairs(trades: TradeRows, of: Float64Array, pairs: Float64Array): GroupedTrades {
  const index = placesOf(pairs);
  const places = Int32Array.from(of, (pair) => index.find(pair));
  const starts = new Int32Array(pairs.length + 1);
  for (const place of places) if (place >= 0) starts[place + 1]!++;
  for (let place = 0; place < pairs.length; place++) starts[place + 1]! += starts[place]!;
  const next = starts.slice();
  const rows = new Int32Array(starts[pairs.length]!);
  for (const [row, place] of places.entries()) if (place >= 0) rows[next[place]!++] = row;
  return { trades: takeRows(trades, rows), pairs, starts };
}

/** The rows of positions, one a pair, folded from all their trades. Yields to other work. */
export async function positionRows(context: FoldContext, reads: PairReads & GroupedTrades): Promise<Batch> {
  const { shapes, metrics, asOf } = context;
  const { starts, trades } = reads;
  const pause = yielder();
  const rows = await historyRows(context, reads, pause);
  const windows = new PositionWindows(shapes.positions, metrics, rows);
  const log = new TradeLog();
  for (let row = 0; row < rows.length; row++) {
    if (pause.isDue()) await pause.take();
    log.begin(undefined);
    log.add(trades, starts[row]!, starts[row + 1]!, trades.columns.token, noFacts);
    const newestFirst = Int32Array.from({ length: log.trades.length }, (_, i) => log.trades.length - 1 - i);
    windows.fill(row, log.trades, newestFirst, asOf);
  }
  return rows;
}

/** The rows of positions, one a pair, without what depends on windows. Yields to other work. */
export async function historyRows(context: FoldContext, reads: PairReads, pause: Yielder): Promise<Batch> {
  const { shapes, dictionary } = context;
  const { pairs, starts, order, trades, stored, newestSwap, syncedAt } = reads;
  const rows: Batch = newBatch(shapes.positions.table, pairs.length);
  const c = rows.columns as Readonly<Record<string, Float64Array>>;
  const [walletAddress, tokenAddress, state] = (['wallet_address', 'token_address', 'metadata.state'] as const).map(
    (name) => rows.columns[name] as (string | null)[],
  );
  const storedRows = placesOf((stored?.columns.id ?? new Float64Array()) as Float64Array);
  c.id!.set(pairs);
  c.synced_at!.fill(syncedAt);
  const history = new PositionHistory();
  for (const [row, pair] of pairs.entries()) {
    if (pause.isDue()) await pause.take();
    const [wallet, token] = [pairWallet(pair), pairToken(pair)];
    c.wallet![row] = wallet;
    c.token![row] = token;
    walletAddress![row] = dictionary.textOf(wallet);
    tokenAddress![row] = dictionary.textOf(token);
    const before = storedRows.find(pair);
    history.begin(stored, before);
    for (let i = starts[row]!; i < starts[row + 1]!; i++)
      history.add(trades, order === undefined ? i : order[i]!, reads.moves);
    history.move(reads.moves.sinceLast(pair));
    state![row] = history.write(c, row);
    c.updated_at![row] = newestSwap(pair) ?? (stored!.columns.updated_at as Float64Array)[before]!;
  }
  await fillHolding(rows, reads, pause);
  return rows;
}

/** Writes what the pairs hold: their balances, their lots that are here and away, and what of them was spent. */
async function fillHolding(rows: Batch, { pairs, balances, lots, moves }: PairReads, pause: Yielder): Promise<void> {
  const rowOf = await pause.run(indexing(pairs));
  const balance = (rows.columns['holding.balance'] as Float64Array).fill(Number.NaN);
  const amount = (rows.columns.lot_amount as Float64Array).fill(Number.NaN);
  const cost = (rows.columns['holding.cost_basis'] as Float64Array).fill(Number.NaN);
  const amountNative = (rows.columns.lot_amount_native as Float64Array).fill(Number.NaN);
  const costNative = (rows.columns['holding.cost_basis_native'] as Float64Array).fill(Number.NaN);
  const entry = rows.columns['holding.avg_entry_price'] as Float64Array;
  const arrived = rows.columns['holding.arrived_amount'] as Float64Array;
  const away = rows.columns['holding.away_amount'] as Float64Array;
  const awayLots = rows.columns.away_lot_amount as Float64Array;
  const awayCost = (rows.columns['holding.away_cost'] as Float64Array).fill(Number.NaN);
  const spent = rows.columns['holding.spent_cost'] as Float64Array;
  const here = new Float64Array(pairs.length);
  const { columns: b } = balances;
  for (let i = 0; i < balances.length; i++) {
    if (i % ROWS_PER_CHECK === 0) await pause.yieldIfDue();
    const row = rowOf.find(b.pair[i]!);
    if (row >= 0) balance[row] = settledBalance(b.balance[i]!, b.received[i]!, b.flags[i]!);
  }
  const { columns: l } = lots;
  const isHere = await pause.run(findingHere(lots));
  for (let i = 0; i < lots.length; i++) {
    if (i % ROWS_PER_CHECK === 0) await pause.yieldIfDue();
    const row = rowOf.find(l.pair[i]!);
    if (row < 0) continue;
    const [tokens, unit, unitNative] = [l.amount[i]!, l.unit_cost[i]!, l.unit_cost_native[i]!];
    if (isHere[i] === 0) {
      away[row]! += tokens;
      if (!Number.isNaN(unit)) {
        awayLots[row]! += tokens;
        awayCost[row] = orZero(awayCost[row]!) + tokens * unit;
      }
      continue;
    }
    here[row]! += tokens;
    if (!Number.isNaN(unit)) {
      amount[row] = orZero(amount[row]!) + tokens;
      cost[row] = orZero(cost[row]!) + tokens * unit;
    }
    if (!Number.isNaN(unitNative)) {
      amountNative[row] = orZero(amountNative[row]!) + tokens;
      costNative[row] = orZero(costNative[row]!) + tokens * unitNative;
    }
  }
  await pause.yieldIfDue();
  for (let row = 0; row < pairs.length; row++) entry[row] = finite(ratio(cost[row]!, amount[row]!) ?? Number.NaN);
  for (let row = 0; row < pairs.length; row++) if (amountNative[row] === amount[row]) amountNative[row] = Number.NaN;
  for (const [row, pair] of pairs.entries()) {
    arrived[row] = arrivedOf(balance[row]!, here[row]!);
    if (away[row] === 0) awayCost[row] = 0;
    if (awayLots[row] === away[row]) awayLots[row] = Number.NaN;
    spent[row] = moves.spentOf(pair);
  }
  for (const column of [balance, amount, cost, amountNative, costNative, arrived, away, awayLots, awayCost, spent])
    for (let row = 0; row < pairs.length; row++) column[row] = finite(column[row]!);
}

const orZero = (value: number): number => (Number.isNaN(value) ? 0 : value);

/** Infinities are unknown, and no zero is negative. */
export const finite = (value: number): number => (Number.isFinite(value) ? value + 0 : Number.NaN);

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
type HistoryRows = Batch<typeof tradesTable, (typeof historyColumns)[number]>;

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

  /** Adds the trade at row `i`, which comes after those that are there, and what moved with it. */
  add({ columns: t }: HistoryRows, i: number, moves: Pick<PositionMoves, 'ofTrade'>): void {
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
    this.move(moves.ofTrade(t.seq[i]!));
  }

  /** Takes the state that something which is no trade has left, if anything has. */
  move(state: MovedState | undefined): void {
    if (state === undefined) return;
    if (!Number.isNaN(state.openedAt)) this.#now.openedAt = state.openedAt;
    this.#now.closedAt = state.closedAt;
  }

  /** Writes what it adds up to, as `begin` takes it up. */
  save(c: Readonly<Record<string, unknown>>, row: number): void {
    for (const name of names) (c[columns[name]] as Float64Array)[row] = finite(this.#now[name]);
  }

  /** Writes it to a row of the table of positions. Gives the state of the position. */
  write(c: Readonly<Record<string, Float64Array>>, row: number): 'open' | 'closed' | 'unknown' {
    const now = this.#now;
    this.save(c, row);
    c['metadata.held']![row] = now.closedAt - now.openedAt;
    c['holding.realized_roi']![row] = finite(percent(now.pnl, now.cost) ?? Number.NaN);
    if (Number.isNaN(now.openedAt)) return 'unknown';
    return Number.isNaN(now.closedAt) ? 'open' : 'closed';
  }
}
