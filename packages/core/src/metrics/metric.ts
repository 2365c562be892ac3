import type { Bag } from '../bag/bag.ts';
import type { TermName, Unit } from '../bag/terms.ts';
import { SwapfoldError } from '../errors.ts';
import { show } from '../nearest.ts';
import type { ProfileKind } from '../records/profile-fields.ts';
import type { Story } from './story.ts';

export type { Unit };

/** A case worked by hand: the metric over the trades of `story` in `window` is `value`, `because` shows the working. */
export interface Example {
  readonly story: Story;
  readonly window: string;
  readonly value: number | null;
  readonly because: string;
  /** Where the value differs between a wallet's and a token's profile: whose it is. */
  readonly of?: 'tokens' | 'wallets';
}

/**
 * One metric, whole: everything that Swapfold knows of it derives from this declaration.
 *
 * - `name`: wire name, snake_case; `of`: whose profile carries it.
 * - `empty`: what it is over no trades: 0 for counts and sums, `null` for what is then undefined.
 * - `terms`: the facts of the bag that `value` reads. An explanation lists them; a metric that names none is explained by its formula.
 * - `value`: a question to the bag of one window, made of the terms; not finite counts as `null`.
 * - `isSum`: the value of all trades is the sum of the values of each. An explanation lists what each trade adds.
 * - `source`: where the formula comes from.
 */
export interface Metric {
  readonly name: string;
  readonly of: readonly ProfileKind[];
  readonly unit: Unit;
  readonly sentence: string;
  readonly formula: string;
  readonly empty: 0 | null;
  readonly terms?: readonly TermName[];
  readonly isSum?: true;
  readonly value: (bag: Bag) => number | null;
  readonly examples: readonly Example[];
  readonly source: string;
  /** True where the interface that Swapfold implements does not name the metric. */
  readonly isExtension?: true;
  /** True where a store remembers the metric and this process does not have its function: `value` is not to be called. */
  readonly isStoredOnly?: true;
  /** Where the metric is one key of an object on the wire (`token_roi_distribution`): the object's name. */
  readonly group?: string;
}

/**
 * Declares a metric.
 *
 * - Shape: the declaration itself, checked. Hand it to `Swapfold.open` as `metrics` to store, filter, sort and serve it beside the built-in ones.
 * - `value` sees the `terms` alone, if there are any: to read another fact is a compile error.
 * - Errors: `invalid-config` for a name that is not snake_case.
 */
export function defineMetric<const M extends Omit<Metric, 'terms' | 'value'>, const T extends TermName = TermName>(
  metric: M & { readonly terms?: readonly T[]; readonly value: (bag: Pick<Bag, T>) => number | null },
): typeof metric {
  checkNames(metric);
  return metric;
}

/** Errors: `invalid-config` for a name that is not snake_case. */
export function checkNames(metric: Pick<Metric, 'name' | 'group'>): void {
  for (const name of [metric.name, metric.group ?? 'group'])
    if (!/^[a-z0-9][a-z0-9_]*$/.test(name))
      throw new SwapfoldError('invalid-config', `Metric name "${name}" must be snake_case: a-z, 0-9 and _.`);
}

/** The path of a metric under its window: `pnl`, or `token_roi_distribution.gt_500`. */
export function metricPath(metric: Metric): string {
  return metric.group === undefined ? metric.name : `${metric.group}.${metric.name}`;
}

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
