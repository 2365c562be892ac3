import type { Bag } from '../../bag/bag.ts';
import { type EntityTrades, noPrints } from '../../bag/entity.ts';
import { WindowsFold } from '../../bag/fold.ts';
import { type MovedLots, movedUntil, nothingMoved } from '../../bag/moved-lots.ts';
import { bucketSeconds, windowSpecs } from '../../bag/windows.ts';
import { isKept } from '../../ingest/carried.ts';
import { type Metric, metricPath, metricValue, requireFunctions } from '../../metrics/metric.ts';
import { firstSeqAt, lastSeqAt, pairOf, timeOf } from '../../records/chain-order.ts';
import { type Batch, concatBatches, takeRows } from '../../records/columns.ts';
import { tradesTable } from '../../records/tables.ts';
import { readMovedOfPairs } from '../../refresh/moved-lots.ts';
import { readTokenFacts } from '../../refresh/read.ts';
import { TradeLog, type TradeRows, tradeColumns } from '../../refresh/trade-log.ts';
import { ascending } from '../../storage/adapter.ts';
import { and, between, isIn } from '../../storage/predicate.ts';
import type { QueryContext } from '../context.ts';

/** What the trades of a position are found by, and its open cost without one. */
export const ofMetrics = [
  'wallet',
  'token',
  'fresh_until',
  'metadata.first_trade_at',
  'metadata.last_trade_at',
  'holding.cost_basis',
];

interface Asked {
  readonly window: number;
  readonly metric: Metric;
  readonly column: Float64Array;
}

/** Positions have the windows of wallets. */
const windows = windowSpecs.wallets;

/**
 * Writes the metrics `names`, which no table has, of the trades of each position in each window.
 *
 * - Errors: `metric-failed`; `store-mismatch` if the function of a metric is not there.
 */
export async function fillMetrics(context: QueryContext, rows: Batch, names: ReadonlySet<string>): Promise<void> {
  const asked = askedOf(context, rows, names);
  if (asked.length === 0 || rows.length === 0) return;
  requireFunctions([...new Set(asked.map(({ metric }) => metric))], 'A question about them');
  const seconds = Math.max(...asked.map(({ window }) => windows[window]!.seconds));
  const instants = instantsOf(context, rows);
  // A refresh has left the position behind, and trades of the window may be forgotten since.
  for await (const { row, bags } of foldPairs(context, { rows, instants, seconds }))
    for (const { window, metric, column } of asked)
      if (isKept({ asOf: instants[row]!, horizon: context.horizon }, windows[window]!.seconds))
        column[row] = metricValue(metric, bags[window]!);
}

/** A position as a fold leaves it, until the next: its trades, and the bags of its windows that lie in the seconds of the scan. */
interface FoldedPair {
  readonly row: number;
  readonly trades: EntityTrades;
  /** In the order of the windows of wallets. */
  readonly bags: readonly Bag[];
}

export async function* foldPairs(context: QueryContext, scan: PairScan): AsyncGenerator<FoldedPair> {
  const { rows, instants } = scan;
  const tokens = Int32Array.from(new Set(rows.columns.token as Int32Array));
  const facts = await readTokenFacts(context.reader, tokens);
  const movedOf = await readMovedOfScan(context, scan, tokens);
  const fold = new WindowsFold(windows, bucketSeconds.wallets, context.config.wash);
  const log = new TradeLog();
  const pause = context.yielder();
  const costs = rows.columns['holding.cost_basis'] as Float64Array;
  for await (const { row, trades, from, to } of readPairTrades(context, scan)) {
    const open = from < to ? trades!.columns.open_before[from]! : costs[row]! || 0;
    log.begin({ time: -1, openCost: { sum: open, low: 0, positions: open === 0 ? 0 : 1 } });
    if (trades !== undefined) log.add(trades, from, to, trades.columns.token, facts);
    const beside = { moved: movedOf(row) };
    for (const _ of fold.steps(log.trades, noPrints, instants[row]!, beside)) await pause.yieldIfDue();
    yield { row, trades: log.trades, bags: fold.bags };
    await pause.yieldIfDue();
  }
}

/** Lots of each position of a scan that moved between its trades, as the stored position knows them. */
async function readMovedOfScan(
  { reader }: QueryContext,
  { rows, instants, seconds }: PairScan,
  tokens: Int32Array,
): Promise<(row: number) => MovedLots> {
  const { wallet, token } = rows.columns as Readonly<Record<'wallet' | 'token', Int32Array>>;
  let [from, to] = [Number.POSITIVE_INFINITY, 0];
  for (const instant of instants) {
    from = Math.min(from, Math.max(0, instant - seconds + 1));
    to = Math.max(to, instant);
  }
  if (from > to) return () => nothingMoved;
  const wallets = Int32Array.from(new Set(wallet));
  const moved = await readMovedOfPairs(reader, { wallets, tokens }, [firstSeqAt(from), lastSeqAt(to)]);
  return (row) =>
    movedUntil(
      moved.get(pairOf(wallet[row]!, token[row]!)) ?? nothingMoved,
      Math.min(lastTrade(rows, row), instants[row]!),
    );
}

function askedOf({ metrics }: QueryContext, { columns }: Batch, names: ReadonlySet<string>): readonly Asked[] {
  const own = metrics.filter(({ of }) => of.includes('positions'));
  return windows.flatMap(({ name }, window) =>
    own.flatMap((metric) => {
      const column = `metrics.${name}.${metricPath(metric)}`;
      return names.has(column) ? [{ window, metric, column: columns[column] as Float64Array }] : [];
    }),
  );
}

