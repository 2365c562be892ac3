import { type Batch, inOrderOf } from '../records/columns.ts';
import { isIn, type Predicate } from '../storage/predicate.ts';
import { type PlanStep, pageColumns, type SearchPage, toPage } from './page.ts';
import type { SearchContext, SearchPlan } from './plan.ts';
import { firstMatches, type Matches, matchColumns, matchIds, rankMatches } from './relevance.ts';
import type { ProfileRows } from './rows.ts';

/**
 * The page of a plan that was read in the same context.
 *
 * - Shape: `count` is exact; `cursor` continues after the last row by its sort values, so that rows that do not change are neither repeated nor skipped.
 * - Order: `sort`, missing values last, ties by address ascending; without `sort` by relevance to the query, or else by `defaultSort`.
 */
export async function runSearch(rows: ProfileRows, plan: SearchPlan, context: SearchContext): Promise<SearchPage> {
  const { query, sort, isByRelevance } = plan;
  if (query === undefined || !(isByRelevance || query.fuzzy)) return sortedPage(rows, plan, context, plan.where, []);
  const candidates = await rows.read(matchColumns(query, sort, isByRelevance), plan.where);
  const matches = await context.yielder().run(rankMatches(candidates, query));
  const step = { step: 'match', rows: candidates.length, matches: matches.rows.length } as const;
  if (isByRelevance) return relevantPage(rows, plan, context, matches, step);
  return sortedPage(rows, plan, context, isIn('id', matchIds(matches)), [step]);
}

/** The page of the rows where `where` holds, in the order of the plan. */
async function sortedPage(
  source: ProfileRows,
  plan: SearchPlan,
  context: SearchContext,
  where: Predicate,
  before: readonly PlanStep[],
): Promise<SearchPage> {
  const { sort, limit, after } = plan;
  const { count, rows, places, hasMore } = await source.page({
    columns: pageColumns(plan, context.columns),
    sufficient: pageColumns(plan, []),
    where,
    order: sort.map(({ column, direction }) => ({ column, direction })),
    after,
    limit,
  });
  const last = hasMore ? sort.map(({ column }) => valueAt(rows, column, limit - 1)) : undefined;
  const steps: PlanStep[] = [...before, { step: 'count', rows: count }, { step: 'page', rows: rows.length }];
  return context.yielder().run(toPage({ plan, context, count, rows, places, last, steps }));
}

function valueAt(rows: Batch, column: string, row: number): number | string | null {
  const value = (rows.columns as Record<string, ArrayLike<number | string | null>>)[column]![row]!;
  return typeof value === 'number' && Number.isNaN(value) ? null : value;
}

/** The page of the matches of a text query, in the order of relevance. */
async function relevantPage(
  source: ProfileRows,
  plan: SearchPlan,
  context: SearchContext,
  matches: Matches,
  step: PlanStep,
): Promise<SearchPage> {
  const { sort, limit, after } = plan;
  const first = await context.yielder().run(firstMatches(matches, sort, after, limit + 1));
  const shown = first.slice(0, limit);
  const ids = shown.map(({ id }) => id);
  const found = await source.read(pageColumns(plan, context.columns), isIn('id', ids));
  const rows = inOrderOf(ids, found, found.columns.id as Int32Array);
  const last = first.length > limit ? shown.at(-1)!.tuple : undefined;
  const steps: PlanStep[] = [step, { step: 'page', rows: rows.length }];
  return context.yielder().run(toPage({ plan, context, count: matches.rows.length, rows, last, steps }));
}
