import { SwapfoldError } from '../errors.ts';
import type { ChangedProfiles } from '../ingest/changes.ts';
import type { ProfileOptions } from '../profiles/sections/sections.ts';
import type { QueryContext } from '../queries/context.ts';
import { positionCompleter } from '../queries/positions/complete.ts';
import { positionRows } from '../queries/positions/rows.ts';
import { openPositions } from '../queries/positions/search.ts';
import { type SearchedProfiles, searchedAsOf, searchedPlan, storedProfiles } from '../queries/profiles.ts';
import { type Profile, profileServer } from '../queries/serve-profile.ts';
import { positionId } from '../queries/trades.ts';
import { pairOf, pairToken, pairWallet } from '../records/chain-order.ts';
import { NO_ID } from '../records/columns.ts';
import type { ProfileKind } from '../records/profile-fields.ts';
import { readProfilesAsOf } from '../storage/meta.ts';
import { isIn } from '../storage/predicate.ts';
import type { MessageBody, Selection } from './selection.ts';

/** Profiles that a filter may find. */
const MOST_MATCHES = 1000;

/** The profiles of some addresses, or of all that a filter finds. */
export interface WantedProfiles {
  readonly kind: ProfileKind;
  /** Addresses of tokens or wallets, or of the two of each position. */
  readonly addresses?: readonly (readonly string[])[];
  readonly filter?: object;
  readonly options?: ProfileOptions | undefined;
}

/** A subscription to profiles: a message follows each refresh that stored some of them. */
export function profilesWanted(wanted: WantedProfiles): Selection<Profile> {
  const { kind, addresses, filter } = wanted;
  return addresses === undefined ? matching(wanted, filter) : known(kind, addresses, wanted);
}

function known(
  kind: ProfileKind,
  addresses: readonly (readonly string[])[],
  { options }: WantedProfiles,
): Selection<Profile> {
  /** Those that the store has ids of, which they keep. */
  const ids = new Map<number, readonly string[]>();
  let unknown = addresses;
  /** Those that had a profile when it was last read. */
  const had = new Set<number>();
  async function findIds({ dictionary, reader }: QueryContext): Promise<void> {
    const found = await dictionary.find(reader, unknown.flat());
    const rest: (readonly string[])[] = [];
    let at = 0;
    for (const address of unknown) {
      const [first, second] = [found[at]!, found[at + 1]];
      at += address.length;
      if (first === NO_ID || (address.length > 1 && second === NO_ID)) rest.push(address);
      else ids.set(address.length > 1 ? pairOf(first, second!) : first, address);
    }
    unknown = rest;
  }
  async function readOf(context: QueryContext, wanted: readonly number[]): Promise<ReadonlyMap<number, Profile>> {
    const profiles = await readProfiles(context, kind, wanted, options);
    for (const id of profiles.keys()) had.add(id);
    return profiles;
  }
  return {
    begin: (ask, isMissed) =>
      ask(async (context) => {
        await findIds(context);
        if (isMissed()) for (const id of ids.keys()) had.add(id);
        if ((await readProfilesAsOf(context.reader)) !== null) await readOf(context, [...ids.keys()]);
        return undefined;
      }, 'scan'),
    async read({ commit, ask }) {
      if (commit.kind !== 'profiles') return undefined;
      return ask(async (context) => {
        if (unknown.length > 0) await findIds(context);
        const changed = changedOf(commit.changed, kind);
        const wanted = changed === undefined ? [...ids.keys()] : [...ids.keys()].filter((id) => changed.has(id));
        if (wanted.length === 0) return undefined;
        const profiles = await readOf(context, wanted);
        const gone = wanted.filter((id) => !profiles.has(id) && had.delete(id));
        if (profiles.size === 0 && gone.length === 0) return undefined;
        const ended = gone.map((id) => addressOf(kind, ids.get(id)!));
        return { data: [...profiles.values()], ...(ended.length === 0 ? {} : { ended }) };
      }, 'scan');
    },
  };
}

function matching({ kind, options }: WantedProfiles, filter: object | undefined): Selection<Profile> {
  let members: ReadonlySet<number> = new Set();
  /** All that match, so that who may have missed something knows what it has. */
  const complete = async (context: QueryContext): Promise<MessageBody<Profile>> => {
    const profiles = await readProfiles(context, kind, [...members], options);
    return { data: [...profiles.values()], complete: true };
  };
  return {
    async begin(ask, isMissed) {
      return ask(async (context) => {
        if ((await readProfilesAsOf(context.reader)) === null && context.lastTime !== null)
          await checkFilter(context, kind, filter);
        else members = await findMatches(context, kind, filter);
        return isMissed() ? complete(context) : undefined;
      }, 'scan');
    },
    async read(view) {
      const { commit, ask } = view;
      if (commit.kind !== 'profiles') return undefined;
      return ask(async (context) => {
        const key = `matches ${kind} ${JSON.stringify(filter)}`;
        const found = await view.once(key, () => findMatches(context, kind, filter));
        const changed = changedOf(commit.changed, kind);
        const began = [...found].filter((id) => !members.has(id));
        const ended = [...members].filter((id) => !found.has(id));
        const sent = [...found].filter((id) => !members.has(id) || (changed?.has(id) ?? true));
        if (sent.length + ended.length === 0) return undefined;
        const profiles = await readProfiles(context, kind, sent, options);
        const names = await addressesOf(context, kind, [...began, ...ended]);
        const listed = (name: 'began' | 'ended', of: readonly number[]): Partial<MessageBody<Profile>> =>
          of.length === 0 ? {} : { [name]: of.map((id) => names.get(id)!) };
        // Last of all: it is asked again where its state has gone meanwhile.
        members = found;
        return { data: [...profiles.values()], ...listed('began', began), ...listed('ended', ended) };
      }, 'scan');
    },
  };
}

