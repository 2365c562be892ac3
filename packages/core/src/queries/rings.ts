import { firstSeqAt, lastSeqAt, timeOf } from '../records/chain-order.ts';
import { legsTable } from '../records/tables.ts';
import { and, between, isIn } from '../storage/predicate.ts';
import { windowSeconds } from '../time.ts';
import type { QueryContext } from './context.ts';
import { latestPrints } from './latest-prints.ts';

/** Windows of the price statistics, as they stand on the wire. */
export const statWindows = ['5m', '1h', '6h', '12h', '1d', '7d', '30d'] as const;
export type StatWindow = (typeof statWindows)[number];

/** Ages at which a swap leaves a window or the window before it, ascending. */
const edges = [...new Set(statWindows.flatMap((window) => [windowSeconds[window], 2 * windowSeconds[window]]))].sort(
  (a, b) => a - b,
);
const longest = edges[edges.length - 1]!;

/** What the windows of a token hold. */
export interface TokenWindows {
  /** USD volume in a window, and in the window before it. */
  readonly volumes: (window: StatWindow) => readonly [volume: number, previous: number];
  /** The price when the window began; `NaN` before the first print. */
  readonly priceBefore: (window: StatWindow) => number;
  /** The last as-of time for which this holds while the token is not traded: then a swap passes the edge of a window. */
  readonly until: number;
}

/** The swaps of a token by age: ring `i` holds what is younger than `edges[i]` and not in the ring before. */
interface Rings {
  readonly volumes: Float64Array;
  /** The newest print of each ring. */
  readonly prices: Float64Array;
  until: number;
}

function newRings(): Rings {
  return {
    volumes: new Float64Array(edges.length),
    prices: new Float64Array(edges.length).fill(Number.NaN),
    until: Number.POSITIVE_INFINITY,
  };
}

/** What the windows of tokens hold at the as-of time: each swap of twice the longest window is read once. */
export async function readWindows(context: QueryContext, tokens: Int32Array): Promise<(token: number) => TokenWindows> {
  const found = await readRings(context, tokens);
  const older = await latestPrints(context.reader, tokens, lastSeqAt(context.asOf - longest));
  const none = newRings();
  return (token) => {
    const { volumes, prices, until } = found.get(token) ?? none;
    const volumeBetween = (from: number, to: number): number =>
      edges.reduce((sum, edge, i) => (edge > from && edge <= to ? sum + volumes[i]! : sum), 0);
    return {
      until,
      volumes(window) {
        const length = windowSeconds[window];
        return [volumeBetween(0, length), volumeBetween(length, 2 * length)];
      },
      priceBefore(window) {
        const length = windowSeconds[window];
        const ring = edges.findIndex((edge, i) => edge > length && !Number.isNaN(prices[i]!));
        return ring < 0 ? (older.get(token)?.price ?? Number.NaN) : prices[ring]!;
      },
    };
  };
}

async function readRings(context: QueryContext, tokens: Int32Array): Promise<ReadonlyMap<number, Rings>> {
  const { asOf } = context;
  const found = new Map<number, Rings>();
  const scan = context.reader.stream({
    table: legsTable,
    columns: ['token', 'seq', 'price', 'usd_amount'],
    where: and(isIn('token', tokens), between('seq', firstSeqAt(Math.max(0, asOf - longest + 1)), lastSeqAt(asOf))),
    order: [
      { column: 'token', direction: 'asc' },
      { column: 'seq', direction: 'asc' },
    ],
  });
  let token = -1;
  let rings = newRings();
  let ring = 0;
  for await (const { columns: c, length } of scan) {
    for (let i = 0; i < length; i++) {
      if (c.token[i] !== token) {
        token = c.token[i]!;
        rings = newRings();
        ring = edges.length - 1;
        found.set(token, rings);
      }
      const time = timeOf(c.seq[i]!);
      // Oldest first: the age only falls, and the ring with it.
      while (ring > 0 && asOf - time < edges[ring - 1]!) ring--;
      const usd = c.usd_amount[i]!;
      if (!Number.isNaN(usd)) rings.volumes[ring]! += usd;
      if (!Number.isNaN(c.price[i]!)) rings.prices[ring] = c.price[i]!;
      rings.until = Math.min(rings.until, time + edges[ring]! - 1);
    }
  }
  return found;
}
