import { faultError } from '../src/faults.ts';
import { parseClauses } from '../src/filter/parse.ts';
import { clausePredicate, type FilterContext } from '../src/filter/reading.ts';
import { fillSearchColumns } from '../src/filter/words.ts';
import { appendRows, type ColumnTable, emptyTable, removeRows } from '../src/memory/column-table.ts';
import { compact } from '../src/memory/compaction.ts';
import { defineMetric } from '../src/metrics/metric.ts';
import { profileFields } from '../src/profiles/sections/sections.ts';
import { profileTable } from '../src/profiles/shape.ts';
import { type Batch, type ColumnData, newBatch, type Table, takeRows } from '../src/records/columns.ts';
import { type EntityKind, isStored, type ProfileField } from '../src/records/profile-fields.ts';
import type { SearchPage } from '../src/search/page.ts';
import { readSearch, type SearchContext, type SearchPlan, type SearchRequest } from '../src/search/plan.ts';
import type { ProfileRows } from '../src/search/rows.ts';
import { runSearch } from '../src/search/search.ts';
import { defaultSorts } from '../src/search/sort.ts';
import { isIn, type Predicate } from '../src/storage/predicate.ts';
import { rfc3339Millis } from '../src/time.ts';
import { finish } from '../src/work.ts';
import { yielder } from '../src/yielder.ts';

/** 2024-01-05T00:00:00Z. */
export const AS_OF = 1_704_412_800;

/** A profile as plain data: path -> value, dates as RFC 3339, labels as an array; what is left out is missing. */
export type Profile = Readonly<Record<string, number | string | boolean | null | readonly string[]>>;

const metrics = (['volume', 'pnl', 'winrate'] as const).map((name) =>
  defineMetric({
    name,
    of: ['tokens', 'wallets'],
    unit: 'USD',
    sentence: `A ${name} to search by.`,
    formula: 'given',
    empty: 0,
    value: () => null,
    examples: [],
    source: 'test',
  }),
);

const gt500 = defineMetric({ ...metrics[0]!, name: 'gt_500', group: 'token_roi_distribution' });

export const fieldsOf: Record<EntityKind, readonly ProfileField[]> = {
  tokens: profileFields('tokens', metrics),
  wallets: profileFields('wallets', [...metrics, gt500]),
};

export const tableOf: Record<EntityKind, Table> = {
  tokens: profileTable('tokens', fieldsOf.tokens),
  wallets: profileTable('wallets', fieldsOf.wallets),
};

/** The rows as the process caches them, in an order of its own: some are removed and come again, others are written twice. */
export function cachedRows(kind: EntityKind, rows: Batch): ColumnTable {
  const ids = [...(rows.columns.id as Int32Array)];
  const { length } = rows;
  const half = length >> 1;
  let table = appendRows(
    emptyTable(tableOf[kind]),
    takeRows(
      rows,
      Array.from({ length: length - half }, (_, i) => half + i),
    ) as Batch,
  );
  table = replaceRows(table, rows);
  table = finish(
    removeRows(
      table,
      isIn(
        'id',
        ids.filter((id) => id % 3 === 1),
      ),
    ),
  );
  return finish(compact(replaceRows(table, rows)));
}

/** The table with the rows of a batch in the place of those of the same ids. */
export function replaceRows(table: ColumnTable, rows: Batch): ColumnTable {
  return appendRows(finish(removeRows(table, isIn('id', rows.columns.id as Int32Array))), rows);
}

export function filterContext(kind: EntityKind): FilterContext {
  return { kind, fields: new Map(fieldsOf[kind].map((field) => [field.path, field])), asOf: AS_OF };
}

export function searchContext(kind: EntityKind): SearchContext {
  const address = kind === 'tokens' ? 'token_address' : 'wallet_address';
  return {
    ...filterContext(kind),
    defaultSort: defaultSorts[kind],
    columns: [address],
    yielder: () => yielder(),
  };
}

/** The profiles as rows of the stored table; the row number is the id. */
export function profileRows(
  kind: EntityKind,
  profiles: readonly Profile[],
  fields: readonly ProfileField[] = fieldsOf[kind],
): Batch {
  const batch = newBatch(profileTable(kind, fields), profiles.length);
  const columns = batch.columns as Record<string, ColumnData>;
  for (let row = 0; row < profiles.length; row++) (columns.id as Int32Array)[row] = row;
  (columns.fresh_until as Float64Array).fill(AS_OF);
  for (const field of fields.filter(isStored)) {
    const column = columns[field.path]!;
    profiles.forEach((profile, row) => {
      column[row] = stored(field, profile[field.path] ?? null);
    });
  }
  fillSearchColumns(fields, batch);
  return batch;
}

function stored(field: ProfileField, value: Profile[string]): number | string | null {
  if (field.type === 'labels') {
    const labels = value as readonly string[] | null;
    return labels === null || labels.length === 0 ? null : `|${labels.join('|')}|`;
  }
  if (value === null) return field.column === 'text' ? null : Number.NaN;
  if (field.type === 'date') return rfc3339Millis(value as string)! / 1000;
  if (field.type === 'boolean') return Number(value);
  return value as number | string;
}

/** The predicate of a filter. */
export const parseFilter = (filter: unknown, context: FilterContext): Predicate =>
  clausePredicate(parseClauses(filter, context));

export function planSearch(request: SearchRequest, context: SearchContext): SearchPlan {
  const { plan, notes } = readSearch(request, context);
  if (notes.faults.length > 0) throw faultError(notes.faults);
  return plan;
}

export const searchProfiles = async (
  rows: ProfileRows,
  request: SearchRequest,
  context: SearchContext,
): Promise<SearchPage> => runSearch(rows, planSearch(request, context), context);
