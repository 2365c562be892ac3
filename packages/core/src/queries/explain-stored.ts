import { type Bag, emptyBag } from '../bag/bag.ts';
import { type Term, type TermName, termTable } from '../bag/terms.ts';
import { builtInMetrics } from '../metrics/built-in.ts';
import type { Metric } from '../metrics/metric.ts';
import type { ProfileKind } from '../profiles/fields.ts';
import type { QueryContext } from './context.ts';
import { type Asked, columnOf, type StoredMetrics } from './explain-subject.ts';

/** Any number that no formula gives back by accident. */
const PROBE = 1 / Math.PI;

const blank = emptyBag();

/** The metrics whose value is the one term that they have: a stored profile has these terms. */
const termMetrics: readonly Metric[] = builtInMetrics.filter(({ terms = [], value }: Metric) => {
  const [name] = terms;
  if (name === undefined || terms.length > 1 || typeof blank[name] !== 'number') return false;
  return value({ [name]: PROBE } as Partial<Bag> as Bag) === PROBE;
});

/** What follows from the window and the instant. */
const ofWindow: Readonly<Partial<Record<TermName, (asked: Asked, asOf: number) => number>>> = {
  seconds: ({ window }) => window.seconds,
  ratioScale: ({ window }) => window.ratioScale,
  asOf: (_, asOf) => asOf,
};

/**
 * The columns of a stored profile in which the terms of a metric are, by term; `undefined` if it does not have them all. One with a span, or
 * with what the registry says of today, takes the trades.
 */
export function termColumns(
  { shapes }: QueryContext,
  kind: ProfileKind,
  { metric, window }: Asked,
): ReadonlyMap<TermName, string> | undefined {
  const { columns } = shapes[kind].table;
  // What is computed of positions adds up in another order than what is stored.
  if (metric.terms === undefined || !(columnOf(metric, window) in columns)) return undefined;
  const found = new Map<TermName, string>();
  for (const name of metric.terms) {
    const { span, reads }: Term = termTable[name];
    if (span !== undefined || reads === 'best' || reads === 'registry') return undefined;
    if (name in ofWindow) continue;
    const own = termMetrics.find(({ of, terms }) => of.includes(kind) && terms![0] === name);
    if (own === undefined || !(columnOf(own, window) in columns)) return undefined;
    found.set(name, columnOf(own, window));
  }
  return found;
}

/** A bag that has the terms of a metric, and nothing else. */
export function storedTerms(
  asked: Asked,
  asOf: number,
  columns: ReadonlyMap<TermName, string>,
  { numberOf }: StoredMetrics,
): Bag {
  const terms = (asked.metric.terms ?? []).map((name) => [
    name,
    ofWindow[name]?.(asked, asOf) ?? numberOf(columns.get(name)!),
  ]);
  return Object.fromEntries(terms) as Partial<Bag> as Bag;
}
