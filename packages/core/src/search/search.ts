import { isIn } from '../storage/predicate.ts';
import type { SearchPage } from './page.ts';
import { planSearch, type SearchContext, type SearchPlan, type SearchRequest } from './plan.ts';
import { matchColumns, matchIds, rankMatches } from './relevance.ts';
import { relevantPage } from './relevant-page.ts';
import type { ProfileRows } from './rows.ts';
import { sortedPage } from './sorted-page.ts';

/**
 * One page of the profiles that a request asks for.
 *
 * - Shape: `count` is exact; `cursor` continues after the last row by its sort values, so that rows that do not change are neither repeated nor skipped.
 * - Order: `sort`, missing values last, ties by address ascending; without `sort` by relevance to the query, or else by `defaultSort`.
 * - Errors: `invalid-request`, `unknown-field`, `unknown-operator`, `invalid-filter`, `invalid-cursor`, all before the rows are read.
 */
export async function searchProfiles(
  rows: ProfileRows,
  request: SearchRequest,
  context: SearchContext,
): Promise<SearchPage> {
  return runSearch(rows, planSearch(request, context), context);
}

/** The page of a plan that was read in the same context. */
export async function runSearch(rows: ProfileRows, plan: SearchPlan, context: SearchContext): Promise<SearchPage> {
  const { query, sort, isByRelevance } = plan;
  if (query === undefined || !(isByRelevance || query.fuzzy)) return sortedPage(rows, plan, context, plan.where, []);
  const candidates = await rows.read(matchColumns(query, sort, isByRelevance), plan.where);
  const matches = await context.yielder().run(rankMatches(candidates, query));
  const step = { step: 'match', rows: candidates.length, matches: matches.rows.length } as const;
  if (isByRelevance) return relevantPage(rows, plan, context, matches, step);
  return sortedPage(rows, plan, context, isIn('id', matchIds(matches)), [step]);
}
