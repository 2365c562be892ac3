import type { Metric } from '../metrics/metric.ts';
import type { Table } from '../records/columns.ts';
import type { ProfileField, ProfileKind } from './fields.ts';
import type { Section } from './sections/section.ts';
import { sections } from './sections/sections.ts';
import { profileTable } from './table.ts';
import { columnsOf, type ProfileNode, treeOf } from './tree.ts';

/** A kind of profile as a store has it: its fields, and the table that holds them. */
export interface ProfileShape {
  readonly kind: ProfileKind;
  readonly table: Table;
  readonly fields: readonly ProfileField[];
  readonly byPath: ReadonlyMap<string, ProfileField>;
  /** What the response is made of, in its order. */
  readonly parts: readonly ProfilePart[];
}

/** A section, and its fields as the response nests them. */
export interface ProfilePart {
  readonly section: Section;
  readonly nodes: readonly ProfileNode[];
  /** What it is read from. */
  readonly columns: readonly string[];
}

export function shapesOf(metrics: readonly Metric[]): Readonly<Record<ProfileKind, ProfileShape>> {
  return { tokens: shapeOf('tokens', metrics), wallets: shapeOf('wallets', metrics) };
}

export function shapeOf(kind: ProfileKind, metrics: readonly Metric[]): ProfileShape {
  const parts = sections[kind].map((section: Section) => ({ section, own: section.fields(metrics) }));
  const fields = parts.flatMap(({ own }) => own);
  return {
    kind,
    table: profileTable(kind, fields),
    fields,
    byPath: new Map(fields.map((field) => [field.path, field])),
    parts: parts.map(({ section, own }) => partOf(section, treeOf(own))),
  };
}

/** A section with those of its nodes. */
export function partOf(section: Section, nodes: readonly ProfileNode[]): ProfilePart {
  const { beside } = section;
  return { section, nodes, columns: [...columnsOf(nodes), ...(beside === undefined ? [] : [beside.column])] };
}
