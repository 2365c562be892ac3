import type { Batch, ColumnData, ColumnName, Table } from '../records/columns.ts';
import { addTo } from '../records/key-index.ts';
import type { Latest, Order, Scan } from '../storage/adapter.ts';
import { and, type Predicate } from '../storage/predicate.ts';
import { checkBatch } from '../storage/reads.ts';
import { finish, type Work } from '../work.ts';
import { type Constraints, choosePath, constraintsOf, pathColumns, seek, spansOf } from './access-path.ts';
import { valueAt } from './column.ts';
import { firstRows, type OrderTuple } from './first-rows.ts';
import { inOrder, type Place, placeOrder, placesOf, type SegmentRows, takePlaces, takeSegments } from './places.ts';
import {
  columnOf,
  concatColumns,
  newSegment,
  permutationBy,
  SEGMENT_ROWS,
  type Segment,
  withoutRows,
} from './segment.ts';
import { Selection } from './select-rows.ts';

/**
 * One version of a table: immutable, so that a snapshot is a reference. What changes it gives another version, which shares all segments
 * of which no row was removed, and the columns of the others.
 */
export interface ColumnTable {
  readonly table: Table;
  readonly segments: readonly Segment[];
}

export function emptyTable(table: Table): ColumnTable {
  return { table, segments: [] };
}

/** The table with a copy of the rows at its end. The batch may have other columns beside those of the table. */
export function appendRows({ table, segments }: ColumnTable, batch: Batch): ColumnTable {
  checkBatch(table, batch);
  const names = Object.keys(table.columns);
  const added: Segment[] = [];
  for (let from = 0; from < batch.length; from += SEGMENT_ROWS) {
    const to = Math.min(batch.length, from + SEGMENT_ROWS);
    added.push(newSegment(sliceColumns(batch.columns, names, from, to), names, to - from));
  }
  return { table, segments: [...segments, ...added] };
}

function sliceColumns(columns: Batch['columns'], names: readonly string[], from: number, to: number) {
  return Object.fromEntries(names.map((name) => [name, (columns as Columns)[name]!.slice(from, to)]));
}

type Columns = Readonly<Record<string, ColumnData>>;

/** Makes what finds rows by the key and the indexes of the table, which is made at the first use otherwise. */
export function* indexRows({ table, segments }: ColumnTable): Work<void> {
  for (const index of [table.key, ...table.indexes])
    for (const segment of segments) yield* permutationBy(segment, pathColumns(table, index));
}

/** What finds a row by the key and one index, and the list of live rows. */
const INDEX_BYTES = 3 * Int32Array.BYTES_PER_ELEMENT;

/** About what tables take in memory, of which versions share columns. */
export function tableBytes(tables: readonly ColumnTable[]): number {
  const segments = tables.flatMap((table) => table.segments);
  const own = new Map(segments.map(({ columns, bytes, length }) => [columns, bytes + length * INDEX_BYTES]));
  return [...own.values()].reduce((sum, bytes) => sum + bytes, 0);
}

/** As `appendRows`, of a batch whose arrays are the table's from then on. */
export function adoptRows({ table, segments }: ColumnTable, batch: Batch): ColumnTable {
  if (batch.length === 0 || batch.length > SEGMENT_ROWS) return appendRows({ table, segments }, batch);
  return { table, segments: [...segments, newSegment(batch.columns, Object.keys(table.columns), batch.length)] };
}

export function* removeRows({ table, segments }: ColumnTable, where: Predicate): Work<ColumnTable> {
  const search = newSearch(table, segments, { where });
  const left: Segment[] = [];
  for (const segment of segments) {
    const rows = yield* rowsWhere(segment, search);
    if (rows.length === segment.live.length) continue;
    left.push(rows.length === 0 ? segment : withoutRows(segment, rows));
  }
  return { table, segments: left };
}

export function* countRows({ table, segments }: ColumnTable, where: Predicate = and()): Work<number> {
  return (yield* findRows({ table, segments }, { where })).count;
}

