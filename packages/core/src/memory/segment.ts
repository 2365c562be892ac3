import { compareText } from '../records/chain-order.ts';
import { type Batch, type ColumnData, takeRows } from '../records/columns.ts';
import type { Work } from '../work.ts';
import { type RowOrder, sortRows } from './sort-rows.ts';

/** A run of rows that never changes: what versions of a table share. Removal marks rows in a copy of `gone`. */
export interface Segment {
  readonly columns: Readonly<Record<string, ColumnData>>;
  readonly length: number;
  /** 1 where the row was removed. */
  readonly gone: Uint8Array | undefined;
  readonly live: number;
  /** Rows sorted by a list of columns, built when first asked for; shared by all versions, since the rows are. */
  readonly permutations: Map<string, Int32Array>;
}

export function newSegment(batch: Batch): Segment {
  return { columns: batch.columns, length: batch.length, gone: undefined, live: batch.length, permutations: new Map() };
}

/** The segment without the rows given, which must be live. */
export function withoutRows(segment: Segment, rows: readonly number[]): Segment {
  const gone = segment.gone ? segment.gone.slice() : new Uint8Array(segment.length);
  for (const row of rows) gone[row] = 1;
  const live = segment.live - rows.length;
  return live * 2 < segment.length ? newSegment(liveRows({ ...segment, gone, live })) : { ...segment, gone, live };
}

/** The live rows, in the order they were appended. */
export function liveRows(segment: Segment): Batch {
  const batch: Batch = { length: segment.length, columns: segment.columns };
  if (!segment.gone) return batch;
  const rows = new Int32Array(segment.live);
  let at = 0;
  for (let row = 0; row < segment.length; row++) if (!segment.gone[row]) rows[at++] = row;
  return takeRows(batch, rows);
}

/** All rows, removed ones too, in ascending order of the columns, nulls last. */
export function* permutationBy(segment: Segment, columns: readonly string[]): Work<Int32Array> {
  const name = columns.join(' ');
  const known = segment.permutations.get(name);
  if (known) return known;
  const rows = new Int32Array(segment.length);
  for (let row = 0; row < rows.length; row++) rows[row] = row;
  const order = rowOrder(columns.map((column) => ({ values: segment.columns[column]!, direction: 'asc' })));
  const sorted = yield* sortRows(rows, order);
  segment.permutations.set(name, sorted);
  return sorted;
}

/** Orders rows by columns, nulls last in both directions. */
export function rowOrder(keys: readonly { values: ColumnData; direction: 'asc' | 'desc' }[]): RowOrder {
  const orders = keys.map(({ values, direction }) => columnOrder(values, direction === 'asc' ? 1 : -1));
  const [first, second] = orders;
  if (first === undefined) return () => 0;
  if (second === undefined) return first;
  if (orders.length === 2) return (a, b) => first(a, b) || second(a, b);
  return (a, b) => {
    for (const order of orders) {
      const result = order(a, b);
      if (result !== 0) return result;
    }
    return 0;
  };
}

function columnOrder(values: ColumnData, sign: 1 | -1): RowOrder {
  if (values instanceof Int32Array) return (a, b) => (values[a]! - values[b]!) * sign;
  if (values instanceof Float64Array) {
    return (a, b) => {
      const x = values[a]!;
      const y = values[b]!;
      if (x < y) return -sign;
      if (x > y) return sign;
      return x === y ? 0 : Number(Number.isNaN(x)) - Number(Number.isNaN(y));
    };
  }
  return (a, b) => {
    const x = values[a]!;
    const y = values[b]!;
    if (x === null || y === null) return Number(x === null) - Number(y === null);
    return compareText(x, y) * sign;
  };
}
