import type { ColumnData, Table } from '../records/columns.ts';
import type { Work } from '../work.ts';
import { type Column, PooledColumn, rowOrder, rowOrderBy, sortRows, storedColumn, takeFrom } from './column.ts';
import { poolingColumns } from './pooled-columns.ts';

/** Rows of a segment at most: what one step of a compaction copies, and what one turn of a search reads of a column. */
export const SEGMENT_ROWS = 16_384;

/** A run of rows that never changes: what versions of a table share. Removal makes another list of its live rows. */
export interface Segment {
  readonly columns: ReadonlyMap<string, Column>;
  readonly length: number;
  /** 1 where the row was removed. */
  readonly gone: Uint8Array | undefined;
  /** The rows that were not removed, ascending; never written to. */
  readonly live: Int32Array;
  /** Rows sorted by a list of columns, built when first asked for; shared by all versions, since the rows are. */
  readonly permutations: Map<string, Int32Array>;
  /** About what the columns take in memory. */
  readonly bytes: number;
  /** Whether it was made of others, by when it is stored as small as it gets. */
  readonly isMerged: boolean;
}

const everyRow = Int32Array.from({ length: SEGMENT_ROWS }, (_, row) => row);

/** A segment of `length` rows, `SEGMENT_ROWS` at most. The arrays are its own from then on. */
export function newSegment(
  values: Readonly<Record<string, ColumnData>>,
  names: readonly string[],
  length: number,
): Segment {
  return segmentOf(new Map(names.map((name) => [name, storedColumn(values[name]!)])), length, false);
}

function segmentOf(columns: ReadonlyMap<string, Column>, length: number, isMerged: boolean): Segment {
  let bytes = 0;
  for (const column of columns.values()) bytes += 'bytes' in column ? column.bytes : column.byteLength;
  const pooled = [...columns.values()].filter((column) => column instanceof PooledColumn);
  for (const places of new Set(pooled.map((column) => column.places))) bytes += places.byteLength;
  const live = everyRow.subarray(0, length);
  return { columns, length, gone: undefined, live, permutations: new Map(), bytes, isMerged };
}

/** A column of a segment by its name. Errors: a bare `Error` for a name that the table does not have. */
export function columnOf({ columns }: Segment, name: string): Column {
  const column = columns.get(name);
  if (column === undefined) throw new Error(`The table has no column "${name}".`);
  return column;
}

/** The segment without the rows given, which must be live. */
export function withoutRows(segment: Segment, rows: Int32Array): Segment {
  const gone = segment.gone === undefined ? new Uint8Array(segment.length) : segment.gone.slice();
  for (const row of rows) gone[row] = 1;
  return { ...segment, gone, live: segment.live.filter((row) => gone[row] === 0) };
}

/** One segment of the live rows of several, in their order: `SEGMENT_ROWS` at most. `alike`: as a table has it. */
export function* mergeSegments(segments: readonly Segment[], alike: Table['alike'] = []): Work<Segment> {
  const length = segments.reduce((sum, { live }) => sum + live.length, 0);
  const valuesOf = (name: string): ColumnData => concatColumns(segments.map((segment) => liveValues(segment, name)));
  const columns = new Map<string, Column>();
  for (const group of alike) {
    const names = group.filter((name) => segments[0]!.columns.has(name));
    const pooled = yield* poolingColumns(names.map(valuesOf) as Float64Array[], length);
    for (const [i, name] of names.entries()) columns.set(name, pooled[i]!);
  }
  for (const name of segments[0]!.columns.keys()) {
    if (columns.has(name)) continue;
    columns.set(name, storedColumn(valuesOf(name)));
    yield;
  }
  return segmentOf(columns, length, true);
}

function liveValues(segment: Segment, name: string): ColumnData {
  const column = columnOf(segment, name);
  const isPlain = column instanceof Float64Array || column instanceof Int32Array;
  return isPlain && segment.gone === undefined ? column : takeFrom(column, segment.live);
}

export function concatColumns(parts: readonly ColumnData[]): ColumnData {
  const [first] = parts;
  if (parts.length === 1) return first!;
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  if (Array.isArray(first)) return concatTexts(parts as (string | null)[][], length);
  const whole = first instanceof Int32Array ? new Int32Array(length) : new Float64Array(length);
  let at = 0;
  for (const part of parts as Float64Array[]) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** `flat()` takes several times as long. */
function concatTexts(parts: readonly (string | null)[][], length: number): (string | null)[] {
  const whole = new Array<string | null>(length);
  let at = 0;
  for (const part of parts) for (let i = 0; i < part.length; i++) whole[at++] = part[i]!;
  return whole;
}

/** All rows, removed ones too, in ascending order of the columns, nulls last. */
export function* permutationBy(segment: Segment, columns: readonly string[]): Work<Int32Array> {
  const name = columns.join(' ');
  const known = segment.permutations.get(name);
  if (known !== undefined) return known;
  const order = rowOrderBy(columns.map((column) => rowOrder(columnOf(segment, column), 'asc')));
  const sorted = yield* sortRows(everyRow.subarray(0, segment.length), order);
  segment.permutations.set(name, sorted);
  return sorted;
}
