import { profileWindows } from '../bag/windows.ts';
import { searchColumns } from '../filter/words.ts';
import type { Metric } from '../metrics/metric.ts';
import type { ColumnType, Table } from '../records/columns.ts';
import {
  type EntityKind,
  hasColumn,
  isElapsed,
  isStored,
  type ProfileField,
  type ProfileKind,
} from '../records/profile-fields.ts';
import { nativeColumns } from './moving.ts';
import { addressField, type Section } from './sections/section.ts';
import { type PositionPath, profileFields, queryFields, sections } from './sections/sections.ts';
import { branchOf, columnsOf, hasStored, type Places, type ProfileNode, treeOf } from './tree.ts';

/** A kind of profile as a store has it: its fields, and the table that holds them. */
export interface ProfileShape {
  readonly kind: ProfileKind;
  readonly table: Table;
  /** The same with the columns that are computed when they are asked for: tokens have none. */
  readonly whole: Table;
  /** The columns of `whole` that the table does not have. */
  readonly computed: ReadonlySet<string>;
  readonly fields: readonly ProfileField[];
  readonly byPath: ReadonlyMap<string, ProfileField>;
  /** What the response is made of, in its order. */
  readonly parts: readonly ProfilePart[];
  /** What a profile has without `options`: of windows, what is stored, and nothing that is on request. */
  readonly defaults: DefaultParts;
  /** The same with what is on request. */
  readonly all: DefaultParts;
  readonly places: Places;
}

export interface DefaultParts {
  readonly parts: readonly ProfilePart[];
  /** What these are read from, and what says until when a row holds. */
  readonly columns: readonly string[];
}

export interface ProfilePart {
  readonly section: Section;
  readonly nodes: readonly ProfileNode[];
  readonly columns: readonly string[];
}

export function shapesOf(metrics: readonly Metric[]): Readonly<Record<ProfileKind, ProfileShape>> {
  return {
    tokens: shapeOf('tokens', metrics),
    wallets: shapeOf('wallets', metrics),
    positions: shapeOf('positions', metrics),
  };
}

export function shapeOf(kind: ProfileKind, metrics: readonly Metric[]): ProfileShape {
  const fields = profileFields(kind, metrics);
  const table = kind === 'positions' ? positionTable(fields) : profileTable(kind, fields);
  const whole = kind === 'positions' ? wholePositionTable(table, fields) : wholeProfileTable(table, fields);
  const places = new Map(Object.keys(whole.columns).map((column, place) => [column, place]));
  const parts = sections[kind].map((section: Section) =>
    sectionWith(section, treeOf(servedFields(section, metrics), places)),
  );
  const stored = parts.map(storedPart);
  return {
    kind,
    table,
    whole,
    computed: new Set(Object.keys(whole.columns).filter((column) => !(column in table.columns))),
    fields,
    byPath: new Map(fields.map((field) => [field.path, field])),
    parts,
    defaults: partsOf(stored.filter(({ section }) => section.isOnRequest !== true)),
    all: partsOf(stored),
    places,
  };
}

const partsOf = (parts: readonly ProfilePart[]): DefaultParts => ({ parts, columns: columnsOfParts(parts) });

const servedFields = (section: Section, metrics: readonly Metric[]): readonly ProfileField[] =>
  section.fields(metrics).filter((field) => !isElapsed(field));

/** A part without what of its windows is computed when it is asked for. */
function storedPart({ section, nodes }: ProfilePart): ProfilePart {
  return sectionWith(section, section.option === 'windows' ? nodes.map(storedNode) : nodes);
}

function storedNode(node: ProfileNode): ProfileNode {
  if (node.of === undefined) return node;
  return branchOf(node.key, node.of.filter(hasStored).map(storedNode));
}

/** The columns that parts are read from, and `fresh_until`. */
export function columnsOfParts(parts: readonly ProfilePart[]): readonly string[] {
  return [...new Set(['id', 'fresh_until'].concat(...parts.map(({ columns }) => columns)))];
}

export function sectionWith(section: Section, nodes: readonly ProfileNode[]): ProfilePart {
  const { beside } = section;
  return { section, nodes, columns: [...columnsOf(nodes), ...(beside === undefined ? [] : [beside.column])] };
}

