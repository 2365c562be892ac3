import type { AddressFormat } from '../addresses/address.ts';
import { nearestPath } from '../nearest.ts';
import { columnOf, type FieldType, isElapsed, type ProfileField, type ProfileKind } from '../profiles/fields.ts';

/** What a filter or sort is read against. */
export interface FilterContext {
  readonly kind: ProfileKind;
  readonly fields: ReadonlyMap<string, ProfileField>;
  /** Unix seconds, whole: what the fields that are the time since a date count to. */
  readonly asOf: number;
  /** Where the filter stands in the request, for messages. Default `filter`. */
  readonly path?: string;
  /** Addresses given in a filter are compared as this format stores them. Default `any`. */
  readonly addressFormat?: AddressFormat;
}

/** What a path stands for: a column, or the seconds since the time in it. */
export interface Target {
  readonly path: string;
  readonly type: FieldType;
  readonly column: string;
  readonly isElapsed: boolean;
  readonly isAddress: boolean;
}

/** What `path` means, or `undefined` where it means nothing. */
export function resolvePath(path: string, fields: ReadonlyMap<string, ProfileField>): Target | undefined {
  const field = fields.get(path) ?? fields.get(path.replace(/\.cumulative_pnl$/, '.pnl'));
  if (field === undefined) return undefined;
  return {
    path: field.path,
    type: field.type,
    column: columnOf(field),
    isElapsed: isElapsed(field),
    isAddress: field.isAddress === true,
  };
}

/** What helps with an unknown path: the one that it is most likely meant to be, else what there is. */
export function fieldHint(path: string, fields: ReadonlyMap<string, ProfileField>): string {
  const paths = knownPaths(fields);
  const near = nearestPath(path, paths);
  if (near !== undefined) return ` Did you mean "${near}"?`;
  return ` Known: ${[...new Set(paths.map(sectionOf))].join(', ')}.`;
}

/** `metadata.*` for `metadata.name`, `metrics.7d.*` for `metrics.7d.pnl`; a path of one part as it is. */
function sectionOf(path: string): string {
  const parts = path.split('.');
  return parts.length === 1 ? path : `${parts.slice(0, parts[0] === 'metrics' ? 2 : 1).join('.')}.*`;
}

/** Every path that `resolvePath` knows, but for aliases. */
export function knownPaths(fields: ReadonlyMap<string, ProfileField>): string[] {
  return [...fields.keys()];
}