export function* maxOf(
  { table, segments }: ColumnTable,
  column: string,
  where: Predicate = and(),
): Work<number | null> {
  const search = newSearch(table, segments, { where });
  let max: number | null = null;
  for (const segment of segments) {
    const values = columnOf(segment, column);
    for (const row of yield* rowsWhere(segment, search)) {
      const value = valueAt(values, row) as number;
      if (max === null ? !Number.isNaN(value) : value > max) max = value;
    }
  }
  return max;
}

export function* scanRows<T extends Table, C extends ColumnName<T>>(
  { table, segments }: ColumnTable,
  scan: Scan<T, C>,
): Work<Batch<T, C>> {
  const { columns, order = [], limit = Number.POSITIVE_INFINITY } = scan;
  const { found, count } = yield* findRows({ table, segments }, { ...scan, limit });
  if (order.length > 0 && limit < count) {
    const first = yield* firstRows(found, order, undefined, limit);
    return takePlaces(table, first, columns) as unknown as Batch<T, C>;
  }
  if (order.length === 0 && count <= FEW) return takePlaces(table, placesOf(found), columns) as unknown as Batch<T, C>;
  const read = [...new Set<string>([...columns, ...order.map(({ column }) => column)])];
  const batch = yield* inOrder(yield* takeSegments(table, found, read), order, limit);
  return { length: batch.length, columns: pick(batch.columns, columns) } as unknown as Batch<T, C>;
}

/** Rows that are copied one by one. */
const FEW = 64;

/** Where the row of a key stands: `column` is one of an index, and its values are unique. */
export function placeOf({ table, segments }: ColumnTable, column: string, value: string): Place | undefined {
  const path = pathColumns(table, [column]);
  for (const segment of segments) {
    const sorted = finish(permutationBy(segment, path));
    const values = columnOf(segment, column);
    const row = sorted[seek(values, sorted, [0, sorted.length], value, false)];
    if (row === undefined || segment.gone?.[row] === 1 || valueAt(values, row) !== value) continue;
    return { segment, row };
  }
  return undefined;
}

export interface PageScan {
  readonly columns: readonly string[];
  readonly where: Predicate;
  /** Ends in a unique column. */
  readonly order: readonly Order[];
  /** Only rows that come after one with these values of the columns of `order`. */
  readonly after?: OrderTuple | undefined;
  readonly limit: number;
  /** Those of the columns that suffice where the rows are in memory. */
  readonly sufficient?: readonly string[];
}

/** Some rows in an order. */
export interface Page {
  readonly count: number;
  readonly rows: Batch;
  /** Of each row, if they are in memory. */
  readonly places?: readonly Place[];
  readonly hasMore: boolean;
}

/** Counts the rows for which `where` holds, and gives the first of them. */
export function* pageOf(
  { table, segments }: ColumnTable,
  { columns, sufficient = columns, where, order, after, limit }: PageScan,
): Work<Page> {
  const { found, count } = yield* findRows({ table, segments }, { where });
  const first = yield* firstRows(found, order, after, limit + 1);
  const places = first.slice(0, limit);
  return { count, rows: takePlaces(table, places, sufficient), places, hasMore: first.length > limit };
}

export function* latestRows<T extends Table, C extends ColumnName<T>>(
  { table, segments }: ColumnTable,
  query: Latest<T, C>,
): Work<Batch<T, C>> {
  const path = pathColumns(table, [query.key, query.by]);
  const compare = placeOrder(path.map((column) => ({ column, direction: 'asc' })));
  const { most = 1 } = query;
  const best = new Map<number, Place[]>();
  for (const segment of segments) {
    const keys = columnOf(segment, query.key) as Int32Array;
    for (const row of yield* latestInSegment(segment, path, query as unknown as Latest))
      addTo(best, keys[row]!, { segment, row });
  }
  const keys = most === 1 ? [...best.keys()] : [...best.keys()].sort((a, b) => a - b);
  const places = keys.flatMap((key) => best.get(key)!.sort(compare).slice(-most));
  return takePlaces(table, places, query.columns) as unknown as Batch<T, C>;
}

