import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { SwapfoldError } from '../errors.ts';
import { type Fault, faultError } from '../faults.ts';
import { requireFunctions } from '../metrics/declaration.ts';
import type { ProfileKind } from '../profiles/fields.ts';
import type { KeptRows } from '../profiles/kept-rows.ts';
import type { ProfileOptions } from '../profiles/sections/sections.ts';
import { type Batch, NO_ID, newBatch } from '../records/columns.ts';
import { foldProfiles } from '../refresh/fold.ts';
import type { ExplainedPlan } from '../search/page.ts';
import { readSearch, type SearchContext, type SearchRequest } from '../search/plan.ts';
import { runSearch } from '../search/search.ts';
import { defaultSorts } from '../search/sort.ts';
import { readProfilesAsOf } from '../storage/meta.ts';
import { compare } from '../storage/predicate.ts';
import { StaleSnapshot } from '../storage/snapshots.ts';
import { formatTime } from '../time.ts';
import type { QueryContext } from './context.ts';
import { hasStrangeLabels, noteUnknownLabels } from './label-names.ts';
import { type Profile, profileServer } from './serve-profile.ts';
import type { Page } from './swaps.ts';

/** Milliseconds that a search waits for profiles that are being loaded, before it asks the engine. */
const PATIENCE = 100;

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
  let stored = await storedProfiles(context, kind);
  let { plan, notes } = readSearch(request, searchContextOf(context, kind, stored, columns));
  if (hasStrangeLabels(context, kind, notes)) {
    await noteUnknownLabels(context, kind, notes);
    // The kept profiles may be those of a later commit by now.
    stored = await storedProfiles(context, kind);
    ({ plan } = readSearch(request, searchContextOf(context, kind, stored, columns)));
  }
  if (notes.faults.length > 0) throw faultError(notes.faults);
  const { asOf } = stored;
  const page = await runSearch(context.reader, plan, searchContextOf(context, kind, stored, columns));
  const data = Array.from({ length: page.rows.length }, (_, row) => {
    const profile = serve(page.rows, row, asOf);
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
  const { notes } = readSearch(request, searchContextOf(context, kind, { kept: undefined, asOf: context.asOf }));
  await noteUnknownLabels(context, kind, notes);
  return notes.faults;
}

/** The stored profiles of the state that the context reads: those in memory, if they are kept there, and their as-of time. */
interface StoredProfiles {
  readonly kept: KeptRows | undefined;
  readonly asOf: number;
}

function searchContextOf(
  context: QueryContext,
  kind: ProfileKind,
  { kept, asOf }: StoredProfiles,
  columns: readonly string[] = [],
): SearchContext {
  const { table, byPath } = context.shapes[kind];
  return {
    kept,
    kind,
    table,
    fields: byPath,
    asOf,
    addressFormat: context.config.address_format,
    defaultSort: defaultSorts[kind],
    columns,
    yielder: context.yielder,
  };
}

/** Errors: `not-refreshed` where there is something to make profiles of; `invalid-range` for another as-of time than theirs. */
async function storedProfiles(context: QueryContext, kind: ProfileKind): Promise<StoredProfiles> {
  const caughtUp = context.kept()?.profiles.caughtUp(kind);
  if (caughtUp !== undefined) {
    await caughtUp;
    // Committed meanwhile: the question begins anew.
    if (context.kept() === undefined) throw new StaleSnapshot();
  }
  const kept = keptProfiles(context, kind) ?? (await loadedProfiles(context, kind));
  const storedAsOf = kept === undefined ? await readProfilesAsOf(context.reader) : kept.asOf;
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
  return { kept, asOf };
}

/** The profile of an address: the stored one, or folded for the as-of time that was asked for. Errors: `not-found`. */
export async function getProfile(
  context: QueryContext,
  kind: ProfileKind,
  address: string,
  options: ProfileOptions | undefined,
): Promise<Profile> {
  const { columns, serve } = profileServer(context.shapes[kind], options);
  const kept = context.isAsOfAsked ? undefined : keptProfiles(context, kind);
  const rows =
    kept === undefined
      ? await profileRows(context, kind, address, columns)
      : kept.take(
          [kept.rowOf(address)].filter((row) => row !== undefined),
          columns,
        );
  if (rows.length === 0) throw notFound(kind, address);
  const { asOf } = context.isAsOfAsked ? context : (kept ?? { asOf: await readProfilesAsOf(context.reader) });
  return serve(rows, 0, asOf ?? context.asOf);
}

/** The stored profiles in memory, where they are those of the state that the context answers for. */
function keptProfiles(context: QueryContext, kind: ProfileKind): KeptRows | undefined {
  return context.kept()?.profiles.rows(kind);
}

/**
 * Waits for the load of the profiles: on an engine that holds the thread, a caller that asks without pause would keep it from its end.
 * Where others write so often that it comes to none, it has one turn.
 */
async function loadedProfiles(context: QueryContext, kind: ProfileKind): Promise<KeptRows | undefined> {
  const kept = context.kept();
  if (kept === undefined) return undefined;
  const loading = kept.profiles.load(kind);
  const patience = new AbortController();
  const { signal } = patience;
  const enough = kept.profiles.isCutShort(kind) ? nextTurn() : sleep(PATIENCE, undefined, { signal });
  await Promise.race([loading, enough.catch(() => undefined)]);
  patience.abort();
  return keptProfiles(context, kind);
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
