import { type Bag, emptyBag } from '../bag/bag.ts';
import type { EntityTrades } from '../bag/entity.ts';
import { addTrades } from '../bag/partial-sums.ts';
import { newPartialSums } from '../bag/trade-facts.ts';
import { type WindowSpec, windowSpecs } from '../bag/windows.ts';
import { type Metric, metricPath } from '../metrics/metric.ts';
import type { ProfileShape } from '../profiles/shape.ts';
import type { Batch } from '../records/columns.ts';
import { FOREVER } from './forever.ts';
import { metricValue } from './metric-value.ts';

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

  /** `rows`: those of the table of positions that are written. */
  constructor({ table }: ProfileShape, metrics: readonly Metric[], rows: Batch) {
    const path = (window: string, metric: Metric): string => `metrics.${window}.${metricPath(metric)}`;
    const isStored = (metric: Metric): boolean => table.columns[path(windows[0]!.name, metric)] !== undefined;
    this.#metrics = metrics.filter((metric) => metric.of.includes('positions') && isStored(metric));
    this.#freshUntil = rows.columns.fresh_until as Float64Array;
    this.#columns = windows.map(({ name }) =>
      this.#metrics.map((metric) => rows.columns[path(name, metric)] as Float64Array),
    );
  }

  /**
   * Writes the metrics of the position at `row`. `rows` are those of its trades up to `asOf`, newest first, at least those in the longest
   * window. `fresh_until` is the last as-of time for which they hold: the second before the first trade leaves a window.
   */
  fill(row: number, trades: EntityTrades, rows: ArrayLike<number>, asOf: number): void {
    const sums = this.#sums.fill(0);
    let until = FOREVER;
    let i = 0;
    for (const [w, { seconds }] of windows.entries()) {
      for (; i < rows.length && trades.time[rows[i]!]! > asOf - seconds; i++)
        addTrades(sums, trades, rows[i]!, rows[i]! + 1);
      this.#bag.take(sums);
      for (const [m, metric] of this.#metrics.entries()) this.#columns[w]![m]![row] = metricValue(metric, this.#bag);
      if (i > 0) until = Math.min(until, trades.time[rows[i - 1]!]! + seconds - 1);
    }
    this.#freshUntil[row] = until;
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