const changedIds = new WeakMap<ChangedProfiles, Map<ProfileKind, ReadonlySet<number>>>();

/** The ids of profiles that a refresh stored or removed; `undefined` where all may be. */
function changedOf(changed: ChangedProfiles, kind: ProfileKind): ReadonlySet<number> | undefined {
  if (changed.isAll) return undefined;
  const kinds = changedIds.get(changed) ?? new Map<ProfileKind, ReadonlySet<number>>();
  changedIds.set(changed, kinds);
  const known = kinds.get(kind);
  if (known !== undefined) return known;
  const ids = new Set<number>();
  for (const some of changed.ids[kind]) for (const id of some) ids.add(id);
  kinds.set(kind, ids);
  return ids;
}

/** The ids of the profiles that a filter finds. Errors: the errors of the search; `too-many-matches`. */
async function findMatches(
  context: QueryContext,
  kind: ProfileKind,
  filter: object | undefined,
): Promise<ReadonlySet<number>> {
  const { where } =
    kind === 'positions' ? await openPositions(context, filter) : await searchedPlan(context, kind, filter);
  const { rows } = await profilesOf(context, kind);
  const order = [{ column: 'id', direction: 'asc' }] as const;
  const page = await rows.page({ columns: ['id'], where, order, limit: MOST_MATCHES });
  if (page.count > MOST_MATCHES)
    throw new SwapfoldError(
      'too-many-matches',
      `The filter of the subscription finds ${page.count} profiles; at most ${MOST_MATCHES} may match. Add conditions, or search page by page.`,
    );
  return new Set(page.rows.columns.id as Float64Array);
}

/** Refuses a filter at fault if there are no profiles yet that it could be asked of. */
async function checkFilter(context: QueryContext, kind: ProfileKind, filter: object | undefined): Promise<void> {
  const unfolded = { ...context, lastTime: null };
  if (kind === 'positions') await openPositions(unfolded, filter);
  else await searchedPlan(unfolded, kind, filter);
}

async function readProfiles(
  context: QueryContext,
  kind: ProfileKind,
  ids: readonly number[],
  options: ProfileOptions | undefined,
): Promise<ReadonlyMap<number, Profile>> {
  if (ids.length === 0) return new Map();
  const shape = context.shapes[kind];
  const { columns, serve } = profileServer(shape, options, shape.defaults);
  const { rows, asOf } = await profilesOf(context, kind);
  const found = await rows.read(
    [...new Set(['id', ...columns])],
    isIn('id', kind === 'positions' ? Float64Array.from(ids) : Int32Array.from(ids)),
  );
  const profiles = serve(found, asOf);
  const rowOf = new Map(Array.from(found.columns.id as Float64Array, (id, row) => [id, row]));
  return new Map(ids.flatMap((id) => (rowOf.has(id) ? [[id, profiles[rowOf.get(id)!]!] as const] : [])));
}

async function profilesOf(context: QueryContext, kind: ProfileKind): Promise<Pick<SearchedProfiles, 'rows' | 'asOf'>> {
  if (kind !== 'positions') return storedProfiles(context, kind);
  const asOf = searchedAsOf(context, await readProfilesAsOf(context.reader));
  return { rows: positionRows(context, positionCompleter(context, asOf)), asOf };
}

async function addressesOf(
  { dictionary, reader }: QueryContext,
  kind: ProfileKind,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const texts = ids.flatMap((id) => (kind === 'positions' ? [pairWallet(id), pairToken(id)] : [id]));
  await dictionary.load(reader, texts);
  const named = (id: number): readonly string[] =>
    (kind === 'positions' ? [pairWallet(id), pairToken(id)] : [id]).map((text) => dictionary.textOf(text));
  return new Map(ids.map((id) => [id, addressOf(kind, named(id))]));
}

/** The address of a profile: of a position the id of its pair. */
function addressOf(kind: ProfileKind, [first, second]: readonly string[]): string {
  return kind === 'positions' ? positionId(first!, second!) : first!;
}
