import * as v from 'valibot';
import type { profileWindows } from '../bag/windows.ts';
import { type Column, TextColumn, valueAt } from '../memory/column.ts';
import type { Place } from '../memory/places.ts';
import { columnOf, type Segment } from '../memory/segment.ts';
import type { OwnMetricName, PositionMetrics, TokenMetrics, WalletMetrics, WithOwn } from '../metrics/names.ts';
import { movedColumn, nativeColumns } from '../profiles/moving.ts';
import type { LaunchRole, TokenLaunch } from '../profiles/sections/launch.ts';
import type { ResponseContext, SectionAnswer } from '../profiles/sections/section.ts';
import type {
  holding,
  market,
  ObjectSections,
  ProfileOptions,
  positionMetadata,
  tokenMetadata,
  walletMetadata,
} from '../profiles/sections/sections.ts';
import {
  columnsOfParts,
  type DefaultParts,
  type ProfilePart,
  type ProfileShape,
  sectionWith,
  shapeOf,
} from '../profiles/shape.ts';
import { branchOf, nodeSchema, type ProfileNode } from '../profiles/tree.ts';
import type { Batch } from '../records/columns.ts';
import { type FieldType, labelsOf, type ProfileKind } from '../records/profile-fields.ts';
import { dateText, described, named, type ResponseSchema } from '../response.ts';
import type { ProfileExplanation } from '../search/explain.ts';
import { explanationSchema } from '../search/explain-schema.ts';
import { formatTime } from '../time.ts';

/** A profile as it is served: sections that the request does not want are absent, undefined numbers `null`. */
export interface Profile {
  readonly [field: string]: unknown;
}

/** How profiles are served for a request, as of an instant. */
export interface ProfileServer {
  readonly columns: readonly string[];
  readonly serve: (rows: Batch, asOf: number) => Profile[];
  /** The same of rows in memory, of which no copy is made: what moves with the native price (`profiles/moving.ts`) is as while that is `nativeUsd`. */
  readonly servePlaces: (places: readonly Place[], asOf: number, nativeUsd?: number) => Profile[];
}

type Served = Record<string, unknown>;

/**
 * Serves the requested sections. A profile that holds until before the as-of time says so in `as_of`.
 *
 * - `without`: what profiles have without `options`: the defaults of their shape, or for a search what `searchedParts` says.
 */
export function profileServer(
  { parts, places }: Pick<ProfileShape, 'parts' | 'places'>,
  options: ProfileOptions | undefined,
  without: DefaultParts,
): ProfileServer {
  const wanted = options === undefined ? without.parts : parts.flatMap((part) => requestedPart(part, options));
  const columns = options === undefined ? without.columns : columnsOfParts(wanted);
  const placeOf = (column: string): number => places.get(column)!;
  const freshUntil = placeOf('fresh_until');
  const profileOf = (columns: readonly Column[], row: number, asOf: number): Profile => {
    const profile: Served = {};
    for (const { nodes, section } of wanted) {
      for (const node of nodes) profile[node.key] = served(node, columns, row);
      const { beside } = section;
      if (beside !== undefined)
        profile[beside.key] = beside.read(valueAt(columns[placeOf(beside.column)]!, row) as string | null);
    }
    const until = valueAt(columns[freshUntil]!, row) as number;
    if (until < asOf) profile.as_of = formatTime(until);
    return profile;
  };
  /** The columns that are served, by their place in the whole table. */
  const byPlace = (columnAt: (name: string) => Column): readonly Column[] => {
    const placed: Column[] = new Array(places.size);
    for (const name of columns) placed[placeOf(name)] = columnAt(name);
    return placed;
  };
  return {
    columns,
    serve(rows, asOf) {
      const placed = byPlace((name) => {
        const data = rows.columns[name]!;
        return Array.isArray(data) ? new TextColumn(data) : data;
      });
      return Array.from({ length: rows.length }, (_, row) => profileOf(placed, row, asOf));
    },
    servePlaces(of, asOf, nativeUsd = Number.NaN) {
      const placedOf = new Map<Segment, readonly Column[]>();
      return of.map(({ segment, row }) => {
        const placed = placedOf.get(segment) ?? byPlace((name) => movedColumnOf(segment, name, nativeUsd));
        placedOf.set(segment, placed);
        return profileOf(placed, row, asOf);
      });
    },
  };
}

