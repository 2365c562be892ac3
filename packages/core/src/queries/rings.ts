import { RecentLegs } from '../kept/recent-legs.ts';
import { firstSeqAt, lastSeqAt, timeOf } from '../records/chain-order.ts';
import { legsTable } from '../records/tables.ts';
import { and, between, isIn } from '../storage/predicate.ts';
import { windowSeconds } from '../time.ts';
import { keep, type QueryContext } from './context.ts';
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
  /** The last print that is older than all rings. */
  older: number;
  until: number;
  /** The ring of the newest swap. */
  newest: number;
}

function newRings(): Rings {
  return {
    volumes: new Float64Array(edges.length),
    prices: new Float64Array(edges.length).fill(Number.NaN),
    older: Number.NaN,
    until: Number.POSITIVE_INFINITY,
    newest: edges.length - 1,
  };
}

/** Adds a swap, oldest first: the age only falls, and the ring with it. */
function addSwap(rings: Rings, asOf: number, time: number, price: number, usd: number): void {
  let ring = rings.newest;
  while (ring > 0 && asOf - time < edges[ring - 1]!) ring--;
  rings.newest = ring;
  if (!Number.isNaN(usd)) rings.volumes[ring]! += usd;
  if (!Number.isNaN(price)) rings.prices[ring] = price;
  rings.until = Math.min(rings.until, time + edges[ring]! - 1);
}

/** What the windows of tokens hold at the as-of time. */
export async function readWindows(context: QueryContext, tokens: Int32Array): Promise<(token: number) => TokenWindows> {
  const found = new Map<number, Rings>();
  const unknown: number[] = [];
  for (const token of tokens) {
    const legs = context.kept()?.legs.get(token, context.asOf);
    if (legs === undefined) unknown.push(token);
    else found.set(token, ringsOf(legs, context.asOf));
  }
  if (unknown.length > 0) await readRings(context, Int32Array.from(unknown), found);
  return (token) => windowsOf(found.get(token)!);
}

function windowsOf({ volumes, prices, older, until }: Rings): TokenWindows {
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
      return ring < 0 ? older : prices[ring]!;
    },
  };
}

function ringsOf(legs: RecentLegs, asOf: number): Rings {
  const rings = newRings();
  legs.forgetBefore(asOf - longest + 1, asOf);
  rings.older = legs.priceBefore;
  const { time, price, usd, length } = legs;
  let i = 0;
  for (; i < length && asOf - time[i]! >= longest; i++) if (!Number.isNaN(price[i]!)) rings.older = price[i]!;
  for (; i < length; i++) addSwap(rings, asOf, time[i]!, price[i]!, usd[i]!);
  return rings;
}

/** Reads each swap of twice the longest window once, and keeps those that there is room for. */
async function readRings(context: QueryContext, tokens: Int32Array, found: Map<number, Rings>): Promise<void> {
  const { asOf, reader } = context;
  const kept = context.kept();
  const older = await latestPrints(reader, tokens, lastSeqAt(asOf - longest));
  const gathered = new Map<number, RecentLegs>();
  for (const token of tokens) {
    const rings = newRings();
    rings.older = older.get(token)?.price ?? Number.NaN;
    found.set(token, rings);
    if (kept !== undefined) gathered.set(token, new RecentLegs(asOf, rings.older));
  }
  const scan = reader.stream({
    table: legsTable,
    columns: ['token', 'seq', 'price', 'usd_amount'],
    where: and(isIn('token', tokens), between('seq', firstSeqAt(Math.max(0, asOf - longest + 1)), lastSeqAt(asOf))),
    order: [
      { column: 'token', direction: 'asc' },
      { column: 'seq', direction: 'asc' },
    ],
  });
  let room = kept?.legs.most ?? 0;
  for await (const { columns: c, length } of scan) {
    for (let i = 0; i < length; i++) {
      const token = c.token[i]!;
      const time = timeOf(c.seq[i]!);
      addSwap(found.get(token)!, asOf, time, c.price[i]!, c.usd_amount[i]!);
      const legs = gathered.get(token);
      if (legs === undefined) continue;
      if (room-- > 0 && legs.length < kept!.legs.mostOfOne) legs.add(time, c.price[i]!, c.usd_amount[i]!);
      else gathered.delete(token);
    }
  }
  keep(context, ({ legs }) => {
    for (const [token, own] of gathered) legs.set(token, own);
  });
}
