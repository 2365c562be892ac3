import type { KeptRows } from '../profiles/kept-rows.ts';
import { firstRows, tupleOf } from './first-rows.ts';
import { type PlanStep, pageColumns, type SearchPage, toPage } from './page.ts';
import type { SearchContext, SearchPlan } from './plan.ts';
import { firstMatches, matchColumns, rankMatches } from './relevance.ts';
import { selectRows } from './select-rows.ts';

/** The page of a search over kept profiles: what the engine would answer, in one turn of the event loop. */
export function keptPage(kept: KeptRows, plan: SearchPlan, context: SearchContext): SearchPage {
  const { query, sort, isByRelevance, after, limit } = plan;
  const candidates = selectRows(kept, plan.where);
  if (query === undefined || !(isByRelevance || query.fuzzy))
    return keptSortedPage(kept, plan, context, candidates, []);

  const matches = rankMatches(kept.take(candidates, matchColumns(query, sort, isByRelevance)), query);
  const step: PlanStep = { step: 'match', rows: candidates.length, matches: matches.rows.length };
  if (!isByRelevance) {
    const rows = Int32Array.from(matches.rows, (row) => candidates[row]!);
    return keptSortedPage(kept, plan, context, rows, [step]);
  }
  const first = firstMatches(matches, sort, after, limit + 1);
  const shown = first.slice(0, limit);
  const rows = kept.take(
    shown.map(({ row }) => candidates[row]!),
    pageColumns(plan, context),
  );
  return toPage({
    plan,
    context,
    count: matches.rows.length,
    rows,
    last: first.length > limit ? shown.at(-1)!.tuple : undefined,
    steps: [step, { step: 'page', rows: rows.length }],
  });
}

function keptSortedPage(
  kept: KeptRows,
  plan: SearchPlan,
  context: SearchContext,
  found: Int32Array,
  before: readonly PlanStep[],
): SearchPage {
  const { sort, after, limit } = plan;
  const first = firstRows(kept, found, sort, after, limit + 1);
  const shown = first.slice(0, limit);
  return toPage({
    plan,
    context,
    count: found.length,
    rows: kept.take(shown, pageColumns(plan, context)),
    last: first.length > limit ? tupleOf(kept, sort, shown.at(-1)!) : undefined,
    steps: [...before, { step: 'count', rows: found.length }, { step: 'page', rows: shown.length }],
  });
}