/** What each profile of a page has without options: a section that is on request, too, if the search reads one of its columns. */
export function searchedParts(
  { defaults, all }: Pick<ProfileShape, 'defaults' | 'all'>,
  read: Iterable<string>,
): DefaultParts {
  const named = new Set(read);
  const parts = all.parts.filter(
    ({ section, columns }) => section.isOnRequest !== true || columns.some((column) => named.has(column)),
  );
  return parts.length === defaults.parts.length ? defaults : { parts, columns: columnsOfParts(parts) };
}

/** The columns of segments that move, as they are while the native token is worth so much. */
const movedColumns = new WeakMap<
  Segment['columns'],
  { readonly nativeUsd: number; readonly byName: Map<string, Column> }
>();

function movedColumnOf(segment: Segment, name: string, nativeUsd: number): Column {
  const native = nativeColumns[name];
  if (native === undefined || Number.isNaN(nativeUsd)) return columnOf(segment, name);
  let known = movedColumns.get(segment.columns);
  if (known?.nativeUsd !== nativeUsd) {
    known = { nativeUsd, byName: new Map() };
    movedColumns.set(segment.columns, known);
  }
  const moved =
    known.byName.get(name) ??
    movedColumn(columnOf(segment, name) as Float64Array, columnOf(segment, native) as Float64Array, nativeUsd);
  known.byName.set(name, moved);
  return moved;
}

/** The part of a section that a request wants: all, nothing, or the windows that it names. */
function requestedPart(part: ProfilePart, options: ProfileOptions): readonly ProfilePart[] {
  const { key, option } = part.section;
  if (option === undefined) return [part];
  const value = (options as Readonly<Record<string, boolean | readonly string[] | undefined>>)[`include_${key}`];
  if (typeof value !== 'object') return value === true ? [part] : [];
  const nodes = part.nodes.flatMap(({ key, of = [] }) => {
    const windows = of.filter((window) => value.includes(window.key));
    return windows.length === 0 ? [] : [branchOf(key, windows)];
  });
  return nodes.length === 0 ? [] : [sectionWith(part.section, nodes)];
}

function served(node: ProfileNode, columns: readonly Column[], row: number): unknown {
  if (node.of === undefined) return servedValue(node.type, valueAt(columns[node.place]!, row));
  // Not as below: beyond four kinds of objects V8 gives up fast writes there, and a whole profile costs two fifths more.
  if (node.of[0]?.of !== undefined)
    return Object.fromEntries(node.of.map((part) => [part.key, served(part, columns, row)]));
  // A copy of an object that has its keys is faster than one that gets them one by one, and goes into JSON faster.
  const section: Served = { ...node.blank };
  for (const part of node.of) {
    const value = served(part, columns, row);
    if (value !== null) section[part.key] = value;
  }
  return section;
}

