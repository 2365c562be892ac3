import type { Work } from '../work.ts';
import type { ColumnTable } from './column-table.ts';
import { mergeSegments, SEGMENT_ROWS, type Segment } from './segment.ts';

/** Removed rows of a segment, one in so many, that are worth a copy of the others. */
const GONE = 4;

/** How many times the rows of a later neighbour a segment has at most that is merged with it: so each row is copied a few times in all. */
const RATIO = 2;

/** Segments that are to become one: a run of neighbours, each with at most `ratio` times the rows of those after it, or one with many removed rows. */
function nextToMerge(segments: readonly Segment[], ratio: number): readonly Segment[] | undefined {
  for (let end = segments.length; end > 0; end--) {
    const own = segments[end - 1]!;
    let rows = own.live.length;
    let from = end - 1;
    for (; from > 0; from--) {
      const { length } = segments[from - 1]!.live;
      if (rows + length > SEGMENT_ROWS || length > ratio * rows) break;
      rows += length;
    }
    if (from < end - 1 || (own.length - own.live.length) * GONE > own.length) return segments.slice(from, end);
  }
  return undefined;
}

/** The table with fewer segments; `ratio` without a bound makes them as few as this can. */
export function* compact(table: ColumnTable, ratio = RATIO): Work<ColumnTable> {
  const compacted = [...table.segments];
  for (let merged = nextToMerge(compacted, ratio); merged !== undefined; merged = nextToMerge(compacted, ratio))
    compacted.splice(compacted.indexOf(merged[0]!), merged.length, yield* mergeSegments(merged));
  return { table: table.table, segments: compacted };
}
