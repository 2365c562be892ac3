import type { Order } from '../storage/adapter.ts';
import type { Work } from '../work.ts';
import { valueAt } from './column.ts';
import { type Place, placeOrder, type SegmentRows } from './places.ts';
import { columnOf, type Segment } from './segment.ts';
import { concatRows, type Side, splitRows } from './split-rows.ts';

/** Values of the columns of an order in one row; `null` where missing. */
export type OrderTuple = readonly (number | string | null)[];

/** Rows put in order first, to learn which of the others cannot be among the first ones. */
const SAMPLE = 512;

/** Rows put in order before others may have their turn. */
const PIECE = 512;

/**
 * The first `most` of the rows found in `order`, of those that come after the tuple `after`.
 *
 * Rows are not sorted but left out: those not after `after`, then those that come after the last of the first ones so far, or in a sample.
 */
export function* firstRows(
  found: readonly SegmentRows[],
  order: readonly Order[],
  after: OrderTuple | undefined,
  most: number,
): Work<Place[]> {
  const compare = placeOrder(order);
  const first: Place[] = [];
  for (const { segment, rows } of found) {
    let left = after === undefined ? rows : (yield* splitBy(segment, rows, order, after, 'after')).beyond;
    const bound = first.length === most ? first.at(-1) : yield* lastOfSample(segment, left, compare, most);
    if (bound !== undefined) {
      const { beyond, equal } = yield* splitBy(segment, left, order, tupleOf(bound, order), 'before');
      left = first.length === most ? beyond : concatRows([beyond, equal]);
    }
    for (let i = 0; i < left.length; i++) {
      if (i % PIECE === 0) yield;
      insert(first, { segment, row: left[i]! }, compare, most);
    }
  }
  return first;
}

export function tupleOf({ segment, row }: Place, order: readonly Order[]): OrderTuple {
  return order.map(({ column }) => {
    const value = valueAt(columnOf(segment, column), row);
    return typeof value === 'number' && Number.isNaN(value) ? null : value;
  });
}

/** The rows on one side of a tuple, and those with its values. */
function* splitBy(
  segment: Segment,
  rows: Int32Array,
  order: readonly Order[],
  tuple: OrderTuple,
  side: Side,
): Work<{ readonly beyond: Int32Array; readonly equal: Int32Array }> {
  const found: Int32Array[] = [];
  let left = rows;
  for (const [i, { column, direction }] of order.entries()) {
    const { beyond, equal } = yield* splitRows(columnOf(segment, column), direction, left, tuple[i]!, side);
    found.push(beyond);
    left = equal;
  }
  return { beyond: concatRows(found), equal: left };
}

/** The last of the first `most` of some rows that lie evenly among many; `undefined` if there are few. */
function* lastOfSample(
  segment: Segment,
  rows: Int32Array,
  compare: (a: Place, b: Place) => number,
  most: number,
): Work<Place | undefined> {
  if (rows.length < 4 * SAMPLE || most > SAMPLE) return undefined;
  const step = Math.floor(rows.length / SAMPLE);
  const first: Place[] = [];
  for (let i = 0; i < SAMPLE; i++) insert(first, { segment, row: rows[i * step]! }, compare, most);
  yield;
  return first.at(-1);
}

/** Puts a row in its place among the first ones, if it has one. */
function insert(first: Place[], place: Place, compare: (a: Place, b: Place) => number, most: number): void {
  if (first.length === most && (most === 0 || compare(place, first[most - 1]!) > 0)) return;
  let from = 0;
  let to = first.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (compare(first[middle]!, place) <= 0) from = middle + 1;
    else to = middle;
  }
  first.splice(from, 0, place);
  if (first.length > most) first.pop();
}
