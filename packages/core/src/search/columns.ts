import { resolvePath } from '../filter/reading.ts';
import type { Metric } from '../metrics/metric.ts';
import { profileFields } from '../profiles/catalogue.ts';
import type { FieldType, ProfileKind } from '../profiles/fields.ts';
import type { Predicate } from '../storage/predicate.ts';

export function predicateColumns(predicate: Predicate): ReadonlySet<string> {
  const columns = new Set<string>();
  const left: Predicate[] = [predicate];
  for (let part = left.pop(); part !== undefined; part = left.pop()) {
    if (part.kind === 'and' || part.kind === 'or') left.push(...part.of);
    else if (part.kind === 'not') left.push(part.of);
    else columns.add(part.column);
  }
  return columns;
}

/** Every path that filters and sorts of a kind take, aliases included, with the type of what it stands for. */
export function filterPaths(kind: ProfileKind, metrics: readonly Metric[]): ReadonlyMap<string, FieldType> {
  const fields = new Map(profileFields(kind, metrics).map((field) => [field.path, field]));
  const paths = [...fields.keys()];
  const aliases = paths.map((path) => path.replace(/\.pnl$/, '.cumulative_pnl')).filter((path) => !fields.has(path));
  return new Map([...new Set([...paths, ...aliases])].map((path) => [path, resolvePath(path, fields)!.type]));
}
