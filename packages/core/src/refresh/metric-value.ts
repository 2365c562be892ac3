import type { Bag } from '../bag/bag.ts';
import { SwapfoldError } from '../errors.ts';
import { type Metric, metricPath } from '../metrics/metric.ts';
import { show } from '../nearest.ts';

/**
 * A metric of a bag as it is stored and served: finite or `NaN`, durations in whole seconds, no negative zero.
 *
 * - Errors: `metric-failed` if the function of the metric throws, with that as cause.
 */
export function metricValue(metric: Metric, bag: Bag): number {
  const value = questioned(metric, bag);
  if (value === null || !Number.isFinite(value)) return Number.NaN;
  return (metric.unit === 'seconds' ? Math.floor(value + 0.5) : value) + 0;
}

function questioned(metric: Metric, bag: Bag): number | null {
  try {
    return metric.value(bag);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : show(cause);
    throw new SwapfoldError('metric-failed', `The metric "${metricPath(metric)}" failed: ${reason}`, { cause });
  }
}
