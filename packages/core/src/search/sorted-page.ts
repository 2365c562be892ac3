import type { Batch } from '../records/columns.ts';
import type { Predicate } from '../storage/predicate.ts';
import { type PlanStep, pageColumns, type SearchPage, toPage } from './page.ts';
import type { SearchContext, SearchPlan } from './plan.ts';
import type { ProfileRows } from './rows.ts';

/** The page of the rows where `where` holds, in the order of the plan. */
export async function sortedPage(
  source: ProfileRows,
  plan: SearchPlan,
  context: SearchContext,
  where: Predicate,
  before: readonly PlanStep[],
): Promise<SearchPage> {
  const { sort, limit, after } = plan;
  const { count, rows, hasMore } = await source.page({
    columns: pageColumns(plan, context),
    where,
    order: sort.map(({ column, direction }) => ({ column, direction })),
    after,
    limit,
  });
  const last = hasMore ? sort.map(({ column }) => valueAt(rows, column, limit - 1)) : undefined;
  const steps: PlanStep[] = [...before, { step: 'count', rows: count }, { step: 'page', rows: rows.length }];
  return context.yielder().run(toPage({ plan, context, count, rows, last, steps }));
}

function valueAt(rows: Batch, column: string, row: number): number | string | null {
  const value = (rows.columns as Record<string, ArrayLike<number | string | null>>)[column]![row]!;
  return typeof value === 'number' && Number.isNaN(value) ? null : value;
}
