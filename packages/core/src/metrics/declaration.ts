import { SwapfoldError } from '../errors.ts';
import { type Metric, metricPath } from './metric.ts';

/** What a store remembers of an embedder's metric: its declaration, without the function and the examples. */
export type MetricDeclaration = Pick<Metric, 'name' | 'of' | 'unit' | 'sentence' | 'formula' | 'empty' | 'source'> & {
  readonly group?: string;
};

export function declarationOf(metric: Metric): MetricDeclaration {
  const { name, of, unit, sentence, formula, empty, source, group } = metric;
  return { name, of, unit, sentence, formula, empty, source, ...(group === undefined ? {} : { group }) };
}

/** The metric of a declaration, for a process that does not have its function: its stored values are served. */
export function storedMetric(declaration: MetricDeclaration): Metric {
  return { ...declaration, examples: [], value: () => null, isStoredOnly: true };
}

/**
 * Before profiles are folded.
 *
 * - `what` is what the caller asked for: "A refresh".
 * - Errors: `store-mismatch` if the function of a metric is not there.
 */
export function requireFunctions(metrics: readonly Metric[], what: string): void {
  const names = metrics.filter((metric) => metric.isStoredOnly).map(metricPath);
  if (names.length === 0) return;
  const [metric, their] = names.length === 1 ? ['metric', 'its'] : ['metrics', 'their'];
  throw new SwapfoldError(
    'store-mismatch',
    `${what} folds profiles, and the store has the ${metric} ${names.map((name) => `"${name}"`).join(', ')} of the program that made it, known here by ${their} stored values alone: a store remembers what a metric declares, and no function. Do it in a program that gives the ${metric} to Swapfold.open as \`metrics\`.`,
    { details: names.map((name) => ({ path: 'metrics', message: `the function of "${name}" is not here` })) },
  );
}
