import { aliasesOf } from '../addresses/token-address.ts';
import { SwapfoldError } from '../errors.ts';
import { type Fault, faultError, MAX_FAULTS } from '../faults.ts';
import { hintOf, quoted } from '../filter/names.ts';
import type { LabelUse, Notes } from '../filter/reading.ts';
import { labelNamesOf } from '../labels/rules.ts';
import { nativePriceAt } from '../market-data/native-price.ts';
import { placeOf } from '../memory/column-table.ts';
import { requireFunctions } from '../metrics/metric.ts';
import { movedRows, withNative } from '../profiles/moving.ts';
import type { ProfileOptions } from '../profiles/sections/sections.ts';
import { addressField } from '../profiles/sections/sections.ts';
import { type Batch, NO_ID, newBatch } from '../records/columns.ts';
import type { EntityKind, ProfileKind } from '../records/profile-fields.ts';
import { walletRegistryTable } from '../records/tables.ts';
import { foldProfiles } from '../refresh/fold.ts';
import { movingRows } from '../search/moving-rows.ts';
import type { ExplainedPlan } from '../search/page.ts';
import {
  type ReadSearch,
  readSearch,
  type SearchContext,
  type SearchPlan,
  type SearchRequest,
} from '../search/plan.ts';
import { type ProfileRows, rowsInMemory, storedRows } from '../search/rows.ts';
import { runSearch } from '../search/search.ts';
import { defaultSorts } from '../search/sort.ts';
import { readProfilesAsOf, readProfilesNativePrice } from '../storage/meta.ts';
import { compare, not, predicateColumns } from '../storage/predicate.ts';
import { formatTime } from '../time.ts';
import type { QueryContext } from './context.ts';
import { addLaunches, launchFaults } from './launch/on-request.ts';
import { type Profile, profileServer, searchedParts } from './serve-profile.ts';
import type { Page } from './swaps.ts';
import { walletCompleter } from './wallets/complete.ts';
import { walletRows } from './wallets/rows.ts';

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
 * - Errors: `invalid-request`, `unknown-field`, `unknown-operator`, `invalid-filter`, `invalid-cursor`; `unknown-field` for a label that neither a rule nor the registry gives; `not-refreshed`.
 */
export async function search(
  context: QueryContext,
  kind: EntityKind,
  request: ProfileSearch,
): Promise<SearchAnswer<Profile>> {
  return searchIn(context, kind, request, await storedProfiles(context, kind));
}

