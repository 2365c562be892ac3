import { type KeptColumn, KeptNumbers, KeptTexts, type KeptWords } from '../profiles/kept-column.ts';
import type { KeptRows } from '../profiles/kept-rows.ts';
import type { Work } from '../work.ts';
import type { SortTuple } from './keyset.ts';
import type { SortColumn } from './sort.ts';
import { compareTexts, concatRows, type Side, splitRows } from './split-rows.ts';

/** Rows put in order first, to learn which of the others cannot be among the first ones. */
const SAMPLE = 1024;

/** Rows put in order before others may have their turn. */
const PIECE = 512;

/** An order of rows: negative where the row `a` comes first. */
type Compare = (a: number, b: number) => number;

/**
 * The first `most` of the kept `rows` in the order of `sort`, of those that come after the tuple `after`; `sort` ends in the address.
 *
 * Rows are not sorted but left out: those not after `after`, then those that come after the last of the first ones in a sample.
 */
export function* firstRows(
  kept: KeptRows,
  rows: Int32Array,
  sort: readonly SortColumn[],
  after: SortTuple | undefined,
  most: number,
): Work<number[]> {
  const orders = sort.map(({ column, direction }) => compareBy(kept.column(column), direction));
  const compare: Compare = (a, b) => {
    for (let i = 0; i < orders.length; i++) {
      const order = orders[i]!(a, b);
      if (order !== 0) return order;
    }
    return 0;
  };
  const later = after === undefined ? rows : yield* rowsBeyond(kept, rows, sort, after, 'after');
  if (later.length < 8 * SAMPLE) return yield* insertAll(later, compare, most);
  const last = yield* lastOfSample(later, compare, most);
  const before = yield* rowsBeyond(kept, later, sort, tupleOf(kept, sort, last), 'before');
  return yield* insertAll(concatRows([before, Int32Array.of(last)]), compare, most);
}

/** The sort values of a row. */
export function tupleOf(kept: KeptRows, sort: readonly SortColumn[], row: number): SortTuple {
  return sort.map(({ column }) => {
    const value = kept.column(column).take([row])[0]!;
    return typeof value === 'number' && Number.isNaN(value) ? null : value;
  });
}

/** The rows on one side of a tuple of sort values. */
function* rowsBeyond(
  kept: KeptRows,
  rows: Int32Array,
  sort: readonly SortColumn[],
  tuple: SortTuple,
  side: Side,
): Work<Int32Array> {
  const found: Int32Array[] = [];
  let left = rows;
  for (const [i, { column, direction }] of sort.entries()) {
    const { beyond, equal } = yield* splitRows(kept.column(column), direction, left, tuple[i]!, side);
    found.push(beyond);
    left = equal;
  }
  return concatRows(found);
}

/** The last of the first `most` rows of some that lie evenly among all. */
function* lastOfSample(rows: Int32Array, compare: Compare, most: number): Work<number> {
  const step = Math.floor(rows.length / SAMPLE);
  const sample = Int32Array.from({ length: SAMPLE }, (_, i) => rows[i * step]!);
  return (yield* insertAll(sample, compare, most)).at(-1)!;
}

/** The first `most` rows, in order. */
function* insertAll(rows: Int32Array, compare: Compare, most: number): Work<number[]> {
  const found: number[] = [];
  for (let i = 0; i < rows.length; i++) {
    if (i % PIECE === 0) yield;
    const row = rows[i]!;
    if (found.length === most && compare(row, found[most - 1]!) > 0) continue;
    found.splice(placeOf(found, row, compare), 0, row);
    if (found.length > most) found.pop();
  }
  return found;
}

/** Where a row goes among rows in order. */
function placeOf(found: readonly number[], row: number, compare: Compare): number {
  let from = 0;
  let to = found.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (compare(found[middle]!, row) < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}

function compareBy(column: KeptColumn, direction: 'asc' | 'desc'): Compare {
  const sign = direction === 'asc' ? 1 : -1;
  if (column instanceof KeptNumbers) {
    const { values } = column;
    return (a, b) => compareNumbers(values[a]!, values[b]!, sign);
  }
  if (column instanceof KeptTexts) {
    const { values } = column;
    return (a, b) => compareTexts(values[a]!, values[b]!, sign);
  }
  const { codes, texts } = column as KeptWords;
  return (a, b) => compareTexts(texts[codes[a]!]!, texts[codes[b]!]!, sign);
}

/** NaN is missing: it comes last in both directions. */
function compareNumbers(a: number, b: number, sign: number): number {
  if (a < b) return -sign;
  if (a > b) return sign;
  return +Number.isNaN(a) - +Number.isNaN(b);
}
