import * as v from 'valibot';
import { addTo } from '../records/key-index.ts';
import { columnOf, type FieldType, isStored, type ProfileField } from '../records/profile-fields.ts';

export type ProfileNode = ProfileLeaf | ProfileBranch;

/** `type` and `column` are those of the field, which objects of several shapes are: reading them there is slow. */
export interface ProfileLeaf {
  readonly key: string;
  readonly type: FieldType;
  readonly column: string;
  /** The place of the column in the whole table, by which the values of a row are numbered. */
  readonly place: number;
  readonly field: ProfileField;
  readonly of?: never;
}

/** Where each column stands in a table. */
export type Places = ReadonlyMap<string, number>;

export interface ProfileBranch {
  readonly key: string;
  readonly of: readonly ProfileNode[];
  /** All its keys, each `null`. */
  readonly blank: Readonly<Record<string, null>>;
}

/** The fields as the response nests them, in its order, with the places of their columns. All their paths begin with `prefix`. */
export function treeOf(fields: readonly ProfileField[], places: Places, prefix = ''): readonly ProfileNode[] {
  const branches = new Map<string, ProfileField[]>();
  for (const field of fields) {
    const key = field.path.slice(prefix.length).split('.', 1)[0]!;
    addTo(branches, key, field);
  }
  return [...branches].map(([key, branch]) => {
    const path = `${prefix}${key}`;
    const field = branch.find((own) => own.path === path);
    if (field === undefined) return branchOf(key, treeOf(branch, places, `${path}.`));
    const column = columnOf(field);
    return { key, type: field.type, column, place: places.get(column)!, field };
  });
}

export function branchOf(key: string, of: readonly ProfileNode[]): ProfileBranch {
  // JSON.parse makes an object whose copies are fast; one that is given its keys by name is a table of them.
  const blank = JSON.parse(JSON.stringify(Object.fromEntries(of.map((node) => [node.key, null]))));
  return { key, of, blank };
}

export function hasStored(node: ProfileNode): boolean {
  return node.of === undefined ? isStored(node.field) : node.of.some(hasStored);
}

/** The columns that nodes are read from, those of branches included. */
export function columnsOf(nodes: readonly ProfileNode[]): readonly string[] {
  return nodes.flatMap((node) => (node.of === undefined ? [node.column] : columnsOf(node.of)));
}

export function nodeSchema(node: ProfileNode): v.GenericSchema {
  if (node.of === undefined) return node.field.response(node.field.meaning);
  return v.strictObject(Object.fromEntries(node.of.map((part) => [part.key, nodeSchema(part)])));
}
