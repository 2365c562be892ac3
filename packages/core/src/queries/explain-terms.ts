import type { TermSource } from '../bag/spans.ts';
import { type Term, type TermName, type TradePart, termNameOf, termTable } from '../bag/terms.ts';
import type { Metric } from '../metrics/metric.ts';
import { formatTime } from '../time.ts';
import { orNull } from './context.ts';
import type { MetricTerm } from './explain-schema.ts';

/** The terms of a metric as an answer lists them. */
export function servedTerms({ terms = [] }: Metric, source: TermSource): readonly MetricTerm[] {
  return terms.map((name) => {
    const { unit, meaning, span }: Term = termTable[name];
    const value = source.bag[name];
    const [from, to] = (span?.(source) ?? [null, null]).map((time) => (time === null ? null : formatTime(time)));
    return {
      name: termNameOf(name),
      value: typeof value === 'number' ? orNull(value) : Array.from(value, orNull),
      unit,
      meaning,
      from: from!,
      to: to!,
    };
  });
}

/**
 * What a trade adds to a metric that is a sum: its function over the parts that the trade has in its terms. `null` of other metrics, and of a
 * trade that is in none of the terms.
 */
export function partOfTrade({ isSum, terms = [], value }: Metric, trade: TradePart): number | null {
  if (isSum !== true) return null;
  const parts = terms.map((name): readonly [TermName, number | null] => {
    const { part }: Term = termTable[name];
    return [name, part?.(trade) ?? null];
  });
  if (parts.every(([, part]) => part === null)) return null;
  return value(Object.fromEntries(parts.map(([name, part]) => [name, part ?? 0])) as unknown as TermSource['bag']);
}