function servedValue(type: FieldType, value: string | number | null): unknown {
  switch (type) {
    case 'labels':
      return labelsOf(value as string | null);
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

/** A profile as it is served: sections that the request does not want are absent. */
export function profileSchema(kind: ProfileKind, context: ResponseContext): ResponseSchema<Profile> {
  const entries = shapeOf(kind, context.metrics).parts.map(({ section, nodes }) => {
    const own =
      section.response?.(nodes, context) ?? Object.fromEntries(nodes.map((node) => [node.key, nodeSchema(node)]));
    return section.option === undefined ? own : optional(own);
  });
  return named(
    names[kind],
    v.strictObject({
      ...Object.assign({}, ...entries),
      ...optional({
        as_of: dateText(
          'The last instant that the profile holds for, where a refresh of what was traded has left it behind the others.',
        ),
        dynamic_labels: described(v.array(v.string()), 'Labels of the request that hold.'),
        explain: explanationSchema,
      }),
    }),
  );
}

const names = { tokens: 'TokenProfile', wallets: 'WalletProfile', positions: 'PositionProfile' } as const;

const optional = (entries: v.ObjectEntries): v.ObjectEntries =>
  Object.fromEntries(Object.entries(entries).map(([key, schema]) => [key, v.exactOptional(schema as v.GenericSchema)]));

/** What all profiles share. Times are RFC 3339; sections that were not asked for are absent. */
export interface ProfileBase {
  /** Block time of the newest swap that the data reflects. */
  readonly updated_at: string | null;
  /** When the profile was stored. */
  readonly synced_at: string;
  /** The last instant that the profile holds for, where a refresh of the traded ones alone has left it behind the others. */
  readonly as_of?: string;
  readonly labels?: readonly string[];
  /** The names of the rules that held, by label. */
  readonly matched_labels?: Readonly<Record<string, readonly string[]>>;
  /** The labels of the request that hold. */
  readonly dynamic_labels?: readonly string[];
  /** Why the profile was found, clause by clause, where the search asks to `explain`. */
  readonly explain?: ProfileExplanation;
}

/** What the registry and the swaps say of a token. */
export interface TokenMetadata extends SectionAnswer<typeof tokenMetadata> {}

/** USD, tokens, wallets and percent; `null` is unknown. */
export interface TokenMarket extends SectionAnswer<typeof market> {}

/** A token profile as it is served; `Own` are metrics of the embedder. */
export interface TokenProfile<Own extends string = never> extends ProfileBase, ObjectSections<'tokens'> {
  readonly token_address: string;
  /** Who was there when it began to trade; with `include_launch`. */
  readonly launch?: TokenLaunch;
  /** By window; only those that were asked for. */
  readonly metrics?: Readonly<
    Partial<Record<(typeof profileWindows)['tokens'][number], WithOwn<TokenMetrics, OwnMetricName<'tokens', Own>>>>
  >;
}

/** What the registry and the swaps say of a wallet. */
export interface WalletMetadata extends SectionAnswer<typeof walletMetadata> {}

/** With `include_launch`: tokens whose launch the wallet sniped in the window. */
export type SniperEntries = Readonly<Partial<Record<'sniper_entry_count', number | null>>>;

/** A wallet profile as it is served; `Own` are metrics of the embedder. */
export interface WalletProfile<Own extends string = never> extends ProfileBase, ObjectSections<'wallets'> {
  readonly wallet_address: string;
  /** By window; only those that were asked for. */
  readonly metrics?: Readonly<
    Partial<
      Record<
        (typeof profileWindows)['wallets'][number],
        WithOwn<WalletMetrics, OwnMetricName<'wallets', Own>> & SniperEntries
      >
    >
  >;
}

/** Times and state of a position. */
export interface PositionMetadata extends SectionAnswer<typeof positionMetadata> {
  /** What the wallet was at the launch of the token, `null` if no launch is known; with `include_launch`. */
  readonly roles?: readonly LaunchRole[] | null;
}

/** USD, tokens and percent; `null` is unknown. */
export interface PositionHolding extends SectionAnswer<typeof holding> {}

/** What one wallet holds of one token and has made of it, as it is served; `Own` are metrics of the embedder. */
export interface PositionProfile<Own extends string = never>
  extends ProfileBase,
    Omit<ObjectSections<'positions'>, 'metadata'> {
  readonly metadata?: PositionMetadata;
  /** Id of the wallet-token pair, as trades have it in `position`. */
  readonly position_address: string;
  readonly wallet_address: string;
  readonly token_address: string;
  /** By window; only those that were asked for. Own metrics are there if the request names the window. */
  readonly metrics?: Readonly<
    Partial<
      Record<
        (typeof profileWindows)['positions'][number],
        PositionMetrics & Partial<WithOwn<object, OwnMetricName<'positions', Own>>>
      >
    >
  >;
}
