import {
  type Batch,
  type ColumnData,
  type ColumnName,
  concatBatches,
  type Table,
  takeRows,
} from '../records/columns.ts';
import type { Latest, Order, Scan } from '../storage/adapter.ts';
import { checkBatch } from '../storage/check-batch.ts';
import { compilePredicate, type RowTest } from '../storage/evaluate.ts';
import { and, type Predicate } from '../storage/predicate.ts';
import { type Constraints, constraintsOf, findCandidates, pathColumns, seek } from './access-path.ts';
import { isSorted, liveRows, newSegment, permutationBy, rowOrder, type Segment, withoutRows } from './segment.ts';

/** One version of a table: immutable, so that a snapshot is a reference. Segments grow geometrically from the last to the first. */
export interface MemoryTable {
  readonly table: Table;
  readonly segments: readonly Segment[];
}

export function emptyTable(table: Table): MemoryTable {
  return { table, segments: [] };
}

export function appendRows({ table, segments }: MemoryTable, batch: Batch): MemoryTable {
  checkBatch(table, batch);
  if (batch.length === 0) return { table, segments };
  const kept = [...segments];
  const pieces = [copyOf(table, batch)];
  let length = batch.length;
  while (kept.length > 0 && kept.at(-1)!.live < length * 2) {
    const piece = liveRows(kept.pop()!);
    pieces.unshift(piece);
    length += piece.length;
  }
  return { table, segments: [...kept, newSegment(concatBatches(table, Object.keys(table.columns), pieces))] };
}

export function removeRows({ table, segments }: MemoryTable, where: Predicate): MemoryTable {
  const search = newSearch({ where });
  const kept: Segment[] = [];
  for (const segment of segments) {
    const rows = rowsThatHold(table, segment, search);
    if (rows.length === segment.live) continue;
    kept.push(rows.length === 0 ? segment : withoutRows(segment, rows));
  }
  return { table, segments: kept };
}

export function countRows({ table, segments }: MemoryTable, where: Predicate | undefined): number {
  const search = newSearch({ where });
  let count = 0;
  for (const segment of segments) count += where ? rowsThatHold(table, segment, search).length : segment.live;
  return count;
}

export function maxOf({ table, segments }: MemoryTable, column: string, where: Predicate | undefined): number | null {
  const search = newSearch({ where });
  let max: number | null = null;
  for (const segment of segments) {
    const values = columnOf(segment, table, column) as Float64Array;
    for (const row of rowsThatHold(table, segment, search)) {
      const value = values[row]!;
      if (max === null ? !Number.isNaN(value) : value > max) max = value;
    }
  }
  return max;
}

export function scanRows<T extends Table, C extends ColumnName<T>>(stored: MemoryTable, scan: Scan<T, C>): Batch<T, C> {
  const { columns, order = [], limit } = scan;
  const search = newSearch(scan);
  const read = [...new Set<string>([...columns, ...order.map(({ column }) => column)])];
  const found = stored.segments.map((segment) => {
    const rows = rowsThatHold(stored.table, segment, search);
    return rowsOf(segment, stored.table, read, rows);
  });
  const batch = sorted(concatBatches(stored.table, read, found), order, limit);
  return pick(batch, columns) as unknown as Batch<T, C>;
}

export function latestRows<T extends Table, C extends ColumnName<T>>(
  stored: MemoryTable,
  query: Latest<T, C>,
): Batch<T, C> {
  const { table } = stored;
  const path = pathColumns(table, [query.key, query.by]);
  const read = [...new Set<string>([...query.columns, ...path])];
  const found = stored.segments.map((segment) =>
    rowsOf(segment, table, read, latestInSegment(segment, path, query as unknown as Latest)),
  );
  const merged = concatBatches(table, read, found);
  if (found.length <= 1) return pick(merged, query.columns) as unknown as Batch<T, C>;
  const order = rowOrder(path.map((column) => ({ values: merged.columns[column]!, direction: 'asc' })));
  const keys = merged.columns[query.key] as Int32Array | Float64Array;
  const best = new Map<number, number>();
  for (let row = 0; row < merged.length; row++) {
    const rival = best.get(keys[row]!);
    if (rival === undefined || order(row, rival) > 0) best.set(keys[row]!, row);
  }
  return pick(takeRows(merged, [...best.values()]), query.columns) as unknown as Batch<T, C>;
}

