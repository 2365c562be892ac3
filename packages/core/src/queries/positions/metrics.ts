import { noPrints } from '../../bag/entity.ts';
import { WindowsFold } from '../../bag/fold.ts';
import { bucketSeconds, windowSpecs } from '../../bag/windows.ts';
import { requireFunctions } from '../../metrics/declaration.ts';
import { type Metric, metricPath } from '../../metrics/metric.ts';
import type { Batch } from '../../records/columns.ts';
import { metricValue } from '../../refresh/metric-value.ts';
import { readTokenFacts } from '../../refresh/read.ts';
import { TradeLog } from '../../refresh/trade-log.ts';
import type { QueryContext } from '../context.ts';
import { readPairTrades } from './trades.ts';

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
  const tokens = Int32Array.from(new Set(rows.columns.token as Int32Array));
  const facts = await readTokenFacts(context.reader, tokens);
  const fold = new WindowsFold(windows, bucketSeconds.wallets);
  const log = new TradeLog();
  const pause = context.yielder();
  const costs = rows.columns['holding.cost_basis'] as Float64Array;
  const longest = Math.max(...asked.map(({ window }) => windows[window]!.seconds));
  const instants = instantsOf(context, rows);
  for await (const { row, trades, from, to } of readPairTrades(context, { rows, instants, seconds: longest })) {
    const open = from < to ? trades!.columns.open_before[from]! : costs[row]! || 0;
    log.begin({ time: -1, openCost: { sum: open, low: 0, positions: open === 0 ? 0 : 1 } });
    if (trades !== undefined) log.add(trades, from, to, trades.columns.token, facts);
    for (const _ of fold.steps(log.trades, noPrints, instants[row]!)) await pause.yieldIfDue();
    for (const { window, metric, column } of asked) column[row] = metricValue(metric, fold.bags[window]!);
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
