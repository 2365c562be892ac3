import type { Order } from '../storage/adapter.ts';
import type { Work } from '../work.ts';
import { DictionaryColumn, PooledColumn, placeTo, TextColumn, valueAt } from './column.ts';
import { type Place, placeOrder, type SegmentRows } from './places.ts';
import { columnOf, type Segment } from './segment.ts';

/** Values of the columns of an order in one row; `null` where missing. */
export type OrderTuple = readonly (number | string | null)[];

const PIECE = 1024;

/** The first `most` of the rows found in `order`, of those that come after the tuple `after`. */
export function* firstRows(
  found: readonly SegmentRows[],
  order: readonly Order[],
  after: OrderTuple | undefined,
  most: number,
): Work<Place[]> {
  const compare = placeOrder(order);
  const first: Place[] = [];
  if (most === 0) return first;
  for (const { segment, rows } of found) {
    const toAfter = after && standingTo(segment, order, after);
    for (let from = 0; from < rows.length; from += PIECE) {
      const bound = first.length < most ? undefined : tupleOf(first.at(-1)!, order);
      const toBound = bound && standingTo(segment, order, bound);
      for (const row of between(segment, rows.subarray(from, from + PIECE), order[0], [after, bound]))
        if (!(toAfter && toAfter(row) <= 0) && !(toBound && toBound(row) > 0))
          insert(first, { segment, row }, compare, most);
      yield;
    }
  }
  return first;
}

/** The rows that the numbers of the first column do not put before one tuple or after the other: the loop over all rows. */
function between(
  segment: Segment,
  rows: Int32Array,
  order: Order | undefined,
  [after, bound]: readonly (OrderTuple | undefined)[],
): Int32Array {
  const values = order && columnOf(segment, order.column);
  const sign = order?.direction === 'desc' ? -1 : 1;
  const [least, greatest] = [
    ((after?.[0] ?? Number.NaN) as number) * sign,
    ((bound?.[0] ?? Number.NaN) as number) * sign,
  ];
  if (values === undefined || values instanceof TextColumn || values instanceof DictionaryColumn) return rows;
  const numbers = values instanceof PooledColumn ? values.values : values;
  const places = values instanceof PooledColumn ? values.places : undefined;
  const left = new Int32Array(rows.length);
  let length = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    const key = sign * numbers[places === undefined ? row : places[row]!]!;
    left[length] = rows[i]!;
    length += +!(key < least || key > greatest);
  }
  return left.subarray(0, length);
}

export function tupleOf({ segment, row }: Place, order: readonly Order[]): OrderTuple {
  return order.map(({ column }) => {
    const value = valueAt(columnOf(segment, column), row);
    return typeof value === 'number' && Number.isNaN(value) ? null : value;
  });
}

/** How a row of a segment stands to a tuple: negative where it comes first. */
function standingTo(segment: Segment, order: readonly Order[], tuple: OrderTuple): (row: number) => number {
  const [first, ...others] = order.map(({ column, direction }, i) =>
    placeTo(columnOf(segment, column), direction, tuple[i]!),
  );
  return (row) => {
    let result = first?.(row) ?? 0;
    for (let i = 0; result === 0 && i < others.length; i++) result = others[i]!(row);
    return result;
  };
}

function insert(first: Place[], place: Place, compare: (a: Place, b: Place) => number, most: number): void {
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
