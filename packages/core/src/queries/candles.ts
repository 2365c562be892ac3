import { match, P } from 'ts-pattern';
import { type CandleSeries, seriesKey } from '../cache/regions.ts';
import { type Fault, faultError, orderFault } from '../faults.ts';
import { type Candle, CandleFold, MAX_CANDLES } from '../market-data/candle-fold.ts';
import type { Prints } from '../market-data/latest-prints.ts';
import { firstSeqAt, timeOf } from '../records/chain-order.ts';
import { allRows, NO_ID, takeRows } from '../records/columns.ts';
import { bucketEnd, bucketStart } from '../time.ts';
import { type CandleSource, legsInPool, legsOfToken, tokenOfPool } from './candle-legs.ts';
import { lastSeq, type QueryContext } from './context.ts';

const MAX_INTERVAL = 2_592_000;
const DEFAULT_CANDLES = 300;

export interface CandlesRequest {
  readonly token?: string | undefined;
  /** Only the swaps of this pool. */
  readonly pool?: string | undefined;
  /** Seconds. */
  readonly interval: number;
  /** Unix seconds, fractions allowed. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly count?: number | undefined;
  readonly fill?: boolean | undefined;
  /** Default `all`. */
  readonly prints?: Prints | undefined;
}

/**
 * Candles of one token, oldest first, frozen: callers may share them.
 *
 * - Of: `token`, with `pool` in the swaps of that pool alone; of a pool without a token, the one that it stands for (`tokenOfPool`). None if
 *   the token or the pool is unknown.
 * - Shape: one a bucket that has a print; the others are absent unless `fill`, which gives those between prints the close before, and
 *   what their swaps sum up to, 0 if there are none.
 * - Range: `from` with `to`, buckets that overlap [from, to); `count` (300 where `from` is absent too), the latest that start before `to`,
 *   of the filled series with `fill`; an absent `to` sets no upper bound. None if `from` is after the as-of time.
 * - `prints`: `clean` leaves suspect prints out of the prices, and buckets that have no other; volumes and counts never leave anything out.
 * - Errors: `invalid-range` for `from` with `count`, or after `to`; `too-many-points` over 5,000 candles.
 * - Source: open and close are the first and last print in chain order (docs/reference/metrics.md, "Prices").
 */
export async function candles(context: QueryContext, request: CandlesRequest): Promise<readonly Candle[]> {
  const faults = candleFaults(context, request);
  if (faults.length > 0) throw faultError(faults);
  const range = match(request)
    .with({ from: P.number }, ({ from }) => ({ kind: 'between' as const, from }))
    .otherwise(({ count }) => ({ kind: 'latest' as const, count: count ?? DEFAULT_CANDLES }));
  const series = await seriesOf(context, request);
  if (series === undefined) return [];
  const { fold, found } =
    range.kind === 'between'
      ? await bucketsBetween(context, series, range.from, request)
      : await latestBuckets(context, series, range.count, request);
  if (request.fill !== true) return sinceHorizon(context, found);
  return sinceHorizon(context, fold.fillGaps(found, range.kind === 'between' ? MAX_CANDLES : range.count));
}

/** Without the candles that begin before the horizon: legs of theirs may be forgotten. Those that are left give later gaps their close. */
export function sinceHorizon({ horizon }: QueryContext, found: readonly Candle[]): readonly Candle[] {
  if (horizon === 0) return found;
  const first = found.findIndex(({ timestamp }) => timestamp >= horizon);
  return first === 0 ? found : first < 0 ? [] : found.slice(first);
}

interface Found {
  readonly fold: CandleFold;
  readonly found: readonly Candle[];
}

interface Series {
  readonly source: CandleSource;
  /** The token by which they are cached; candles of one pool are not. */
  readonly cachedBy: number | undefined;
}

/** The legs that the candles of a token, of a pool, or of a token in a pool are folded from; `undefined` if one of them is unknown. */
export async function candleSource(
  context: QueryContext,
  request: Pick<CandlesRequest, 'token' | 'pool'>,
): Promise<CandleSource | undefined> {
  return (await seriesOf(context, request))?.source;
}

async function seriesOf(
  context: QueryContext,
  request: Pick<CandlesRequest, 'token' | 'pool'>,
): Promise<Series | undefined> {
  const { dictionary, reader } = context;
  const idOf = async (text: string | undefined): Promise<number | undefined> =>
    text === undefined ? undefined : dictionary.findOne(reader, text);
  const pool = await idOf(request.pool);
  if (pool === NO_ID) return undefined;
  const token = (await idOf(request.token)) ?? (await tokenOfPool(context, pool!));
  if (token === NO_ID) return undefined;
  if (pool === undefined) return { source: legsOfToken(reader, token), cachedBy: token };
  return { source: legsInPool(reader, token, pool, context.horizon), cachedBy: undefined };
}

