import type { Bag } from '../../bag/bag.ts';
import { type EntityTrades, noPrints } from '../../bag/entity.ts';
import { WindowsFold } from '../../bag/fold.ts';
import { bucketSeconds, windowSpecs } from '../../bag/windows.ts';
import { requireFunctions } from '../../metrics/declaration.ts';
import { type Metric, metricPath } from '../../metrics/metric.ts';
import type { Batch } from '../../records/columns.ts';
import { metricValue } from '../../refresh/metric-value.ts';
import { readTokenFacts } from '../../refresh/read.ts';
import { TradeLog } from '../../refresh/trade-log.ts';
import type { QueryContext } from '../context.ts';
import { type PairScan, readPairTrades } from './trades.ts';

/** What the trades of a position are found by, and its open cost without one. */
export const ofMetrics = [
  'wallet',
  'token',
  'fresh_until',
  'metadata.first_trade_at',
  'metadata.last_trade_at',
  'holding.cost_basis',
];

/** A metric of a window that is computed, by its number. */
interface Asked {
  readonly window: number;
  readonly metric: Metric;
  readonly column: Float64Array;
}

/** Positions have the windows of wallets. */
const windows = windowSpecs.wallets;

/**
 * Writes the metrics that no table has: those of `names`, of the trades of each position in each window.
 *
 * - Errors: `metric-failed`; `store-mismatch` if the function of a metric is not there.
 */
export async function fillMetrics(context: QueryContext, rows: Batch, names: ReadonlySet<string>): Promise<void> {
  const asked = askedOf(context, rows, names);
  if (asked.length === 0 || rows.length === 0) return;
  requireFunctions([...new Set(asked.map(({ metric }) => metric))], 'A question about them');
  const seconds = Math.max(...asked.map(({ window }) => windows[window]!.seconds));
  for await (const { row, bags } of foldPairs(context, { rows, instants: instantsOf(context, rows), seconds }))
    for (const { window, metric, column } of asked) column[row] = metricValue(metric, bags[window]!);
}

/** A position as a fold leaves it, until the next: its trades, and the bags of its windows that lie in the seconds of the scan. */
interface FoldedPair {
  readonly row: number;
  readonly trades: EntityTrades;
  /** In the order of the windows of wallets. */
  readonly bags: readonly Bag[];
}

/** Folds the positions of a scan, in any order. */
export async function* foldPairs(context: QueryContext, scan: PairScan): AsyncGenerator<FoldedPair> {
  const { rows, instants } = scan;
  const tokens = Int32Array.from(new Set(rows.columns.token as Int32Array));
  const facts = await readTokenFacts(context.reader, tokens);
  const fold = new WindowsFold(windows, bucketSeconds.wallets, context.config.wash);
  const log = new TradeLog();
  const pause = context.yielder();
  const costs = rows.columns['holding.cost_basis'] as Float64Array;
  for await (const { row, trades, from, to } of readPairTrades(context, scan)) {
    const open = from < to ? trades!.columns.open_before[from]! : costs[row]! || 0;
    log.begin({ time: -1, openCost: { sum: open, low: 0, positions: open === 0 ? 0 : 1 } });
    if (trades !== undefined) log.add(trades, from, to, trades.columns.token, facts);
    for (const _ of fold.steps(log.trades, noPrints, instants[row]!)) await pause.yieldIfDue();
    yield { row, trades: log.trades, bags: fold.bags };
    await pause.yieldIfDue();
  }
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
