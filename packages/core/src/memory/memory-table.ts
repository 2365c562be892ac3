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
import type { Work } from '../work.ts';
import { type Constraints, constraintsOf, findCandidates, pathColumns, seek } from './access-path.ts';
import { liveRows, newSegment, permutationBy, rowOrder, type Segment, withoutRows } from './segment.ts';
import { sortRows } from './sort-rows.ts';

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

export function* removeRows({ table, segments }: MemoryTable, where: Predicate): Work<MemoryTable> {
  const search = newSearch({ where });
  const kept: Segment[] = [];
  for (const segment of segments) {
    const rows = yield* rowsThatHold(table, segment, search);
    if (rows.length === segment.live) continue;
    kept.push(rows.length === 0 ? segment : withoutRows(segment, rows));
  }
  return { table, segments: kept };
}

export function* countRows({ table, segments }: MemoryTable, where: Predicate | undefined): Work<number> {
  const search = newSearch({ where });
  let count = 0;
  for (const segment of segments) count += where ? (yield* rowsThatHold(table, segment, search)).length : segment.live;
  return count;
}

export function* maxOf(
  { table, segments }: MemoryTable,
  column: string,
  where: Predicate | undefined,
): Work<number | null> {
  const search = newSearch({ where });
  let max: number | null = null;
  for (const segment of segments) {
    const values = columnOf(segment, table, column) as Float64Array;
    for (const row of yield* rowsThatHold(table, segment, search)) {
      const value = values[row]!;
      if (max === null ? !Number.isNaN(value) : value > max) max = value;
    }
  }
  return max;
}

export function* scanRows<T extends Table, C extends ColumnName<T>>(
  stored: MemoryTable,
  scan: Scan<T, C>,
): Work<Batch<T, C>> {
  const { columns, order = [], limit } = scan;
  const search = newSearch(scan);
  const read = [...new Set<string>([...columns, ...order.map(({ column }) => column)])];
  const found: Batch[] = [];
  for (const segment of stored.segments) {
    const rows = yield* rowsThatHold(stored.table, segment, search);
    found.push(yield* rowsOf(segment, stored.table, read, rows));
  }
  const batch = yield* sorted(concatBatches(stored.table, read, found), order, limit);
  return pick(batch, columns) as unknown as Batch<T, C>;
}

export function* latestRows<T extends Table, C extends ColumnName<T>>(
  stored: MemoryTable,
  query: Latest<T, C>,
): Work<Batch<T, C>> {
  const { table } = stored;
  const path = pathColumns(table, [query.key, query.by]);
  const read = [...new Set<string>([...query.columns, ...path])];
  const found: Batch[] = [];
  for (const segment of stored.segments) {
    const rows = yield* latestInSegment(segment, path, query as unknown as Latest);
    found.push(yield* rowsOf(segment, table, read, rows));
  }
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

function* latestInSegment(segment: Segment, path: readonly string[], query: Latest): Work<number[]> {
  const rows = yield* permutationBy(segment, path);
  const keys = segment.columns[query.key]!;
  const by = segment.columns[query.by] as Float64Array;
  const holds = liveTest(segment, query.where);
  const until = query.until ?? Number.POSITIVE_INFINITY;
  const found: number[] = [];
  let looked = 0;
  for (const key of new Set(query.keys)) {
    if (looked++ % KEYS === 0) yield;
    const start = seek(keys, rows, [0, rows.length], key, false);
    const end = seek(keys, rows, [start, rows.length], key, true);
    let at = seek(by, rows, [start, end], until, true) - 1;
    while (at >= start && !holds(rows[at]!)) at--;
    if (at >= start) found.push(rows[at]!);
  }
  return found;
}

/** Rows that are tested, and keys looked for, before others may have their turn. */
const ROWS = 2048;
const KEYS = 256;

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
function* rowsThatHold(table: Table, segment: Segment, { where, constraints, order, limit }: Search): Work<number[]> {
  const holds = liveTest(segment, where);
  const { rows, spans, isOrdered, isBackwards } = yield* findCandidates(table, segment, constraints, order);
  const enough = isOrdered ? limit : Number.POSITIVE_INFINITY;
  const found: number[] = [];
  for (let s = 0; s < spans.length && found.length < enough; s++) {
    const [from, to] = spans[isBackwards ? spans.length - 1 - s : s]!;
    for (let i = 0; i < to - from && found.length < enough; i++) {
      if (i % ROWS === 0) yield;
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

function* rowsOf(segment: Segment, table: Table, columns: readonly string[], rows: readonly number[]): Work<Batch> {
  const picked: Record<string, ColumnData> = {};
  for (const name of columns) picked[name] = columnOf(segment, table, name);
  return yield* takeInTurns({ length: segment.length, columns: picked }, rows);
}

/** As `takeRows`, one column after another. */
function* takeInTurns(batch: Batch, rows: readonly number[] | Int32Array): Work<Batch> {
  const columns: Record<string, ColumnData> = {};
  for (const name of Object.keys(batch.columns)) {
    columns[name] = takeRows({ length: batch.length, columns: { [name]: batch.columns[name]! } }, rows).columns[name]!;
    yield;
  }
  return { length: rows.length, columns };
}

function columnOf(segment: Segment, table: Table, name: string): ColumnData {
  const column = segment.columns[name];
  if (column === undefined) throw new Error(`Table "${table.name}" has no column "${name}".`);
  return column;
}

function* sorted(batch: Batch, order: readonly Order[], limit: number | undefined): Work<Batch> {
  const count = Math.min(batch.length, limit ?? batch.length);
  const rows = Int32Array.from({ length: batch.length }, (_, row) => row);
  const compareRows = rowOrder(order.map(({ column, direction }) => ({ values: batch.columns[column]!, direction })));
  const inOrder = yield* sortRows(rows, compareRows);
  if (inOrder === rows && count === batch.length) return batch;
  return yield* takeInTurns(batch, inOrder.subarray(0, count));
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