/**
 * What a fold leaves for the next one: the as-of time it was made for, and the open cost of the entity at the start of the longest
 * window (a sum of two doubles, and the number of positions in it).
 */
export const resumeColumns = {
  folded_as_of: 'long',
  cost_sum: 'double',
  cost_low: 'double',
  cost_positions: 'long',
} as const;

/**
 * What a fold of a wallet leaves for the next one: what its trades up to the start of the longest window add up to (`bag/lifetime.ts`), null
 * if there are none.
 */
export const resumeColumnsOfWallets = { lifetime_before: 'text' } as const;

/**
 * The wide table of the stored profiles: one row an entity, one column a field, named by its path, and what text is searched by.
 * `fresh_until` is the last as-of time that the row holds for. Tokens have what moves with the native price in native tokens, too.
 */
export function profileTable(kind: EntityKind, fields: readonly ProfileField[]): Table {
  const columns: Record<string, ColumnType> = {
    id: 'id',
    fresh_until: 'long',
    ...resumeColumns,
    matched_labels: 'text',
  };
  const stored = fields.filter(isStored);
  if (kind === 'tokens') for (const column of Object.values(nativeColumns)) columns[column] = 'double';
  else Object.assign(columns, resumeColumnsOfWallets);
  for (const field of stored) columns[field.path] = field.column;
  return {
    name: kind === 'tokens' ? 'token_profiles' : 'wallet_profiles',
    columns: { ...columns, ...searchColumns(queryFields[kind], stored) },
    key: ['id'],
    indexes: [[addressField[kind]], ['fresh_until']],
    fixed: [addressField[kind]],
    alike: profileWindows[kind].map((window) =>
      stored.filter(({ path }) => path.startsWith(`metrics.${window}.`)).map(({ path }) => path),
    ),
    derived: true,
  };
}

/** Rows of wallets or tokens once they are whole: what is stored, and what is computed when it is asked for. */
function wholeProfileTable(stored: Table, fields: readonly ProfileField[]): Table {
  const own = fields.filter(hasColumn);
  return {
    ...stored,
    columns: { ...stored.columns, ...Object.fromEntries(own.map(({ path, column }) => [path, column])) },
  };
}

const ownOfPositions = {
  id: 'long',
  wallet: 'id',
  token: 'id',
  fresh_until: 'long',
  lot_amount: 'double',
  matched_cost: 'double',
  lot_amount_native: 'double',
  matched_cost_native: 'double',
  away_lot_amount: 'double',
} as const;

/** A column of positions, stored or computed, that is of no window. */
export type PositionColumn = keyof typeof ownOfPositions | PositionPath<'fold' | 'query'>;

/**
 * The narrow table of the stored positions: one row a wallet and token, some three for ten swaps. `id` is the pair
 * (`records/chain-order.ts`), by which the positions of a wallet lie together, and lies beside the ids that it is made of. Fields that are
 * computed when they are asked for, and the next fold, need `lot_amount`, tokens in the open lots of known cost, and `matched_cost`, the cost
 * of what was sold; both in native tokens, too. `lot_amount_native` is null if it is `lot_amount`. `away_lot_amount` is how many tokens of
 * `holding.away_amount` are in lots of known cost, null if all are.
 */
function positionTable(fields: readonly ProfileField[]): Table {
  const stored = fields.filter(isStored);
  return {
    name: 'position_profiles',
    columns: {
      ...ownOfPositions,
      ...Object.fromEntries(stored.map(({ path, column }) => [path, column])),
    },
    key: ['id'],
    indexes: [['id'], ['token']],
    fixed: ['wallet', 'token', 'wallet_address', 'token_address'],
    derived: true,
  };
}

/** Rows of positions once they are whole: what is stored, and what is computed when it is asked for. */
function wholePositionTable(stored: Table, fields: readonly ProfileField[]): Table {
  const own = fields.filter(hasColumn);
  return {
    ...stored,
    columns: {
      ...stored.columns,
      ...Object.fromEntries(own.map(({ path, column }) => [path, column])),
      matched_labels: 'text',
      ...searchColumns([], own),
    },
  };
}
