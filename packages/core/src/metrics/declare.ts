import type { Bag } from '../bag/bag.ts';
import type { TermName } from '../bag/terms.ts';
import { defineMetric, type Example, type Metric } from './metric.ts';
import { nothing, type Story } from './story.ts';

/** `empty`: default 0 of a sum, else `null`. `source`: default the reference, which has the formula. `examples`: without the example of no trades. */
interface Declared extends Omit<Metric, 'terms' | 'value' | 'empty' | 'source'> {
  readonly empty?: 0;
  readonly source?: string;
}

/** Declares a built-in metric, with the case of no trades as its last example. */
export function builtIn<const M extends Declared, const T extends TermName = TermName>(
  metric: M & { readonly terms?: readonly T[]; readonly value: (bag: Pick<Bag, T>) => number | null },
): typeof metric & Pick<Metric, 'empty' | 'source'> {
  const { empty = metric.isSum ? 0 : null, source = 'docs/reference/metrics.md' } = metric;
  const because = empty === 0 ? 'a count or sum over nothing is 0' : 'undefined over nothing';
  const examples = [...metric.examples, { story: nothing, window: '7d', value: empty, because }];
  return { ...defineMetric({ ...metric, empty, source }), examples };
}

/** An example, of the window `7d` unless it says another. */
export function over(
  story: Story,
  value: number | null,
  because: string,
  more: Partial<Pick<Example, 'of' | 'window'>> = {},
): Example {
  return { story, window: '7d', value, because, ...more };
}
