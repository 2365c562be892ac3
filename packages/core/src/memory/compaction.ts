import type { Work } from '../work.ts';
import type { ColumnTable } from './column-table.ts';
import { mergeSegments, SEGMENT_ROWS, type Segment } from './segment.ts';

/** Removed rows of a segment, one in so many, that are worth a copy of the others. */
const GONE = 4;

/** A segment with less than one in so many rows of the table is not copied for the rows removed from it: it is soon merged with others. */
const SMALL = 8;

/** How much is merged. */
interface Policy {
  readonly least: number;
  /** How many times the rows of the largest later neighbour a segment has at most that is merged with it. */
  readonly ratio: number;
  /** Rows of a segment that is worth a copy without those that were removed. */
  readonly rows: number;
  /** Whether a segment that was not merged is worth it alone. */
  readonly isFull: boolean;
}

/** The table with fewer segments, if the last writes have left many: a row is copied once for several that are appended. */
export function compact(table: ColumnTable): Work<ColumnTable> {
  const rows = table.segments.reduce((sum, { live }) => sum + live.length, 0);
  return compactBy(table, { least: 6, ratio: 2, rows: rows / SMALL, isFull: false });
}

/** The table with as few segments as neighbours can be merged to. */
export function compactFully(table: ColumnTable): Work<ColumnTable> {
  return compactBy(table, { least: 2, ratio: Number.POSITIVE_INFINITY, rows: 0, isFull: true });
}

function* compactBy({ table, segments }: ColumnTable, policy: Policy): Work<ColumnTable> {
  const compacted = [...segments];
  for (let merged = nextToMerge(compacted, policy); merged !== undefined; merged = nextToMerge(compacted, policy))
    compacted.splice(compacted.indexOf(merged[0]!), merged.length, yield* mergeSegments(merged, table.alike));
  return { table, segments: compacted };
}

/** Segments that are to become one: a run of neighbours of about the same size, or one with many removed rows. */
function nextToMerge(
  segments: readonly Segment[],
  { least, ratio, rows, isFull }: Policy,
): readonly Segment[] | undefined {
  for (let end = segments.length; end > 0; end--) {
    const { length, live, isMerged } = segments[end - 1]!;
    const from = runBefore(segments, end, ratio);
    if (end - from >= least) return segments.slice(from, end);
    if (isFull && !isMerged) return segments.slice(end - 1, end);
    if ((length - live.length) * GONE > length && length >= rows) return segments.slice(end - 1, end);
  }
  return undefined;
}

/** Where the longest run of neighbours begins that may become one segment with the one before `end`. */
function runBefore(segments: readonly Segment[], end: number, ratio: number): number {
  let from = end - 1;
  let longest = segments[from]!.live.length;
  let rows = longest;
  for (; from > 0; from--) {
    const { length } = segments[from - 1]!.live;
    if (rows + length > SEGMENT_ROWS || length > ratio * longest) break;
    longest = Math.max(longest, length);
    rows += length;
  }
  return from;
}
