import type { OrderTuple } from '../memory/first-rows.ts';
import type { Order } from '../storage/adapter.ts';
import { and, compare, or, type Predicate } from '../storage/predicate.ts';

/** The rows that come after `tuple` in the order of `sort`, which ends in a unique column; missing values are last. */
export function afterTuple(sort: readonly Order[], tuple: OrderTuple): Predicate {
  const alternatives = sort.flatMap((key, i) => {
    const later = afterValue(key, tuple[i]!);
    return later === undefined
      ? []
      : [and(...sort.slice(0, i).map((before, j) => sameValue(before, tuple[j]!)), later)];
  });
  return or(...alternatives);
}

function afterValue({ column, direction }: Order, value: number | string | null): Predicate | undefined {
  if (value === null) return undefined;
  return or(compare(column, direction === 'asc' ? 'gt' : 'lt', value), { kind: 'missing', column });
}

function sameValue({ column }: Order, value: number | string | null): Predicate {
  return value === null ? { kind: 'missing', column } : compare(column, 'eq', value);
}
