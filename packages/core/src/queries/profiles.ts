import { SwapfoldError } from '../errors.ts';
import { type Fault, faultError } from '../faults.ts';
import { rowAt } from '../memory/column-table.ts';
import { requireFunctions } from '../metrics/declaration.ts';
import { addressField } from '../profiles/catalogue.ts';
import type { ProfileKind } from '../profiles/fields.ts';
import type { ProfileOptions } from '../profiles/sections/sections.ts';
import { type Batch, NO_ID, newBatch } from '../records/columns.ts';
import { foldProfiles } from '../refresh/fold.ts';
import type { ExplainedPlan } from '../search/page.ts';
import { readSearch, type SearchContext, type SearchRequest } from '../search/plan.ts';
import { type ProfileRows, rowsInMemory, storedRows } from '../search/rows.ts';
import { runSearch } from '../search/search.ts';
import { defaultSorts } from '../search/sort.ts';
import { readProfilesAsOf } from '../storage/meta.ts';
import { compare } from '../storage/predicate.ts';
import { formatTime } from '../time.ts';
import type { QueryContext } from './context.ts';
import { noteUnknownLabels } from './label-names.ts';
import { type Profile, profileServer } from './serve-profile.ts';
import type { Page } from './swaps.ts';

export interface ProfileSearch extends SearchRequest {
  readonly options?: ProfileOptions | undefined;
}

/** A page of profiles; `plan` is what ran, where the request asks to `explain`. */
export interface SearchAnswer<P> extends Page<P> {
  readonly plan?: ExplainedPlan;
}

/**
 * One page of the stored profiles that a request asks for.
 *
 * - Errors: those of `searchProfiles`; `unknown-field` for a label that neither a rule nor the registry gives; `not-refreshed`.
 */
export async function search(
  context: QueryContext,
  kind: ProfileKind,
  request: ProfileSearch,
): Promise<SearchAnswer<Profile>> {
  const { columns, serve } = profileServer(context.shapes[kind], request.options);
  const stored = await storedProfiles(context, kind);
  const searched = searchContextOf(context, kind, stored.asOf, columns);
  const { plan, notes } = readSearch(request, searched);
  await noteUnknownLabels(context, kind, notes);
  if (notes.faults.length > 0) throw faultError(notes.faults);
  const page = await runSearch(stored.rows, plan, searched);
  const data = Array.from({ length: page.rows.length }, (_, row) => {
    const profile = serve(page.rows, row, stored.asOf);
    const labels = page.dynamic_labels === undefined ? {} : { dynamic_labels: page.dynamic_labels[row] };
    const explain = page.explanation === undefined ? {} : { explain: page.explanation.rows[row] };
    return Object.assign(profile, labels, explain);
  });
  return {
    count: page.count,
    ...(page.cursor === undefined ? {} : { cursor: page.cursor }),
    data,
    ...(page.explanation === undefined ? {} : { plan: page.explanation.plan }),
  };
}

/** Everything that is wrong with the parts of a search request that its schema leaves unread. */
export async function searchFaults(
  context: QueryContext,
  kind: ProfileKind,
  request: ProfileSearch,
): Promise<readonly Fault[]> {
  const { notes } = readSearch(request, searchContextOf(context, kind, context.asOf));
  await noteUnknownLabels(context, kind, notes);
  return notes.faults;
}

/** The stored profiles of the state that the context reads, in memory if they are cached, and their as-of time. */
interface StoredProfiles {
  readonly rows: ProfileRows;
  readonly asOf: number;
}

function searchContextOf(
  context: QueryContext,
  kind: ProfileKind,
  asOf: number,
  columns: readonly string[] = [],
): SearchContext {
  return {
    kind,
    fields: context.shapes[kind].byPath,
    asOf,
    addressFormat: context.config.address_format,
    defaultSort: defaultSorts[kind],
    columns,
    yielder: context.yielder,
  };
}

/** Errors: `not-refreshed` where there is something to make profiles of; `invalid-range` for another as-of time than theirs. */
async function storedProfiles(context: QueryContext, kind: ProfileKind): Promise<StoredProfiles> {
  const cached = context.cache.profiles(kind) ?? (await context.cache.loadProfiles(kind));
  const storedAsOf = cached === undefined ? await readProfilesAsOf(context.reader) : cached.asOf;
  if (storedAsOf === null && context.lastTime !== null)
    throw new SwapfoldError(
      'not-refreshed',
      'There are no profiles to search yet, because no refresh has run: call refresh(), or run "swapfold refresh", then search.',
    );
  const asOf = storedAsOf ?? context.asOf;
  if (context.isAsOfAsked && context.asOf !== asOf) {
    const stored = formatTime(asOf);
    throw new SwapfoldError(
      'invalid-range',
      `Search answers from the stored profiles, which are as of ${stored}; refresh with asOf ${formatTime(context.asOf)} first, or ask for single profiles.`,
    );
  }
  const { table } = context.shapes[kind];
  const rows = cached === undefined ? storedRows(context.reader, table) : rowsInMemory(cached.rows, context.yielder);
  return { rows, asOf };
}

/** The profile of an address: the stored one, or folded for the as-of time that was asked for. Errors: `not-found`. */
export async function getProfile(
  context: QueryContext,
  kind: ProfileKind,
  address: string,
  options: ProfileOptions | undefined,
): Promise<Profile> {
  const { columns, serve } = profileServer(context.shapes[kind], options);
  const cached = context.isAsOfAsked ? undefined : context.cache.profiles(kind);
  const rows =
    cached === undefined
      ? await profileRows(context, kind, address, columns)
      : rowAt(cached.rows, addressField[kind], address, columns);
  if (rows.length === 0) throw notFound(kind, address);
  const { asOf } = context.isAsOfAsked ? context : (cached ?? { asOf: await readProfilesAsOf(context.reader) });
  return serve(rows, 0, asOf ?? context.asOf);
}

async function profileRows(
  context: QueryContext,
  kind: ProfileKind,
  address: string,
  columns: readonly string[],
): Promise<Batch> {
  const { table } = context.shapes[kind];
  const id = await context.dictionary.findOne(context.reader, address);
  if (id === NO_ID) return newBatch(table, 0);
  if (context.isAsOfAsked) {
    requireFunctions(context.metrics, 'A profile as of another instant');
    return foldProfiles(context, kind, Int32Array.of(id));
  }
  return (await context.reader.read({
    table,
    columns,
    where: compare('id', 'eq', id),
  })) as Batch;
}

export function notFound(kind: ProfileKind, address: string): SwapfoldError {
  const noun = kind === 'tokens' ? 'token' : 'wallet';
  return new SwapfoldError(
    'not-found',
    `There is no profile of ${noun} "${address}": it is in no swap and not in the registry, or no refresh has run since it came.`,
    { details: [{ path: noun, message: 'unknown' }] },
  );
}
