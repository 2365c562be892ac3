import { SwapfoldError } from '../errors.ts';
import { builtInMetrics } from './built-in.ts';
import type { Metric } from './metric.ts';

/** The built-in metrics and an embedder's own. Errors: `invalid-config` for a name that is taken. */
export function allMetrics(own: readonly Metric[]): readonly Metric[] {
  const metrics = [...builtInMetrics, ...own];
  const seen = new Set<string>();
  for (const metric of metrics) {
    for (const of of metric.of) {
      const key = `${of} ${metric.group ?? ''} ${metric.name}`;
      if (seen.has(key))
        throw new SwapfoldError(
          'invalid-config',
          `The metric "${metric.name}" of ${of} is declared twice; give yours another name.`,
        );
      seen.add(key);
    }
  }
  return metrics;
}
