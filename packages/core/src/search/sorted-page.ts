import { type Batch, type Table, takeRows } from '../records/columns.ts';
import type { Reader } from '../storage/adapter.ts';
import { and, type Predicate } from '../storage/predicate.ts';
import { afterTuple } from './keyset.ts';
import { type PlanStep, pageColumns, type SearchPage, toPage } from './page.ts';
import type { SearchContext, SearchPlan } from './plan.ts';

/** The page of the rows where `where` holds, in the order of the plan, which the engine sorts by. */
export async function sortedPage(
  reader: Reader,
  plan: SearchPlan,
  context: SearchContext,
  where: Predicate,
  before: readonly PlanStep[],
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
  const rows = isLast ? found : takeRows(found, [...Array(limit).keys()]);
  const last = isLast ? undefined : sort.map(({ column }) => valueAt(rows, column, limit - 1));
  const steps: PlanStep[] = [...before, { step: 'count', rows: count }, { step: 'page', rows: rows.length }];
  return context.yielder().run(toPage({ plan, context, count, rows, last, steps }));
}

function valueAt(rows: Batch, column: string, row: number): number | string | null {
  const value = rows.columns[column]![row]!;
  return typeof value === 'number' && Number.isNaN(value) ? null : value;
}