/** As `search`, of profiles wherever they are. */
export async function searchIn(
  context: QueryContext,
  kind: ProfileKind,
  request: ProfileSearch,
  stored: SearchedProfiles,
): Promise<SearchAnswer<Profile>> {
  const shape = context.shapes[kind];
  const searched = searchContextOf(context, kind, stored.asOf);
  const { plan, notes } = await readForStore(context, request, searched, stored.refine);
  if (notes.faults.length > 0) throw faultError(notes.faults);
  const read = [...predicateColumns(plan.where), ...plan.sort.map(({ column }) => column)];
  const { columns, serve, servePlaces } = profileServer(shape, request.options, searchedParts(shape, read));
  const page = await runSearch(stored.rows, plan, { ...searched, columns });
  const { places, rows } = page;
  const served = places === undefined ? serve(rows, stored.asOf) : servePlaces(places, stored.asOf, stored.nativeUsd);
  const addresses = served.map((profile) => addressesOf(kind, profile));
  await addLaunches(context, served, { kind, options: request.options, addresses, asOf: stored.asOf });
  const data = served.map((profile, row) => {
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

function addressesOf(kind: ProfileKind, profile: Profile) {
  const { wallet_address: wallet, token_address: token } = profile as Readonly<Record<string, string>>;
  if (kind === 'positions') return { wallet: wallet!, token: token! };
  return kind === 'wallets' ? { wallet: wallet! } : { token: token! };
}

/** The plan of a search for all stored profiles that a filter finds. Errors: the errors of `search`. */
export async function searchedPlan(
  context: QueryContext,
  kind: ProfileKind,
  filter: object | undefined,
  refine?: Refine,
): Promise<SearchPlan> {
  const asOf = searchedAsOf(context, await readProfilesAsOf(context.reader));
  const { plan, notes } = await readForStore(context, { filter }, searchContextOf(context, kind, asOf), refine);
  if (notes.faults.length > 0) throw faultError(notes.faults);
  return plan;
}

/** Everything that is wrong with the parts of a search request that its schema leaves unread. */
export async function searchFaults(
  context: QueryContext,
  kind: ProfileKind,
  request: ProfileSearch,
  refine?: Refine,
): Promise<readonly Fault[]> {
  const { notes } = await readForStore(context, request, searchContextOf(context, kind, context.asOf), refine);
  return notes.faults;
}

/** Makes the plan of a search one for the profiles that are searched, and notes what they cannot answer. */
type Refine = (read: ReadSearch) => SearchPlan;

/** The stored profiles of the state that the context reads, in memory if they are cached, and their as-of time. */
export interface SearchedProfiles {
  readonly rows: ProfileRows;
  readonly asOf: number;
  /** USD per native token then; `NaN` if that is unknown, or nothing that is stored moves with it. */
  readonly nativeUsd?: number;
  readonly refine?: Refine;
}

/** `readSearch`, and what only the store can say: whether it knows the labels, and what its profiles cannot answer (`refine`). */
async function readForStore(
  context: QueryContext,
  request: ProfileSearch,
  searched: SearchContext,
  refine: Refine = ({ plan }) => plan,
): Promise<ReadSearch> {
  const read = readSearch(request, searched);
  await noteUnknownLabels(context, searched.kind, read.notes);
  read.notes.faults.push(...launchFaults(request));
  return { plan: refine(read), notes: read.notes };
}

function searchContextOf(context: QueryContext, kind: ProfileKind, asOf: number): SearchContext {
  return {
    kind,
    fields: context.shapes[kind].byPath,
    asOf,
    addressFormat: context.config.address_format,
    aliases: aliasesOf(context.config),
    defaultSort: defaultSorts[kind],
    columns: [],
    yielder: context.yielder,
  };
}

/** Errors: the errors of `searchedAsOf`. */
export async function storedProfiles(context: QueryContext, kind: EntityKind): Promise<SearchedProfiles> {
  const cached = context.cache.profiles(kind) ?? (await context.cache.awaitProfiles(kind));
  const asOf = searchedAsOf(context, cached === undefined ? await readProfilesAsOf(context.reader) : cached.asOf);
  const { table } = context.shapes[kind];
  const rows = cached === undefined ? storedRows(context.reader, table) : rowsInMemory(cached.rows, context.yielder);
  if (kind === 'wallets') return { rows: walletRows(context, rows, walletCompleter(context, asOf)), asOf };
  const nativeUsd = cached === undefined ? await readProfilesNativePrice(context.reader) : cached.nativeUsd;
  return { rows: movingRows(rows, nativeUsd), asOf, nativeUsd };
}

/**
 * The as-of time of a search, from the as-of time of the stored profiles.
 *
 * - Errors: `not-refreshed` if there is something to make profiles of; `invalid-range` for another as-of time than theirs.
 */
export function searchedAsOf(context: QueryContext, storedAsOf: number | null): number {
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
  return asOf;
}

/** The profile of an address: the stored one, or folded for the as-of time that was asked for. Errors: `not-found`. */
export async function getProfile(
  context: QueryContext,
  kind: EntityKind,
  address: string,
  options: ProfileOptions | undefined,
): Promise<Profile> {
  const { profile, asOf } = await servedProfile(context, kind, address, options);
  await addLaunches(context, [profile], { kind, options, addresses: [addressesOf(kind, profile)], asOf });
  return profile;
}

async function servedProfile(
  context: QueryContext,
  kind: EntityKind,
  address: string,
  options: ProfileOptions | undefined,
): Promise<{ readonly profile: Profile; readonly asOf: number }> {
  const shape = context.shapes[kind];
  const { columns, serve, servePlaces } = profileServer(shape, options, shape.defaults);
  const cached = context.isAsOfAsked ? undefined : context.cache.profiles(kind);
  const isComputed = kind === 'wallets' && !columns.every(walletCompleter(context, context.asOf).isStored);
  if (cached !== undefined && !isComputed) {
    const place = placeOf(cached.rows, addressField[kind], address);
    if (place === undefined) throw notFound(kind, address);
    const asOf = cached.asOf ?? context.asOf;
    return { profile: servePlaces([place], asOf, cached.nativeUsd)[0]!, asOf };
  }
  const asOf = await instantOf(context);
  return { profile: serve(await readProfile(context, kind, address, columns), asOf)[0]!, asOf };
}

/** The row of a profile with the columns that are wanted, of which some may be computed. Errors: `not-found`. */
export async function readProfile(
  context: QueryContext,
  kind: EntityKind,
  address: string,
  columns: readonly string[],
): Promise<Batch> {
  const completer = kind === 'wallets' ? walletCompleter(context, await instantOf(context)) : undefined;
  const rows = await profileRows(context, kind, address, completer?.storedOf(columns) ?? columns);
  if (rows.length === 0) throw notFound(kind, address);
  return (await completer?.complete(rows, columns)) ?? rows;
}

/** The as-of time that was asked for, else that of the stored profiles. */
async function instantOf({ isAsOfAsked, asOf, reader }: QueryContext): Promise<number> {
  return isAsOfAsked ? asOf : ((await readProfilesAsOf(reader)) ?? asOf);
}

async function profileRows(
  context: QueryContext,
  kind: EntityKind,
  address: string,
  columns: readonly string[],
): Promise<Batch> {
  const { table } = context.shapes[kind];
  const id = await context.dictionary.findOne(context.reader, address);
  if (id === NO_ID) return newBatch(table, 0);
  if (context.isAsOfAsked) {
    requireFunctions(context.metrics, 'A profile as of another instant');
    const folded = await foldProfiles(context, kind, Int32Array.of(id));
    return kind === 'tokens' ? movedRows(folded, await nativePriceAt(context, context.asOf)) : folded;
  }
  const where = compare('id', 'eq', id);
  if (kind !== 'tokens') return (await context.reader.read({ table, columns, where })) as Batch;
  const stored = (await context.reader.read({ table, columns: withNative(columns), where })) as Batch;
  return movedRows(stored, await readProfilesNativePrice(context.reader));
}

export function notFound(kind: EntityKind, address: string): SwapfoldError {
  const noun = kind === 'tokens' ? 'token' : 'wallet';
  return new SwapfoldError(
    'not-found',
    `There is no profile of ${noun} "${address}": it is in no swap and not in the registry, or no refresh has run since it came.`,
    { details: [{ path: noun, message: 'unknown' }] },
  );
}

/** Notes the labels of a request that no profile can have: neither the interface nor a rule nor the registry names them. */
async function noteUnknownLabels(context: QueryContext, kind: ProfileKind, notes: Notes): Promise<void> {
  const strange = notes.labels.length === 0 ? [] : strangeLabels(context, kind, notes.labels);
  if (strange.length === 0) return;
  const registered = kind === 'wallets' ? await registeredLabels(context) : new Set<string>();
  const known = [...new Set([...namedLabels(context, kind), ...registered])];
  for (const { label, path, root } of strange) {
    if (registered.has(label)) continue;
    if (notes.faults.length >= MAX_FAULTS) return;
    const message = `Unknown label ${quoted(label)} in ${root}.${hintOf(label, known)}`;
    notes.faults.push({ code: 'unknown-field', path, message });
  }
}

function strangeLabels(context: QueryContext, kind: ProfileKind, uses: readonly LabelUse[]): readonly LabelUse[] {
  const named = namedLabels(context, kind);
  return uses.filter(({ label }) => !named.has(label));
}

function namedLabels({ config }: QueryContext, kind: ProfileKind): ReadonlySet<string> {
  return new Set(labelNamesOf(config)[kind]);
}

async function registeredLabels(context: QueryContext): Promise<ReadonlySet<string>> {
  const cached = context.cache.get('labels', 'wallets');
  if (cached !== undefined) return cached;
  const names = new Set<string>();
  const rows = context.reader.stream({
    table: walletRegistryTable,
    columns: ['labels'],
    where: not({ kind: 'missing', column: 'labels' }),
  });
  for await (const { columns } of rows)
    for (const labels of columns.labels) for (const name of labels!.split('|')) if (name !== '') names.add(name);
  context.cache.put('labels', 'wallets', names);
  return names;
}
