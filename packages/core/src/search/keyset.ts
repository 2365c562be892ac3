import { and, compare, or, type Predicate } from '../storage/predicate.ts';
import type { SortColumn } from './sort.ts';

/** Values of the sort columns in one row; `null` where missing. */
export type SortTuple = readonly (number | string | null)[];

/** The rows that come after `tuple` in the order of `sort`, which ends in a unique column; missing values are last. */
export function afterTuple(sort: readonly SortColumn[], tuple: SortTuple): Predicate {
  const alternatives = sort.flatMap((key, i) => {
    const later = afterValue(key, tuple[i]!);
    return later === undefined
      ? []
      : [and(...sort.slice(0, i).map((before, j) => sameValue(before, tuple[j]!)), later)];
  });
  return or(...alternatives);
}

function afterValue({ column, direction }: SortColumn, value: number | string | null): Predicate | undefined {
  if (value === null) return undefined;
  return or(compare(column, direction === 'asc' ? 'gt' : 'lt', value), { kind: 'missing', column });
}

function sameValue({ column }: SortColumn, value: number | string | null): Predicate {
  return value === null ? { kind: 'missing', column } : compare(column, 'eq', value);
}
