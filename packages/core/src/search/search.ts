import type { Table } from '../records/columns.ts';
import type { Reader } from '../storage/adapter.ts';
import { isIn } from '../storage/predicate.ts';
import { keptPage } from './kept-page.ts';
import type { SearchPage } from './page.ts';
import { planSearch, type SearchContext, type SearchPlan, type SearchRequest } from './plan.ts';
import { queryColumns } from './query.ts';
import { matchColumns, matchIds, rankMatches } from './relevance.ts';
import { relevantPage } from './relevant-page.ts';
import { sortedPage } from './sorted-page.ts';

/**
 * One page of the profiles that a request asks for.
 *
 * - Shape: `count` is exact; `cursor` continues after the last row by its sort values, so that rows that do not change are neither repeated nor skipped.
 * - Order: `sort`, missing values last, ties by address ascending; without `sort` by relevance to the query, or else by `defaultSort`.
 * - Where profiles are kept, they answer, as they are when it is called, and `reader` is not asked.
 * - Errors: `invalid-request`, `unknown-field`, `unknown-operator`, `invalid-filter`, `invalid-cursor`, all before the store is read.
 */
export async function searchProfiles(
  reader: Reader,
  request: SearchRequest,
  context: SearchContext,
): Promise<SearchPage> {
  return runSearch(reader, planSearch(request, context), context);
}

/** The page of a plan that was read in the same context. */
export async function runSearch(reader: Reader, plan: SearchPlan, context: SearchContext): Promise<SearchPage> {
  const { query, sort, isByRelevance } = plan;
  const { kept } = context;
  if (kept !== undefined) return kept.heldWhile((hold) => context.yielder().run(keptPage(kept, plan, context), hold));
  if (query === undefined || !(isByRelevance || query.fuzzy)) return sortedPage(reader, plan, context, plan.where, []);

  const columns = matchColumns(query, sort, isByRelevance);
  const candidates = await reader.read<Table, string>({ table: context.table, columns, where: plan.where });
  const texts = queryColumns(query).map((name) => {
    const values = candidates.columns[name] as (string | null)[];
    return (row: number) => values[row]!;
  });
  const rows = Int32Array.from({ length: candidates.length }, (_, row) => row);
  const matches = await context.yielder().run(rankMatches({ from: candidates, rows, texts }, query));
  const step = { step: 'match', rows: candidates.length, matches: matches.rows.length } as const;
  if (isByRelevance) return relevantPage(reader, plan, context, matches, step);
  return sortedPage(reader, plan, context, isIn('id', matchIds(matches)), [step]);
}