function latestInSegment(segment: Segment, path: readonly string[], query: Latest): number[] {
  const rows = permutationBy(segment, path);
  const keys = segment.columns[query.key]!;
  const by = segment.columns[query.by] as Float64Array;
  const holds = liveTest(segment, query.where);
  const until = query.until ?? Number.POSITIVE_INFINITY;
  const found: number[] = [];
  for (const key of new Set(query.keys)) {
    const start = seek(keys, rows, [0, rows.length], key, false);
    const end = seek(keys, rows, [start, rows.length], key, true);
    let at = seek(by, rows, [start, end], until, true) - 1;
    while (at >= start && !holds(rows[at]!)) at--;
    if (at >= start) found.push(rows[at]!);
  }
  return found;
}

/** A question to the segments of a table, with what can be said of it once for all of them. */
interface Search {
  readonly where: Predicate | undefined;
  readonly constraints: Constraints;
  readonly order: readonly Order[];
  readonly limit: number;
}

function newSearch({ where, order = [], limit }: Pick<Scan, 'where' | 'order' | 'limit'>): Search {
  return { where, constraints: constraintsOf(where), order, limit: limit ?? Number.POSITIVE_INFINITY };
}

/** The live rows that hold, in the order asked for where a sorted list gives it; then `limit` of them suffice. */
function rowsThatHold(table: Table, segment: Segment, { where, constraints, order, limit }: Search): number[] {
  const holds = liveTest(segment, where);
  const { rows, spans, isOrdered, isBackwards } = findCandidates(table, segment, constraints, order);
  const enough = isOrdered ? limit : Number.POSITIVE_INFINITY;
  const found: number[] = [];
  for (let s = 0; s < spans.length && found.length < enough; s++) {
    const [from, to] = spans[isBackwards ? spans.length - 1 - s : s]!;
    for (let i = 0; i < to - from && found.length < enough; i++) {
      const at = isBackwards ? to - 1 - i : from + i;
      const row = rows ? rows[at]! : at;
      if (holds(row)) found.push(row);
    }
  }
  return found;
}

function liveTest(segment: Segment, where: Predicate | undefined): RowTest {
  const { gone } = segment;
  const holds = compilePredicate(where ?? and(), segment as { columns: Batch['columns'] });
  return gone ? (row) => gone[row] === 0 && holds(row) : holds;
}

function rowsOf(segment: Segment, table: Table, columns: readonly string[], rows: readonly number[]): Batch {
  const picked: Record<string, ColumnData> = {};
  for (const name of columns) picked[name] = columnOf(segment, table, name);
  return takeRows({ length: segment.length, columns: picked }, rows);
}

function columnOf(segment: Segment, table: Table, name: string): ColumnData {
  const column = segment.columns[name];
  if (column === undefined) throw new Error(`Table "${table.name}" has no column "${name}".`);
  return column;
}

function sorted(batch: Batch, order: readonly Order[], limit: number | undefined): Batch {
  const count = Math.min(batch.length, limit ?? batch.length);
  const rows = Array.from({ length: batch.length }, (_, row) => row);
  const compareRows = rowOrder(order.map(({ column, direction }) => ({ values: batch.columns[column]!, direction })));
  if (isSorted(rows, compareRows)) {
    if (count === batch.length) return batch;
  } else {
    rows.sort(compareRows);
  }
  return takeRows(batch, rows.slice(0, count));
}

function pick(batch: Batch, columns: readonly string[]): Batch {
  const picked: Record<string, ColumnData> = {};
  for (const name of columns) picked[name] = batch.columns[name]!;
  return { length: batch.length, columns: picked };
}

function copyOf(table: Table, batch: Batch): Batch {
  const columns: Record<string, ColumnData> = {};
  for (const name of Object.keys(table.columns)) columns[name] = batch.columns[name]!.slice();
  return { length: batch.length, columns };
}
