import { takeRows } from '../records/columns.ts';
import { isIn } from '../storage/predicate.ts';
import { type PlanStep, pageColumns, type SearchPage, toPage } from './page.ts';
import type { SearchContext, SearchPlan } from './plan.ts';
import { firstMatches, type Matches } from './relevance.ts';
import type { ProfileRows } from './rows.ts';

/** The page of the matches of a text query, in the order of relevance. */
export async function relevantPage(
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
  const found = await source.read(pageColumns(plan, context), isIn('id', ids));
  const rowOf = new Map(Array.from(found.columns.id as Int32Array, (id, row) => [id, row]));
  const rows = takeRows(
    found,
    shown.map(({ id }) => rowOf.get(id)!),
  );
  const last = first.length > limit ? shown.at(-1)!.tuple : undefined;
  const steps: PlanStep[] = [step, { step: 'page', rows: rows.length }];
  return context.yielder().run(toPage({ plan, context, count: matches.rows.length, rows, last, steps }));
}
