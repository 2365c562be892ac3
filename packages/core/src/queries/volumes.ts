import { firstSeqAt, lastSeqAt, timeOf } from '../records/chain-order.ts';
import { legsTable } from '../records/tables.ts';
import { and, between, isIn } from '../storage/predicate.ts';
import { windowSeconds } from '../time.ts';
import type { QueryContext } from './context.ts';

/** Windows of the price statistics, as they stand on the wire. */
export const statWindows = ['5m', '1h', '6h', '12h', '1d', '7d', '30d'] as const;
export type StatWindow = (typeof statWindows)[number];

/** Ages at which a swap leaves a window or the window before it, ascending. */
const edges = [...new Set(statWindows.flatMap((window) => [windowSeconds[window], 2 * windowSeconds[window]]))].sort(
  (a, b) => a - b,
);
const longest = edges[edges.length - 1]!;

/** USD volumes of a token. */
export interface Volumes {
  /** The volume in a window, and in the window before it. */
  readonly volumesOf: (window: StatWindow) => readonly [volume: number, previous: number];
  /** The last as-of time for which they hold while the token is not traded, and no print passes the edge of a window. */
  readonly until: number;
}

/** Volumes by age: ring `i` holds what is younger than `edges[i]` and not in the ring before. */
interface Rings {
  readonly sums: Float64Array;
  until: number;
}

const none: Rings = { sums: new Float64Array(edges.length), until: Number.POSITIVE_INFINITY };

/** USD volumes of tokens at the as-of time. */
export async function readVolumes(context: QueryContext, tokens: Int32Array): Promise<(token: number) => Volumes> {
  const { asOf } = context;
  const found = new Map<number, Rings>();
  const scan = context.reader.stream({
    table: legsTable,
    columns: ['token', 'seq', 'usd_amount'],
    where: and(isIn('token', tokens), between('seq', firstSeqAt(Math.max(0, asOf - longest + 1)), lastSeqAt(asOf))),
    order: [
      { column: 'token', direction: 'asc' },
      { column: 'seq', direction: 'asc' },
    ],
  });
  let token = -1;
  let rings = none;
  let ring = 0;
  for await (const { columns: c, length } of scan) {
    for (let i = 0; i < length; i++) {
      if (c.token[i] !== token) {
        token = c.token[i]!;
        rings = { sums: new Float64Array(edges.length), until: Number.POSITIVE_INFINITY };
        ring = edges.length - 1;
        found.set(token, rings);
      }
      const time = timeOf(c.seq[i]!);
      // Oldest first: the age only falls, and the ring with it.
      while (ring > 0 && asOf - time < edges[ring - 1]!) ring--;
      const usd = c.usd_amount[i]!;
      if (!Number.isNaN(usd)) rings.sums[ring]! += usd;
      rings.until = Math.min(rings.until, time + edges[ring]! - 1);
    }
  }
  return (id) => {
    const { sums, until } = found.get(id) ?? none;
    const between = (from: number, to: number): number =>
      edges.reduce((sum, edge, i) => (edge > from && edge <= to ? sum + sums[i]! : sum), 0);
    const volumesOf = (window: StatWindow): readonly [number, number] => {
      const length = windowSeconds[window];
      return [between(0, length), between(length, 2 * length)];
    };
    return { volumesOf, until };
  };
}
