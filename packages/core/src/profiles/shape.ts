import type { Metric } from '../metrics/metric.ts';
import type { Table } from '../records/columns.ts';
import { profileFields } from './catalogue.ts';
import type { FieldType, ProfileField, ProfileKind } from './fields.ts';
import { profileTable } from './table.ts';

/** A kind of profile as a store has it: its fields, and the table that holds them. */
export interface ProfileShape {
  readonly kind: ProfileKind;
  readonly table: Table;
  readonly fields: readonly ProfileField[];
  readonly byPath: ReadonlyMap<string, ProfileField>;
  /** The fields as the response nests them, in its order. */
  readonly tree: readonly ProfileNode[];
}

/** A field of the response, or an object of fields. */
export interface ProfileNode {
  readonly key: string;
  /** The path of the field, or what the paths of the fields begin with. */
  readonly path: string;
  /** Of a field. */
  readonly type?: FieldType;
  /** Of an object: what it is made of. */
  readonly of?: readonly ProfileNode[];
  /** Of an object: all its keys, each `null`. */
  readonly blank?: Readonly<Record<string, null>>;
}

export function shapesOf(metrics: readonly Metric[]): Readonly<Record<ProfileKind, ProfileShape>> {
  return { tokens: shapeOf('tokens', metrics), wallets: shapeOf('wallets', metrics) };
}

function shapeOf(kind: ProfileKind, metrics: readonly Metric[]): ProfileShape {
  const fields = profileFields(kind, metrics);
  return {
    kind,
    table: profileTable(kind, fields),
    fields,
    byPath: new Map(fields.map((field) => [field.path, field])),
    tree: treeOf(fields, ''),
  };
}

/** The nodes of fields whose paths begin with `prefix`. */
function treeOf(fields: readonly ProfileField[], prefix: string): ProfileNode[] {
  const branches = new Map<string, ProfileField[]>();
  for (const field of fields) {
    const key = field.path.slice(prefix.length).split('.', 1)[0]!;
    const branch = branches.get(key);
    if (branch === undefined) branches.set(key, [field]);
    else branch.push(field);
  }
  return [...branches].map(([key, branch]) => {
    const path = `${prefix}${key}`;
    const own = branch.find((field) => field.path === path);
    if (own !== undefined) return { key, path, type: own.type };
    const of = treeOf(branch, `${path}.`);
    // JSON.parse makes an object whose copies are fast; one that is given its keys by name is a table of them.
    const blank = JSON.parse(JSON.stringify(Object.fromEntries(of.map((node) => [node.key, null]))));
    return { key, path, of, blank };
  });
}
