import { KeptNumbers, KeptTexts, KeptWords } from '../profiles/kept-column.ts';
import type { KeptRows } from '../profiles/kept-rows.ts';
import type { ColumnData } from '../records/columns.ts';
import type { Work } from '../work.ts';
import { firstRows, tupleOf } from './first-rows.ts';
import { type PlanStep, pageColumns, type SearchPage, toPage } from './page.ts';
import type { SearchContext, SearchPlan } from './plan.ts';
import { queryColumns } from './query.ts';
import { firstMatches, matchColumns, rankMatches } from './relevance.ts';
import { selectRows } from './select-rows.ts';

/** The page of a search over kept profiles, which stay as they are until its end: what the engine would answer. */
export function* keptPage(kept: KeptRows, plan: SearchPlan, context: SearchContext): Work<SearchPage> {
  const { query, sort, isByRelevance, after, limit } = plan;
  const candidates = yield* selectRows(kept, plan.where);
  if (query === undefined || !(isByRelevance || query.fuzzy))
    return yield* keptSortedPage(kept, plan, context, candidates, []);

  const columns = matchColumns(query, sort, isByRelevance).map((name) => [name, columnValues(kept, name)] as const);
  const from = { columns: Object.fromEntries(columns) };
  const texts = queryColumns(query).map((name) => textsOf(kept, name));
  const matches = yield* rankMatches({ from, rows: candidates, texts }, query);
  const step: PlanStep = { step: 'match', rows: candidates.length, matches: matches.rows.length };
  if (!isByRelevance) return yield* keptSortedPage(kept, plan, context, Int32Array.from(matches.rows), [step]);
  const first = yield* firstMatches(matches, sort, after, limit + 1);
  const shown = first.slice(0, limit);
  const rows = kept.take(
    shown.map(({ row }) => row),
    pageColumns(plan, context),
  );
  return yield* toPage({
    plan,
    context,
    count: matches.rows.length,
    rows,
    last: first.length > limit ? shown.at(-1)!.tuple : undefined,
    steps: [step, { step: 'page', rows: rows.length }],
  });
}

/** The values of a column by row, without a copy. Those of texts that repeat are not in one piece. */
function columnValues(kept: KeptRows, name: string): ColumnData {
  const column = kept.column(name);
  return column instanceof KeptNumbers || column instanceof KeptTexts ? column.values : [];
}

function textsOf(kept: KeptRows, name: string): (row: number) => string | null {
  const column = kept.column(name);
  if (column instanceof KeptWords) {
    const { codes, texts } = column;
    return (row) => texts[codes[row]!]!;
  }
  const { values } = column as KeptTexts;
  return (row) => values[row]!;
}

function* keptSortedPage(
  kept: KeptRows,
  plan: SearchPlan,
  context: SearchContext,
  found: Int32Array,
  before: readonly PlanStep[],
): Work<SearchPage> {
  const { sort, after, limit } = plan;
  const first = yield* firstRows(kept, found, sort, after, limit + 1);
  const shown = first.slice(0, limit);
  return yield* toPage({
    plan,
    context,
    count: found.length,
    rows: kept.take(shown, pageColumns(plan, context)),
    last: first.length > limit ? tupleOf(kept, sort, shown.at(-1)!) : undefined,
    steps: [...before, { step: 'count', rows: found.length }, { step: 'page', rows: shown.length }],
  });
}