/** The instant that each row is of: where a refresh has left it behind the others, the last one that it holds for. */
function instantsOf({ asOf }: QueryContext, { columns }: Batch): Float64Array {
  return (columns.fresh_until as Float64Array).map((until) => Math.min(until, asOf));
}

/** The trades of the position at `row`, oldest first: the rows of `trades` from one to another; none if it is absent. */
export interface PairTrades {
  readonly row: number;
  readonly trades?: TradeRows;
  readonly from: number;
  readonly to: number;
}

/** Positions as they are stored; of each are read, at least, the trades in the `seconds` before its instant. */
export interface PairScan {
  readonly rows: Batch;
  readonly instants: Float64Array;
  readonly seconds: number;
}

/** The trades of each position, each position once, in one read of the table. No later ones than the stored position knows of. */
export async function* readPairTrades(context: QueryContext, scan: PairScan): AsyncGenerator<PairTrades> {
  const { wallet, token } = scan.rows.columns as Readonly<Record<'wallet' | 'token', Int32Array>>;
  const rowOf = new Map<number, number>();
  for (let row = 0; row < scan.rows.length; row++) {
    if (lastTrade(scan.rows, row) > scan.instants[row]! - scan.seconds)
      rowOf.set(pairOf(wallet[row]!, token[row]!), row);
    else yield { row, from: 0, to: 0 };
  }
  if (rowOf.size === 0) return;
  for await (const trades of readByEntity(context, scan, [...rowOf.values()])) {
    const { order, pieces } = byPosition(trades, scan, rowOf);
    const sorted = takeRows(trades, order);
    for (const { pair, ...piece } of pieces) {
      yield { ...piece, trades: sorted };
      rowOf.delete(pair);
    }
  }
  // A swap that was taken back since the position was stored has taken its trades with it.
  for (const row of rowOf.values()) yield { row, from: 0, to: 0 };
}

const firstTrade = ({ columns }: Batch, row: number): number => columns['metadata.first_trade_at']![row] as number;
const lastTrade = ({ columns }: Batch, row: number): number => columns['metadata.last_trade_at']![row] as number;

/** The trades of all positions at `wanted` and others, in batches: all of a wallet, or all of a token, lie in one of them. */
async function* readByEntity(
  { reader }: QueryContext,
  { rows, instants, seconds }: PairScan,
  wanted: readonly number[],
): AsyncGenerator<TradeRows> {
  const idsOf = (name: 'wallet' | 'token'): Int32Array =>
    Int32Array.from(new Set(wanted.map((row) => rows.columns[name]![row] as number)));
  const [wallets, tokens] = [idsOf('wallet'), idsOf('token')];
  const key = wallets.length <= tokens.length ? 'wallet' : 'token';
  let [from, to] = [Number.POSITIVE_INFINITY, 0];
  for (const row of wanted) {
    from = Math.min(from, Math.max(firstTrade(rows, row), instants[row]! - seconds + 1));
    to = Math.max(to, lastTrade(rows, row));
  }
  const stream: AsyncIterable<TradeRows> = reader.stream({
    table: tradesTable,
    columns: tradeColumns,
    where: and(isIn('wallet', wallets), isIn('token', tokens), between('seq', firstSeqAt(from), lastSeqAt(to))),
    order: ascending(key, 'seq'),
  });
  let begun: TradeRows[] = [];
  for await (const batch of stream) {
    if (batch.length === 0) continue;
    const ids = batch.columns[key];
    const start = ids.indexOf(ids[batch.length - 1]!);
    const isOther = begun.length > 0 && begun[0]!.columns[key][0] !== ids[0];
    if (start > 0) begun.push(sliceOf(batch, 0, start));
    if (start > 0 || isOther) {
      yield concatBatches(tradesTable, tradeColumns, begun);
      begun = [];
    }
    begun.push(sliceOf(batch, start, batch.length));
  }
  if (begun.length > 0) yield concatBatches(tradesTable, tradeColumns, begun);
}

function sliceOf({ columns }: TradeRows, from: number, to: number): TradeRows {
  const slices = Object.entries(columns).map(([name, values]) => [name, values.slice(from, to)]);
  return { length: to - from, columns: Object.fromEntries(slices) };
}

/** An order of trades in which the trades of a position lie together, and where. */
interface ByPosition {
  readonly order: readonly number[];
  readonly pieces: readonly (Omit<PairTrades, 'trades'> & { readonly pair: number })[];
}

function byPosition(
  { columns, length }: TradeRows,
  { rows }: PairScan,
  rowOf: ReadonlyMap<number, number>,
): ByPosition {
  const found = new Map<number, number[]>();
  for (let i = 0; i < length; i++) {
    const pair = pairOf(columns.wallet[i]!, columns.token[i]!);
    const row = rowOf.get(pair);
    if (row === undefined || timeOf(columns.seq[i]!) > lastTrade(rows, row)) continue;
    const own = found.get(pair);
    if (own === undefined) found.set(pair, [i]);
    else own.push(i);
  }
  let to = 0;
  const pieces = Array.from(found, ([pair, own]) => {
    const from = to;
    to += own.length;
    return { pair, row: rowOf.get(pair)!, from, to };
  });
  return { order: [...found.values()].flat(), pieces };
}
