import type { Predicate } from '../storage/predicate.ts';

/** The columns that a predicate reads. */
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