/** What is wrong with the range of a request, of which fields may be missing that are at fault by themselves. */
export function candleFaults(context: QueryContext, request: Partial<CandlesRequest>): readonly Fault[] {
  const { from, to, count, interval } = request;
  if (from === undefined) return [];
  const faults: Fault[] = [];
  if (count !== undefined) {
    const message = '"from" and "count" exclude each other: send "from" and "to", or "count" and "to".';
    faults.push({ code: 'invalid-range', path: 'count', message });
  }
  const order = orderFault(from, to);
  if (order !== undefined) return [...faults, order];
  if (interval === undefined || count !== undefined) return faults;
  const end = to ?? context.asOf + 1;
  const buckets = (bucketEnd(end, interval) - bucketStart(from, interval)) / interval;
  if (buckets <= MAX_CANDLES) return faults;
  const longer = Math.ceil((end - from) / (MAX_CANDLES - 1));
  const shorter = `a range of at most ${MAX_CANDLES * interval} seconds`;
  const remedy = longer > MAX_INTERVAL ? shorter : `an interval of at least ${longer} seconds, or ${shorter}`;
  const message = `The range holds ${buckets} candles, the limit is ${MAX_CANDLES}; use ${remedy}.`;
  return [...faults, { code: 'too-many-points', path: 'interval', message }];
}

async function bucketsBetween(
  context: QueryContext,
  series: Series,
  from: number,
  { to, interval, prints = 'all' }: CandlesRequest,
): Promise<Found> {
  if ((to !== undefined && from >= to) || from > context.asOf)
    return { fold: new CandleFold(interval, prints), found: [] };
  const start = Math.max(0, bucketStart(from, interval));
  const end = to === undefined ? Number.POSITIVE_INFINITY : bucketEnd(to, interval);
  const cached = cachedSeries(context, series, { interval, prints });
  if (cached !== undefined && cached.from <= start)
    return { fold: cached.fold, found: cached.fold.slice(firstOf(cached.fold, start), cached.fold.indexAt(end)) };
  const fold = new CandleFold(interval, prints);
  for await (const legs of series.source.range(firstSeqAt(start), seqLimit(context, end))) fold.add(legs);
  const found = fold.slice();
  if (end > context.asOf) cacheSeries(context, series, { from: start, fold });
  return { fold, found };
}

/** The first candle from a time on; from the beginning of time on all: the first week of 1970 begins before it. */
function firstOf(fold: CandleFold, from: number): number {
  return from === 0 ? 0 : fold.indexAt(from);
}

function cachedSeries(
  { cache }: QueryContext,
  { cachedBy }: Series,
  of: Pick<CandleFold, 'interval' | 'prints'>,
): CandleSeries | undefined {
  return cachedBy === undefined ? undefined : cache.get('candles', cachedBy)?.get(seriesKey(of));
}

function cacheSeries({ cache }: QueryContext, { cachedBy }: Series, series: CandleSeries): void {
  if (cachedBy === undefined) return;
  const key = seriesKey(series.fold);
  const others = [...(cache.get('candles', cachedBy) ?? [])].filter(([other]) => other !== key);
  cache.put('candles', cachedBy, new Map([...others.slice(1 - MOST_SERIES), [key, series]]));
}

/** Series of a token that are kept, the newest ones: every commit with swaps of the token goes on with each of them. */
const MOST_SERIES = 64;

/** The least seq that a bucket before `end` cannot have, nor a swap that the as-of time lets through. */
function seqLimit(context: QueryContext, end: number): number {
  return Math.min(lastSeq(context) + 1, Number.isFinite(end) ? firstSeqAt(end) : Number.MAX_SAFE_INTEGER);
}

/** Legs that are read first. */
const CHUNK = 20_000;

/** The latest buckets that have a print. */
async function latestBuckets(
  context: QueryContext,
  series: Series,
  count: number,
  { to, interval, prints = 'all' }: CandlesRequest,
): Promise<Found> {
  const end = to === undefined ? Number.POSITIVE_INFINITY : bucketEnd(to, interval);
  const cached = cachedSeries(context, series, { interval, prints });
  if (cached !== undefined) {
    const first = firstOf(cached.fold, cached.from);
    const last = cached.fold.indexAt(end);
    if (last - first >= count || cached.from === 0)
      return { fold: cached.fold, found: cached.fold.slice(Math.max(first, last - count), last) };
  }
  const read = await readBack(series.source, seqLimit(context, end), count, { interval, prints });
  if (end > context.asOf) cacheSeries(context, series, read);
  return { fold: read.fold, found: read.fold.slice(read.fold.length - count) };
}

/**
 * Folds the legs before `below` that `count` candles need, or all: the last ones, and if these do not do, because there are many in a bucket,
 * the time of `count` buckets. What is missing then, because buckets have no print, lies further back.
 */
async function readBack(
  source: CandleSource,
  below: number,
  count: number,
  of: Pick<CandleFold, 'interval' | 'prints'>,
  limit = CHUNK,
): Promise<CandleSeries> {
  const { interval, prints } = of;
  const newest = await source.last(below, limit);
  const last = takeRows(newest, allRows(newest.length).reverse());
  const fold = new CandleFold(interval, prints);
  fold.add(last);
  if (last.length < limit) return { from: 0, fold };
  // One bucket more than asked for: the oldest may go on in swaps not read.
  if (fold.length > count) return { from: fold.slice(fold.length - count)[0]!.timestamp, fold };
  const { seq } = last.columns;
  const bucketOf = (place: number): number => bucketStart(timeOf(seq[place]!), interval);
  const from = Math.max(0, Math.min(bucketOf(0), bucketOf(limit - 1) - (count - 1) * interval));
  const whole = new CandleFold(interval, prints);
  for await (const legs of source.range(firstSeqAt(from), seq[0]!)) whole.add(legs);
  whole.add(last);
  if (whole.length >= count || from === 0) return { from, fold: whole };
  const older = await readBack(source, firstSeqAt(from), count - whole.length, of, limit * 4);
  older.fold.join(whole);
  return older;
}
