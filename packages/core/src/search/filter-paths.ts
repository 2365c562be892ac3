import { knownPaths, resolvePath } from '../filter/target.ts';
import type { Metric } from '../metrics/metric.ts';
import { profileFields } from '../profiles/catalogue.ts';
import type { FieldType, ProfileKind } from '../profiles/fields.ts';

/** Every path that filters and sorts of a kind take, aliases included, with the type of what it stands for. */
export function filterPaths(kind: ProfileKind, metrics: readonly Metric[]): ReadonlyMap<string, FieldType> {
  const fields = new Map(profileFields(kind, metrics).map((field) => [field.path, field]));
  const paths = knownPaths(fields);
  const aliases = paths.map((path) => path.replace(/\.pnl$/, '.cumulative_pnl')).filter((path) => !fields.has(path));
  return new Map([...new Set([...paths, ...aliases])].map((path) => [path, resolvePath(path, fields)!.type]));
}
