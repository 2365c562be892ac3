import { movedPrice } from '../ledger/native-mark.ts';
import { numbers } from '../records/arithmetic.ts';
import type { Batch, ColumnData } from '../records/columns.ts';
import { and, compare, isIn, not, or, type Predicate } from '../storage/predicate.ts';

/**
 * The columns of token profiles that move with the native price, and those of the same in native tokens, which are missing unless the native
 * token valued the mark. Only the second kind is multiplied: what is stored holds whatever the native token is worth.
 */
export const nativeColumns: Readonly<Record<string, string>> = {
  'market.price': 'native_price',
  'market.fdv': 'native_fdv',
  'market.market_cap': 'native_market_cap',
};

/** Holds for the profiles that move. */
export const isMoving: Predicate = not({ kind: 'missing', column: 'native_price' });

/** Columns, with those that they take to move. */
export function withNative(columns: readonly string[]): string[] {
  return [...new Set(columns.flatMap((column) => [column, nativeColumns[column] ?? column]))];
}

/** Rows with what moves as it is while the native token is worth `nativeUsd`. */
export function movedRows(rows: Batch, nativeUsd: number): Batch {
  const columns: Record<string, ColumnData> = { ...rows.columns };
  for (const [name, native] of Object.entries(nativeColumns))
    if (name in columns)
      columns[name] = movedColumn(columns[name] as Float64Array, columns[native] as Float64Array, nativeUsd);
  return { length: rows.length, columns };
}

export function movedColumn(stored: Float64Array, native: Float64Array, nativeUsd: number): Float64Array {
  return stored.map((price, row) => movedPrice(numbers, price, native[row]!, nativeUsd));
}

/** A condition on moved rows as one on stored rows, exact to the bit. */
export function movedPredicate(where: Predicate, nativeUsd: number): Predicate {
  if (Number.isNaN(nativeUsd)) return where;
  switch (where.kind) {
    case 'and':
    case 'or':
      return { kind: where.kind, of: where.of.map((part) => movedPredicate(part, nativeUsd)) };
    case 'not':
      return not(movedPredicate(where.of, nativeUsd));
    case 'compare':
    case 'in': {
      const column = nativeColumns[where.column];
      if (column === undefined) return where;
      return or(and({ kind: 'missing', column }, where), nativeCondition(column, where, nativeUsd));
    }
    default:
      return where;
  }
}

function nativeCondition(
  column: string,
  where: Extract<Predicate, { readonly kind: 'compare' | 'in' }>,
  nativeUsd: number,
): Predicate {
  if (where.kind === 'in') return equalsOne(column, where.values as ArrayLike<number>, nativeUsd);
  const value = where.value as number;
  switch (where.op) {
    case 'eq':
      return equalsOne(column, [value], nativeUsd);
    case 'gt':
      return compare(column, 'gte', leastAbove(value, nativeUsd));
    case 'gte':
      return compare(column, 'gte', leastFrom(value, nativeUsd));
    case 'lt':
      return compare(column, 'lt', leastFrom(value, nativeUsd));
    case 'lte':
      return compare(column, 'lt', leastAbove(value, nativeUsd));
  }
}

/** Numbers that a product has at most, in the range of prices: below it many numbers have one product. */
const MOST_EQUAL = 8;

function equalsOne(column: string, values: ArrayLike<number>, nativeUsd: number): Predicate {
  const equal: number[] = [];
  const ranges: Predicate[] = [];
  for (const value of Array.from(values)) {
    const [from, to] = [leastFrom(value, nativeUsd), leastAbove(value, nativeUsd)];
    const own: number[] = [];
    for (let one = from; one < to && own.length <= MOST_EQUAL; one = nextNumber(one)) own.push(one);
    if (own.length <= MOST_EQUAL) equal.push(...own);
    else ranges.push(and(compare(column, 'gte', from), compare(column, 'lt', to)));
  }
  return or(isIn(column, equal), ...ranges);
}

/** The least number from 0 on whose product with `factor` is at least `value`. */
export function leastFrom(value: number, factor: number): number {
  return least((one) => one * factor >= value);
}

/** The least number from 0 on whose product with `factor` is greater than `value`. */
export function leastAbove(value: number, factor: number): number {
  return least((one) => one * factor > value);
}

/** The numbers from 0 on are in the order of their bits. */
function least(holds: (one: number) => boolean): number {
  let [from, to] = [0n, bitsOf(Number.POSITIVE_INFINITY)];
  while (from < to) {
    const middle = (from + to) / 2n;
    if (holds(numberOf(middle))) to = middle;
    else from = middle + 1n;
  }
  return numberOf(from);
}

/** The number that follows one. */
export function nextNumber(one: number): number {
  if (one < 0) return -previousNumber(-one);
  return numberOf(bitsOf(one) + 1n);
}

/** The number before one. */
export function previousNumber(one: number): number {
  if (one <= 0) return -nextNumber(-one);
  return numberOf(bitsOf(one) - 1n);
}

function bitsOf(one: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, one + 0);
  return view.getBigUint64(0);
}

function numberOf(bits: bigint): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, bits);
  return view.getFloat64(0);
}

/** Holds for stored rows of which a condition on moved rows says something else once the native price has gone from one value to another. */
export function turnsWith(where: Predicate, from: number, to: number): Predicate {
  return or(
    ...leavesOf(where).map((leaf) => {
      const [before, after] = [movedPredicate(leaf, from), movedPredicate(leaf, to)];
      return or(and(before, not(after)), and(not(before), after));
    }),
  );
}

/** The parts of a condition that read what moves. */
function leavesOf(where: Predicate): readonly Predicate[] {
  if (where.kind === 'and' || where.kind === 'or') return where.of.flatMap(leavesOf);
  if (where.kind === 'not') return leavesOf(where.of);
  return where.kind !== 'missing' && where.column in nativeColumns ? [where] : [];
}
