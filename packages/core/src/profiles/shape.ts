import type { Metric } from '../metrics/metric.ts';
import type { Table } from '../records/columns.ts';
import { profileFields } from './catalogue.ts';
import { isElapsed, type ProfileField, type ProfileKind } from './fields.ts';
import type { Section } from './sections/section.ts';
import { sections } from './sections/sections.ts';
import { positionTable, profileTable, wholePositionTable } from './table.ts';
import { branchOf, columnsOf, hasStored, type Places, type ProfileNode, treeOf } from './tree.ts';

/** A kind of profile as a store has it: its fields, and the table that holds them. */
export interface ProfileShape {
  readonly kind: ProfileKind;
  /** What is stored. */
  readonly table: Table;
  /** The same with the columns that are computed when they are asked for: of no other table than that of positions there are any. */
  readonly whole: Table;
  readonly fields: readonly ProfileField[];
  readonly byPath: ReadonlyMap<string, ProfileField>;
  /** What the response is made of, in its order. */
  readonly parts: readonly ProfilePart[];
  /** What a response has that no request has asked for by its parts: of windows, what is stored. */
  readonly defaultParts: readonly ProfilePart[];
  /** What those are read from, and what says until when a row holds. */
  readonly columns: readonly string[];
  /** Where each column stands in the whole table. */
  readonly places: Places;
}

/** A section, and its fields as the response nests them. */
export interface ProfilePart {
  readonly section: Section;
  readonly nodes: readonly ProfileNode[];
  /** What it is read from. */
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
  const whole = kind === 'positions' ? wholePositionTable(table, fields) : table;
  const places = new Map(Object.keys(whole.columns).map((column, place) => [column, place]));
  const parts = sections[kind].map((section: Section) =>
    sectionWith(section, treeOf(servedFields(section, metrics), places)),
  );
  const defaultParts = parts.map(storedPart);
  return {
    kind,
    table,
    whole,
    fields,
    byPath: new Map(fields.map((field) => [field.path, field])),
    parts,
    defaultParts,
    columns: columnsOfParts(defaultParts),
    places,
  };
}

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

/** A section with those of its nodes. */
export function sectionWith(section: Section, nodes: readonly ProfileNode[]): ProfilePart {
  const { beside } = section;
  return { section, nodes, columns: [...columnsOf(nodes), ...(beside === undefined ? [] : [beside.column])] };
}