function* latestInSegment(segment: Segment, path: readonly string[], query: Latest): Work<number[]> {
  const rows = yield* permutationBy(segment, path);
  const keys = columnOf(segment, query.key);
  const by = columnOf(segment, query.by) as Float64Array;
  const selection = new Selection(query.where ?? and());
  const until = query.until ?? Number.POSITIVE_INFINITY;
  const { most = 1 } = query;
  const found: number[] = [];
  let looked = 0;
  for (const key of new Set(query.keys)) {
    if (looked++ % KEYS === 0) yield;
    const start = seek(keys, rows, [0, rows.length], key, false);
    const end = seek(keys, rows, [start, rows.length], key, true);
    let left = most;
    for (let at = seek(by, rows, [start, end], until, true); at > start && left > 0; at -= CHUNK) {
      const chunk = liveOf(segment, rows.subarray(Math.max(start, at - CHUNK), at));
      const held = yield* selection.rows(segment, chunk);
      for (const row of held.subarray(Math.max(0, held.length - left))) found.push(row);
      left -= held.length;
    }
  }
  return found;
}

/** Rows that are tested, and keys looked for, before others may have their turn. */
const ROWS = 2048;
const KEYS = 256;
/** Rows of a key that are tested together. */
const CHUNK = 16;

/** A question to the segments of a table, with what can be said of it once for all of them. */
interface Search {
  readonly constraints: Constraints;
  readonly selection: Selection;
  readonly path: ReturnType<typeof choosePath>;
  /** Rows that suffice of a segment, where the path gives them in the order asked for. */
  readonly enough: number;
}

function newSearch(
  table: Table,
  segments: readonly Segment[],
  { where = and(), order = [], limit = Number.POSITIVE_INFINITY }: Pick<Scan, 'where' | 'order' | 'limit'>,
): Search {
  const constraints = constraintsOf(where);
  const longest = segments.reduce((most, { length }) => Math.max(most, length), 0);
  const path = choosePath(table, constraints, order, longest);
  const enough = path?.isOrdered === true || order.length === 0 ? limit : Number.POSITIVE_INFINITY;
  return { constraints, selection: new Selection(where), path, enough };
}

/** The live rows that hold, of every segment, and how many they are. */
function* findRows(
  { table, segments }: ColumnTable,
  scan: Pick<Scan, 'where' | 'order' | 'limit'>,
): Work<{ readonly found: readonly SegmentRows[]; readonly count: number }> {
  const search = newSearch(table, segments, scan);
  const found: SegmentRows[] = [];
  for (const segment of segments) found.push({ segment, rows: yield* rowsWhere(segment, search) });
  return { found, count: found.reduce((sum, { rows }) => sum + rows.length, 0) };
}

/** The live rows that hold, in the order asked for where the path gives it. */
function* rowsWhere(segment: Segment, { constraints, selection, path, enough }: Search): Work<Int32Array> {
  if (path === undefined) {
    const held = yield* selection.rows(segment, segment.live);
    return held.length > enough ? held.subarray(0, enough) : held;
  }
  const sorted = yield* permutationBy(segment, path.columns);
  const spans = spansOf(segment, sorted, path.columns, constraints);
  const found: Int32Array[] = [];
  let count = 0;
  for (const [from, to] of path.isBackwards ? [...spans].reverse() : spans) {
    for (let done = 0; done < to - from && count < enough; done += ROWS) {
      const size = Math.min(ROWS, to - from - done);
      const piece = path.isBackwards
        ? sorted.slice(to - done - size, to - done).reverse()
        : sorted.subarray(from + done, from + done + size);
      const held = yield* selection.rows(segment, liveOf(segment, piece));
      if (held.length > 0) found.push(count + held.length > enough ? held.subarray(0, enough - count) : held);
      count += held.length;
    }
  }
  return found.length === 0 ? none : (concatColumns(found) as Int32Array);
}

const none = new Int32Array(0);

function liveOf({ gone }: Segment, rows: Int32Array): Int32Array {
  return gone === undefined ? rows : rows.filter((row) => gone[row] === 0);
}

function pick<C extends string>(columns: Batch['columns'], names: readonly C[]): Record<string, ColumnData> {
  return Object.fromEntries(names.map((name) => [name, (columns as Record<string, ColumnData>)[name]!]));
}
