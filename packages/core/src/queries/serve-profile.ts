import type { ProfileNode, ProfileShape } from '../profiles/shape.ts';
import type { Batch } from '../records/columns.ts';
import { formatTime } from '../time.ts';

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

type Served = Record<string, unknown>;

/** Whether a field is asked for, or all of a section: `metadata`, `metrics.7d`. */
export function isWanted(path: string, options: ProfileOptions | undefined): boolean {
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

/** A profile of a row: the paths of the fields, unfolded, and until when it holds where that is before `asOf`. */
export function toProfile(
  shape: ProfileShape,
  rows: Batch,
  row: number,
  options: ProfileOptions | undefined,
  asOf: number,
): Profile {
  const profile: Served = {};
  for (const node of shape.tree) {
    if (node.key === 'metrics') {
      const windows = node.of!.filter(({ path }) => isWanted(path, options));
      if (windows.length === 0) continue;
      profile.metrics = Object.fromEntries(windows.map((window) => [window.key, served(window, rows, row)]));
    } else if (isWanted(node.path, options)) {
      profile[node.key] = served(node, rows, row);
      if (node.path === 'labels')
        profile.matched_labels = JSON.parse((rows.columns.matched_labels as (string | null)[])[row] ?? '{}');
    }
  }
  const until = (rows.columns.fresh_until as Float64Array)[row]!;
  if (until < asOf) profile.as_of = formatTime(until);
  return profile;
}

function served(node: ProfileNode, rows: Batch, row: number): unknown {
  if (node.of === undefined) return servedValue(node.type, rows.columns[node.path]![row]!);
  // A copy of an object that has its keys is faster than one that gets them one by one, and goes into JSON faster.
  const section: Served = { ...node.blank };
  for (const part of node.of) {
    const value = served(part, rows, row);
    if (value !== null) section[part.key] = value;
  }
  return section;
}

function servedValue(type: string | undefined, value: string | number | null): unknown {
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
