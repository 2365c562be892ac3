import { settledBalance } from '../ledger/position.ts';
import { ratio } from '../metrics/numbers.ts';
import { pairToken, pairWallet } from '../records/chain-order.ts';
import { type Batch, newBatch, takeRows } from '../records/columns.ts';
import { groupRows, indexing, placesOf } from '../records/key-index.ts';
import type { balancesTable, lotsTable } from '../records/tables.ts';
import { ROWS_PER_CHECK, type Yielder, yielder } from '../yielder.ts';
import type { FoldContext } from './context.ts';
import { type HistoryRows, PositionHistory } from './position-history.ts';
import { PositionWindows } from './position-windows.ts';
import { type TokenFacts, TradeLog, type TradeRows } from './trade-log.ts';

export type PairBalances = Batch<typeof balancesTable, 'pair' | 'balance' | 'received' | 'is_reported'>;
export type PairLots = Batch<typeof lotsTable, 'pair' | 'amount' | 'unit_cost' | 'unit_cost_native'>;

/** What positions are made of, but for their windows. */
export interface PairReads {
  /** Rows by pair: those of each oldest first, from its first trade on, or from the first that its stored position does not have. */
  readonly trades: HistoryRows;
  readonly pairs: Float64Array;
  /** By place in `pairs`, the first row of the pair; one more for the end. */
  readonly starts: Int32Array;
  /** Where the trades are in another order: their rows in that which `starts` is of. */
  readonly order?: Int32Array | undefined;
  /** Block time of the newest swap that touches a pair; that of its stored position if it is `undefined`. */
  readonly newestSwap: (pair: number) => number | undefined;
  readonly balances: PairBalances;
  /** By pair and ordinal. */
  readonly lots: PairLots;
  /** When the positions are made, Unix seconds. */
  readonly syncedAt: number;
  /** Stored positions to be continued. */
  readonly stored?: Batch | undefined;
}

/** Trades by pair. */
export interface GroupedTrades {
  readonly trades: TradeRows;
  readonly pairs: Float64Array;
  readonly starts: Int32Array;
}

/** Positions have no metric that asks for the registry. */
const noFacts: TokenFacts = { supplyOf: () => Number.NaN, createdAtOf: () => Number.NaN };

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
    for (let i = starts[row]!; i < starts[row + 1]!; i++) history.add(trades, order === undefined ? i : order[i]!);
    state![row] = history.write(c, row);
    c.updated_at![row] = newestSwap(pair) ?? (stored!.columns.updated_at as Float64Array)[before]!;
  }
  await fillHolding(rows, reads, pause);
  return rows;
}

/** Writes what the pairs hold: their balances, and their open lots of known cost. */
async function fillHolding(rows: Batch, { pairs, balances, lots }: PairReads, pause: Yielder): Promise<void> {
  const rowOf = await pause.run(indexing(pairs));
  const balance = (rows.columns['holding.balance'] as Float64Array).fill(Number.NaN);
  const amount = (rows.columns.lot_amount as Float64Array).fill(Number.NaN);
  const cost = (rows.columns['holding.cost_basis'] as Float64Array).fill(Number.NaN);
  const amountNative = (rows.columns.lot_amount_native as Float64Array).fill(Number.NaN);
  const costNative = (rows.columns['holding.cost_basis_native'] as Float64Array).fill(Number.NaN);
  const entry = rows.columns['holding.avg_entry_price'] as Float64Array;
  const { columns: b } = balances;
  for (let i = 0; i < balances.length; i++) {
    if (i % ROWS_PER_CHECK === 0) await pause.yieldIfDue();
    const row = rowOf.find(b.pair[i]!);
    if (row >= 0) balance[row] = settledBalance(b.balance[i]!, b.received[i]!, b.is_reported[i] === 1);
  }
  const { columns: l } = lots;
  for (let i = 0; i < lots.length; i++) {
    if (i % ROWS_PER_CHECK === 0) await pause.yieldIfDue();
    const row = rowOf.find(l.pair[i]!);
    if (row < 0) continue;
    const [tokens, unit, unitNative] = [l.amount[i]!, l.unit_cost[i]!, l.unit_cost_native[i]!];
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
  for (const column of [balance, amount, cost, amountNative, costNative])
    for (let row = 0; row < pairs.length; row++) column[row] = finite(column[row]!);
}

const orZero = (value: number): number => (Number.isNaN(value) ? 0 : value);

const finite = (value: number): number => (Number.isFinite(value) ? value + 0 : Number.NaN);
