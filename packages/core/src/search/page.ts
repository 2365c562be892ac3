import { clausePredicate } from '../filter/reading.ts';
import type { OrderTuple } from '../memory/first-rows.ts';
import type { Place } from '../memory/places.ts';
import type { Batch } from '../records/columns.ts';
import type { Order } from '../storage/adapter.ts';
import { type Predicate, predicateColumns } from '../storage/predicate.ts';
import type { Work } from '../work.ts';
import { writeCursor } from './cursor.ts';
import { explainedColumns, explainRows, type ProfileExplanation } from './explain.ts';
import { matchLabels } from './labels.ts';
import type { SearchContext, SearchPlan } from './plan.ts';

export interface SearchPage {
  /** Profiles that match, on all pages. */
  readonly count: number;
  /** Absent on the last page. */
  readonly cursor?: string;
  /** The page, in order: the columns that the context asked for, among others; only the others if there are `places`. */
  readonly rows: Batch;
  /** Of each row, if they are in memory. */
  readonly places?: readonly Place[] | undefined;
  /** The names of the dynamic labels that hold, a list for each row; absent where the request defines none. */
  readonly dynamic_labels?: readonly (readonly string[])[];
  /** What ran, and what each row came to; absent unless the request asks for it. */
  readonly explanation?: { readonly plan: ExplainedPlan; readonly rows: readonly ProfileExplanation[] };
}

/** What ran for a search: the condition and order of stored rows, and what was read. */
export interface ExplainedPlan {
  readonly where: Predicate;
  readonly order: readonly Order[];
  readonly steps: readonly PlanStep[];
}

/**
 * One read. `match` reads what a text query may match, to be ranked; `count` and `page` are decided where the rows are.
 * `rows` is what the step answered with, `matches` how many of them matched.
 */
export interface PlanStep {
  readonly step: 'match' | 'count' | 'page';
  readonly rows: number;
  readonly matches?: number;
}

/** What a page is made of; `last` holds the sort values of its last row where more rows follow. */
export interface Found {
  readonly plan: SearchPlan;
  readonly context: SearchContext;
  readonly count: number;
  readonly rows: Batch;
  readonly places?: readonly Place[] | undefined;
  readonly last: OrderTuple | undefined;
  readonly steps: readonly PlanStep[];
}

export function* toPage({ plan, context, count, rows, places, last, steps }: Found): Work<SearchPage> {
  const { clause, labels, sort, where } = plan;
  const order = sort.map(({ column, direction }) => ({ column, direction }));
  return {
    count,
    ...(last === undefined ? {} : { cursor: writeCursor(plan.key, last) }),
    rows,
    places,
    ...(labels.length === 0 ? {} : { dynamic_labels: yield* matchLabels(labels, rows) }),
    ...(plan.explain
      ? { explanation: { plan: { where, order, steps }, rows: yield* explainRows(clause, labels, rows, context.asOf) } }
      : {}),
  };
}

/** The columns to read of a page: those the caller wants, and those that cursors, labels and explanations need. */
export function pageColumns(plan: SearchPlan, wanted: readonly string[]): string[] {
  const sorted = plan.isByRelevance ? [] : plan.sort.map(({ column }) => column);
  const clauses = [...plan.labels.map(({ clause }) => clause), ...(plan.explain ? [plan.clause] : [])];
  const tested = clauses.flatMap((clause) => [...predicateColumns(clausePredicate(clause))]);
  const shown = plan.explain ? clauses.flatMap(explainedColumns) : [];
  return [...new Set(['id', ...wanted, ...sorted, ...tested, ...shown])];
}
