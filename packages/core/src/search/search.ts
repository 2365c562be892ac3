import { clausePredicate } from '../filter/clause.ts';
import { type Batch, type Table, takeRows } from '../records/columns.ts';
import type { Order, Reader } from '../storage/adapter.ts';
import { and, isIn, type Predicate } from '../storage/predicate.ts';
import { predicateColumns } from './columns.ts';
import { writeCursor } from './cursor.ts';
import { explainedColumns, explainRows, type ProfileExplanation } from './explain.ts';
import { afterTuple, type SortTuple } from './keyset.ts';
import { matchLabels } from './labels.ts';
import { planSearch, type SearchContext, type SearchPlan, type SearchRequest } from './plan.ts';
import { compareTuples, type Match, matchColumns, rankMatches } from './relevance.ts';

/** One page of a search. */
export interface SearchPage {
  /** Profiles that match, on all pages. */
  readonly count: number;
  /** Absent on the last page. */
  readonly cursor?: string;
  /** The page, in order: the columns that the context asked for, among others. */
  readonly rows: Batch;
  /** The names of the dynamic labels that hold, a list for each row; absent where the request defines none. */
  readonly dynamic_labels?: readonly (readonly string[])[];
  /** What ran, and what each row came to; absent unless the request asks for it. */
  readonly explanation?: { readonly plan: ExplainedPlan; readonly rows: readonly ProfileExplanation[] };
}

/** What ran for a search: the condition and order given to the engine, and what was read. */
export interface ExplainedPlan {
  readonly where: Predicate;
  readonly order: readonly Order[];
  readonly steps: readonly PlanStep[];
}

/**
 * One read. `match` reads what a text query may match, to be ranked; `count` and `page` are decided by the engine.
 * `rows` is what the step answered with, `matches` how many of them matched.
 */
export interface PlanStep {
  readonly step: 'match' | 'count' | 'page';
  readonly rows: number;
  readonly matches?: number;
}

/**
 * One page of the profiles that a request asks for.
 *
 * - Shape: `count` is exact; `cursor` continues after the last row by its sort values, so that rows that do not change are neither repeated nor skipped.
 * - Order: `sort`, missing values last, ties by address ascending; without `sort` by relevance to the query, or else by `defaultSort`.
 * - Errors: `invalid-request`, `unknown-field`, `unknown-operator`, `invalid-filter`, `invalid-cursor`, all before the store is read.
 */
export async function searchProfiles(
  reader: Reader,
  request: SearchRequest,
  context: SearchContext,
): Promise<SearchPage> {
  const plan = planSearch(request, context);
  const { query, sort, isByRelevance } = plan;
  if (query === undefined || !(isByRelevance || query.fuzzy)) return sortedPage(reader, plan, context, plan.where);

  const columns = matchColumns(query, sort, isByRelevance);
  const candidates = await reader.read<Table, string>({ table: context.table, columns, where: plan.where });
  const matches = rankMatches(candidates, query, sort, isByRelevance);
  const step = { step: 'match', rows: candidates.length, matches: matches.length } as const;
  if (isByRelevance) return relevantPage(reader, plan, context, matches, step);
  return sortedPage(
    reader,
    plan,
    context,
    isIn(
      'id',
      Int32Array.from(matches, ({ id }) => id),
    ),
    step,
  );
}

async function sortedPage(
  reader: Reader,
  plan: SearchPlan,
  context: SearchContext,
  where: Predicate,
  ...steps: PlanStep[]
): Promise<SearchPage> {
  const { table } = context;
  const { sort, limit, after } = plan;
  const count = await reader.count(table, where);
  const found = await reader.read<Table, string>({
    table,
    columns: pageColumns(plan, context),
    where: after === undefined ? where : and(where, afterTuple(sort, after)),
    order: sort.map(({ column, direction }) => ({ column, direction })),
    limit: limit + 1,
  });
  const isLast = found.length <= limit;
  const rows = isLast ? found : takeRows(found, firstRows(limit));
  const last = isLast ? undefined : sort.map(({ column }) => valueAt(rows, column, limit - 1));
  steps.push({ step: 'count', rows: count }, { step: 'page', rows: rows.length });
  return toPage({ plan, context, count, rows, last, steps });
}

async function relevantPage(
  reader: Reader,
  plan: SearchPlan,
  context: SearchContext,
  matches: readonly Match[],
  step: PlanStep,
): Promise<SearchPage> {
  const { sort, limit, after } = plan;
  const left =
    after === undefined ? [...matches] : matches.filter(({ tuple }) => compareTuples(sort, after, tuple) < 0);
  left.sort((a, b) => compareTuples(sort, a.tuple, b.tuple));
  const shown = left.slice(0, limit);
  const ids = Int32Array.from(shown, ({ id }) => id);
  const columns = pageColumns(plan, context);
  const found = await reader.read<Table, string>({ table: context.table, columns, where: isIn('id', ids) });
  const rowOf = new Map(Array.from(found.columns.id as Int32Array, (id, row) => [id, row]));
  const rows = takeRows(
    found,
    Array.from(ids, (id) => rowOf.get(id)!),
  );
  const last = left.length > limit ? shown.at(-1)!.tuple : undefined;
  return toPage({
    plan,
    context,
    count: matches.length,
    rows,
    last,
    steps: [step, { step: 'page', rows: rows.length }],
  });
}

/** What a page is made of; `last` holds the sort values of its last row where more rows follow. */
interface Found {
  readonly plan: SearchPlan;
  readonly context: SearchContext;
  readonly count: number;
  readonly rows: Batch;
  readonly last: SortTuple | undefined;
  readonly steps: readonly PlanStep[];
}

function toPage({ plan, context, count, rows, last, steps }: Found): SearchPage {
  const { clause, labels, sort, where } = plan;
  const order = sort.map(({ column, direction }) => ({ column, direction }));
  return {
    count,
    ...(last === undefined ? {} : { cursor: writeCursor(plan.key, last) }),
    rows,
    ...(labels.length === 0 ? {} : { dynamic_labels: matchLabels(labels, rows) }),
    ...(plan.explain
      ? { explanation: { plan: { where, order, steps }, rows: explainRows(clause, labels, rows, context.asOf) } }
      : {}),
  };
}

function pageColumns(plan: SearchPlan, context: SearchContext): string[] {
  const sorted = plan.isByRelevance ? [] : plan.sort.map(({ column }) => column);
  const clauses = [...plan.labels.map(({ clause }) => clause), ...(plan.explain ? [plan.clause] : [])];
  const tested = clauses.flatMap((clause) => [...predicateColumns(clausePredicate(clause))]);
  const shown = plan.explain ? clauses.flatMap(explainedColumns) : [];
  return [...new Set(['id', ...context.columns, ...sorted, ...tested, ...shown])];
}

function firstRows(count: number): Int32Array {
  return Int32Array.from({ length: count }, (_, i) => i);
}

function valueAt(rows: Batch, column: string, row: number): number | string | null {
  const value = rows.columns[column]![row]!;
  return typeof value === 'number' && Number.isNaN(value) ? null : value;
}
