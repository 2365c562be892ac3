import { mostLegsOfOne } from '../cache/legs.ts';
import { RecentLegs } from '../cache/recent-legs.ts';
import { latestPrints } from '../market-data/latest-prints.ts';
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

/** What the windows of a token hold. */
export interface TokenWindows {
  /** USD volume in a window, and in the window before it. */
  readonly volumes: (window: StatWindow) => readonly [volume: number, previous: number];
  /** The price when the window began; `NaN` before the first print. */
  readonly priceBefore: (window: StatWindow) => number;
  /** The last as-of time for which this holds while the token is not traded: then a swap passes the edge of a window. */
  readonly until: number;
}

/** The swaps of a token by age: bucket `i` holds what is younger than `edges[i]` and not in the bucket before. */
interface AgeBuckets {
  readonly volumes: Float64Array;
  /** The newest print of each bucket. */
  readonly prices: Float64Array;
  /** The last print that is older than all buckets. */
  older: number;
  until: number;
  /** The bucket of the newest swap. */
  newest: number;
}

function newAgeBuckets(): AgeBuckets {
  return {
    volumes: new Float64Array(edges.length),
    prices: new Float64Array(edges.length).fill(Number.NaN),
    older: Number.NaN,
    until: Number.POSITIVE_INFINITY,
    newest: edges.length - 1,
  };
}

/** Adds a swap, oldest first: the age only falls, and the bucket with it. */
function addSwap(ageBuckets: AgeBuckets, asOf: number, time: number, price: number, usd: number): void {
  let bucket = ageBuckets.newest;
  while (bucket > 0 && asOf - time < edges[bucket - 1]!) bucket--;
  ageBuckets.newest = bucket;
  if (!Number.isNaN(usd)) ageBuckets.volumes[bucket]! += usd;
  if (!Number.isNaN(price)) ageBuckets.prices[bucket] = price;
  ageBuckets.until = Math.min(ageBuckets.until, time + edges[bucket]! - 1);
}

/** What the windows of tokens hold at the as-of time. */
export async function readWindows(context: QueryContext, tokens: Int32Array): Promise<(token: number) => TokenWindows> {
  const found = new Map<number, AgeBuckets>();
  const unknown: number[] = [];
  for (const token of tokens) {
    const legs = context.cache.get('legs', token);
    if (legs?.reaches(context.asOf) !== true) unknown.push(token);
    else found.set(token, ageBucketsOf(legs, context.asOf));
  }
  if (unknown.length > 0) await readAgeBuckets(context, Int32Array.from(unknown), found);
  return (token) => windowsOf(found.get(token)!);
}

function windowsOf({ volumes, prices, older, until }: AgeBuckets): TokenWindows {
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
      const bucket = edges.findIndex((edge, i) => edge > length && !Number.isNaN(prices[i]!));
      return bucket < 0 ? older : prices[bucket]!;
    },
  };
}

function ageBucketsOf(legs: RecentLegs, asOf: number): AgeBuckets {
  const ageBuckets = newAgeBuckets();
  legs.forgetBefore(asOf - longest + 1, asOf);
  ageBuckets.older = legs.priceBefore;
  const { time, price, usd, length } = legs;
  let i = 0;
  for (; i < length && asOf - time[i]! >= longest; i++) if (!Number.isNaN(price[i]!)) ageBuckets.older = price[i]!;
  for (; i < length; i++) addSwap(ageBuckets, asOf, time[i]!, price[i]!, usd[i]!);
  return ageBuckets;
}

/** Reads each swap of twice the longest window once, and caches those that there is room for. */
async function readAgeBuckets(
  context: QueryContext,
  tokens: Int32Array,
  found: Map<number, AgeBuckets>,
): Promise<void> {
  const { asOf, cache, reader } = context;
  const most = cache.bounds.legs;
  const older = await latestPrints(reader, tokens, { until: lastSeqAt(asOf - longest) });
  const gathered = new Map<number, RecentLegs>();
  for (const token of tokens) {
    const ageBuckets = newAgeBuckets();
    ageBuckets.older = older.get(token)?.price ?? Number.NaN;
    found.set(token, ageBuckets);
    if (most > 0) gathered.set(token, new RecentLegs(asOf, ageBuckets.older));
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
  let room = most;
  for await (const { columns: c, length } of scan) {
    for (let i = 0; i < length; i++) {
      const token = c.token[i]!;
      const time = timeOf(c.seq[i]!);
      addSwap(found.get(token)!, asOf, time, c.price[i]!, c.usd_amount[i]!);
      const legs = gathered.get(token);
      if (legs === undefined) continue;
      if (room-- > 0 && legs.length < mostLegsOfOne(most)) legs.add(time, c.price[i]!, c.usd_amount[i]!);
      else gathered.delete(token);
    }
  }
  for (const [token, legs] of gathered) if (legs.room <= mostLegsOfOne(most)) cache.put('legs', token, legs);
}
