import { type Batch, type ColumnData, newColumn, type Table, takeValues } from '../records/columns.ts';
import { addTo } from '../records/key-index.ts';
import type { Order } from '../storage/adapter.ts';
import type { Work } from '../work.ts';
import { compareValues, copyTo, rowOrder, rowOrderBy, sortRows, TextColumn, takeFrom, valueAt } from './column.ts';
import { columnOf, concatColumns, type Segment } from './segment.ts';

export interface SegmentRows {
  readonly segment: Segment;
  readonly rows: Int32Array;
}

export interface Place {
  readonly segment: Segment;
  readonly row: number;
}

export function placesOf(found: readonly SegmentRows[]): Place[] {
  return found.flatMap(({ segment, rows }) => Array.from(rows, (row) => ({ segment, row })));
}

/** The columns of rows of several segments as a batch, one segment after the other. */
export function* takeSegments(table: Table, found: readonly SegmentRows[], names: readonly string[]): Work<Batch> {
  const parts = found.filter(({ rows }) => rows.length > 0);
  const columns: Record<string, ColumnData> = {};
  for (const name of names) {
    const values = parts.map(({ segment, rows }) => takeFrom(columnOf(segment, name), rows));
    columns[name] = values.length === 0 ? newColumn(table.columns[name]!, 0) : concatColumns(values);
    yield;
  }
  return { length: parts.reduce((sum, { rows }) => sum + rows.length, 0), columns };
}

/** The columns of a few rows as a batch, in their order. */
export function takePlaces(table: Table, places: readonly Place[], names: readonly string[]): Batch {
  const targets = new Map<Segment, number[]>();
  for (const [target, { segment }] of places.entries()) addTo(targets, segment, target);
  const parts = Array.from(targets, ([segment, at]) => ({ segment, at, rows: at.map((to) => places[to]!.row) }));
  const columns: Record<string, ColumnData> = {};
  // One memory for all numbers: that of each column alone takes longer to get than to fill.
  const size = places.length * Float64Array.BYTES_PER_ELEMENT;
  const memory = new ArrayBuffer(names.length * size);
  for (const [i, name] of names.entries()) {
    const Numbers = table.columns[name] === 'id' ? Int32Array : Float64Array;
    const isText = table.columns[name] === 'text';
    const column = isText ? newColumn('text', places.length) : new Numbers(memory, i * size, places.length);
    for (const { segment, at, rows } of parts) copyTo(column, at, columnOf(segment, name), rows);
    columns[name] = column;
  }
  return { length: places.length, columns };
}

/** The first `limit` rows of the batch in an order, equal ones as they stand. */
export function* inOrder(batch: Batch, order: readonly Order[], limit: number): Work<Batch> {
  const columns = batch.columns as Readonly<Record<string, ColumnData>>;
  const rows = Int32Array.from({ length: batch.length }, (_, row) => row);
  const orders = order.map(({ column, direction }) => {
    const values = columns[column]!;
    // Not a stored column: the rows may be more than its codes can number.
    return rowOrder(Array.isArray(values) ? new TextColumn(values) : values, direction);
  });
  const sorted = order.length === 0 ? rows : yield* sortRows(rows, rowOrderBy(orders));
  if (sorted === rows && limit >= batch.length) return batch;
  const wanted = sorted.subarray(0, Math.min(limit, batch.length));
  const copied: Record<string, ColumnData> = {};
  for (const [name, values] of Object.entries(columns)) {
    copied[name] = takeValues(values, wanted);
    yield;
  }
  return { length: wanted.length, columns: copied };
}

/** The order of rows of any segment: negative where the first comes first. */
export function placeOrder(order: readonly Order[]): (a: Place, b: Place) => number {
  return (a, b) => {
    for (const { column, direction } of order) {
      const result = compareValues(
        valueAt(columnOf(a.segment, column), a.row),
        valueAt(columnOf(b.segment, column), b.row),
        direction,
      );
      if (result !== 0) return result;
    }
    return 0;
  };
}
