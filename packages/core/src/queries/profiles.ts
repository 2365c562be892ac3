import { SwapfoldError } from '../errors.ts';
import type { ProfileKind } from '../profiles/fields.ts';
import { type Batch, type ColumnData, NO_ID } from '../records/columns.ts';
import type { ExplainedPlan } from '../search/page.ts';
import { searchProfiles } from '../search/search.ts';
import { defaultSorts } from '../search/sort.ts';
import { compare } from '../storage/predicate.ts';
import { formatTime } from '../time.ts';
import type { QueryContext } from './context.ts';
import type { Page } from './swaps.ts';

/** Which sections a profile is served with; absent options mean all of them. */
export interface ProfileOptions {
  readonly include_metadata?: boolean | undefined;
  readonly include_market?: boolean | undefined;
  readonly include_labels?: boolean | undefined;
  readonly include_metrics?: readonly string[] | undefined;
}

/** A profile as it is served: sections that were not asked for are absent, undefined numbers `null`. */
export interface Profile {
  readonly [field: string]: unknown;
}

export interface SearchRequest {
  readonly query?: unknown;
  readonly filter?: unknown;
  readonly sort?: unknown;
  readonly dynamic_labels?: unknown;
  readonly explain?: unknown;
  readonly options?: ProfileOptions | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** A page of profiles; `plan` is what ran, where the request asks to `explain`. */
export interface SearchAnswer<P> extends Page<P> {
  readonly plan?: ExplainedPlan;
}

/** One page of the stored profiles that a request asks for. */
export async function search(
  context: QueryContext,
  kind: ProfileKind,
  request: SearchRequest,
): Promise<SearchAnswer<Profile>> {
  const { table, byPath } = context.shapes[kind];
  if (context.isAsOfAsked && context.asOf !== context.profilesAsOf) {
    const stored = formatTime(context.profilesAsOf);
    throw new SwapfoldError(
      'invalid-range',
      `Search answers from the stored profiles, which are as of ${stored}; refresh with asOf ${formatTime(context.asOf)} first, or ask for single profiles.`,
    );
  }
  const page = await searchProfiles(context.reader, request, {
    kind,
    table,
    fields: byPath,
    asOf: context.profilesAsOf,
    addressFormat: context.config.address_format,
    defaultSort: defaultSorts[kind],
    columns: neededColumns(context, kind, request.options),
  });
  const data = Array.from({ length: page.rows.length }, (_, row) => {
    const profile = toProfile(context, kind, page.rows, row, request.options, page.dynamic_labels?.[row]);
    return page.explanation === undefined ? profile : { ...profile, explain: page.explanation.rows[row] };
  });
  return {
    count: page.count,
    ...(page.cursor === undefined ? {} : { cursor: page.cursor }),
    data,
    ...(page.explanation === undefined ? {} : { plan: page.explanation.plan }),
  };
}

/** The profile of an address: the stored one, or folded for the as-of time that was asked for. Errors: `not-found`. */
export async function getProfile(
  context: QueryContext,
  kind: ProfileKind,
  address: string,
  options: ProfileOptions | undefined,
): Promise<Profile> {
  const id = await context.dictionary.findOne(context.reader, address);
  if (id !== NO_ID) {
    const rows = await profileRows(context, kind, id, options);
    if (rows.length > 0) return toProfile(context, kind, rows, 0, options);
  }
  throw notFound(kind, address);
}

async function profileRows(
  context: QueryContext,
  kind: ProfileKind,
  id: number,
  options: ProfileOptions | undefined,
): Promise<Batch> {
  if (context.isAsOfAsked) return context.foldProfiles(context, kind, Int32Array.of(id));
  const { table } = context.shapes[kind];
  return (await context.reader.read({
    table,
    columns: neededColumns(context, kind, options),
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

function isWanted(path: string, options: ProfileOptions | undefined): boolean {
  if (options === undefined) return true;
  const [section, window] = path.split('.');
  switch (section) {
    case 'metadata':
      return options.include_metadata === true;
    case 'market':
      return options.include_market === true;
    case 'labels':
      return options.include_labels === true;
    case 'metrics':
      return options.include_metrics?.includes(window!) === true;
    default:
      return true;
  }
}

function neededColumns(context: QueryContext, kind: ProfileKind, options: ProfileOptions | undefined): string[] {
  const paths = context.shapes[kind].fields.map((field) => field.path).filter((path) => isWanted(path, options));
  return ['id', ...paths, ...(isWanted('labels', options) ? ['matched_labels'] : [])];
}

/** A profile of a row: the paths of the fields, unfolded. */
export function toProfile(
  context: QueryContext,
  kind: ProfileKind,
  rows: Batch,
  row: number,
  options: ProfileOptions | undefined,
  dynamicLabels?: readonly string[],
): Profile {
  const profile: Record<string, unknown> = {};
  for (const { path, type } of context.shapes[kind].fields) {
    if (!isWanted(path, options)) continue;
    const value = (rows.columns[path] as ColumnData)[row]!;
    setPath(profile, path, servedValue(type, value));
    if (path === 'labels') {
      profile.matched_labels = JSON.parse((rows.columns.matched_labels as (string | null)[])[row] ?? '{}');
    }
  }
  if (dynamicLabels !== undefined) profile.dynamic_labels = dynamicLabels;
  return profile;
}

function servedValue(type: string, value: string | number | null): unknown {
  switch (type) {
    case 'labels':
      return typeof value === 'string' ? value.split('|').filter((label) => label !== '') : [];
    case 'date':
      return Number.isNaN(value) ? null : formatTime(value as number);
    case 'boolean':
      return Number.isNaN(value) ? null : value === 1;
    case 'number':
      return Number.isNaN(value) ? null : value;
    default:
      return value;
  }
}

function setPath(target: Record<string, unknown>, path: string, value: unknown): void {
  const keys = path.split('.');
  let object = target;
  for (const key of keys.slice(0, -1)) {
    object[key] ??= {};
    object = object[key] as Record<string, unknown>;
  }
  object[keys[keys.length - 1]!] = value;
}
