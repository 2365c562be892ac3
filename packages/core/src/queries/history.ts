import * as v from 'valibot';
import { type Fault, faultError, orderFault } from '../faults.ts';
import { requireSince } from '../ingest/carried.ts';
import { latestPrints, type Prints } from '../market-data/latest-prints.ts';
import { lastSeqAt, timeOf } from '../records/chain-order.ts';
import { NO_ID } from '../records/columns.ts';
import { isSuspect as isSuspectStanding } from '../records/standing.ts';
import { legsTable } from '../records/tables.ts';
import { type Answer, described, integer, listOf, named, number, text } from '../response.ts';
import { and, between, compare } from '../storage/predicate.ts';
import type { QueryContext } from './context.ts';

export const MAX_POINTS = 5000;
export const MAX_ALL_POINTS = 100_000;

export interface HistoryRequest {
  readonly tokens: readonly string[];
  /** Unix seconds, fractions allowed. */
  readonly from: number;
  readonly to?: number | undefined;
  /** Seconds between points. */
  readonly interval: number;
  /** Default `all`. */
  readonly prints?: Prints | undefined;
}

const pricePointSchema = named(
  'PricePoint',
  v.strictObject({
    timestamp: integer('Unix seconds, UTC.'),
    usd_price: number('USD per token, at the last print until then.'),
    usd_volume: number('USD since the point before.'),
    suspect_count: integer('Prints since the point before that are far off those before them.'),
  }),
);

/** A price at an instant, and the USD volume since the instant before. */
export interface PricePoint extends Answer<typeof pricePointSchema> {}

export const priceHistorySchema = named(
  'PriceHistory',
  v.strictObject({ token: text('Address.'), prices: described(listOf<PricePoint>(pricePointSchema), 'Oldest first.') }),
);

/** Prices of a token at regular instants. */
export interface PriceHistory extends Answer<typeof priceHistorySchema> {}

/**
 * Prices at the instants from, from + interval, ... <= to, a list a token in the order of the request; duplicates are answered once.
 *
 * - Instants before the first print or after the as-of time are left out; unknown tokens have no prices.
 * - `prints`: `clean` leaves suspect prints out of the prices; volumes never leave anything out.
 * - Units: `timestamp` Unix seconds, `usd_price` USD per token, `usd_volume` USD in (t - interval, t].
 * - Errors: `invalid-range` for `from` after `to`; `too-many-points` over 5,000 points a token or 100,000 a request.
 */
export async function priceHistory(context: QueryContext, request: HistoryRequest): Promise<readonly PriceHistory[]> {
  const faults = historyFaults(context, request);
  if (faults.length > 0) throw faultError(faults);
  const tokens = [...new Set(request.tokens)];
  const { from, to } = wholeSeconds(context, request.from, request.to);
  const ids = await context.dictionary.find(context.reader, tokens);
  const end = Math.min(to, context.asOf);
  if (from <= end) await requireSince(context, 'tokens', ids, from - request.interval + 1);
  const histories: PriceHistory[] = [];
  for (const [i, token] of tokens.entries()) {
    histories.push({
      token,
      prices: ids[i] === NO_ID || from > end ? [] : await pointsOf(context, ids[i]!, { ...request, from, end }),
    });
  }
  return histories;
}

/** What is wrong with the range of a request, of which fields may be missing that are at fault by themselves. */
export function historyFaults(context: QueryContext, request: Partial<HistoryRequest>): readonly Fault[] {
  if (request.from === undefined) return [];
  const order = orderFault(request.from, request.to);
  if (order !== undefined) return [order];
  const { interval } = request;
  if (interval === undefined || request.tokens === undefined) return [];
  const tokens = new Set(request.tokens).size;
  const { from, to } = wholeSeconds(context, request.from, request.to);
  const points = Math.max(0, Math.floor((to - from) / interval) + 1);
  const most = Math.min(MAX_POINTS, Math.floor(MAX_ALL_POINTS / tokens));
  if (points <= most) return [];
  const message = `${points} points for each of ${tokens} token(s) are over the limit of ${MAX_POINTS} a token and ${MAX_ALL_POINTS} a request; use an interval of at least ${Math.ceil((to - from + 1) / most)} seconds, a shorter range, or fewer tokens.`;
  return [{ code: 'too-many-points', path: 'interval', message }];
}

function wholeSeconds(context: QueryContext, from: number, to: number | undefined) {
  return { from: Math.ceil(from), to: Math.floor(to ?? context.asOf) };
}

async function pointsOf(
  context: QueryContext,
  token: number,
  { from, end, interval, prints = 'all' }: HistoryRequest & { readonly end: number },
): Promise<PricePoint[]> {
  const range = { until: lastSeqAt(Math.max(-1, from - interval)), prints };
  const before = (await latestPrints(context.reader, Int32Array.of(token), range)).get(token);
  const legs = context.reader.stream({
    table: legsTable,
    columns: ['seq', 'price', 'usd_amount', 'standing'],
    where: and(compare('token', 'eq', token), between('seq', range.until + 1, lastSeqAt(end))),
    order: [{ column: 'seq', direction: 'asc' }],
  });
  const points: PricePoint[] = [];
  let price = before?.price ?? Number.NaN;
  let volume = 0;
  let suspects = 0;
  let instant = from;
  const emit = (): void => {
    if (!Number.isNaN(price))
      points.push({ timestamp: instant, usd_price: price, usd_volume: volume, suspect_count: suspects });
    volume = suspects = 0;
    instant += interval;
  };
  for await (const batch of legs) {
    const c = batch.columns;
    for (let i = 0; i < batch.length; i++) {
      const time = timeOf(c.seq[i]!);
      while (instant < time) emit();
      if (instant > end) return points;
      if (!Number.isNaN(c.usd_amount[i]!)) volume += c.usd_amount[i]!;
      const isSuspect = isSuspectStanding(c.standing[i]!);
      if (isSuspect) suspects++;
      if (!Number.isNaN(c.price[i]!) && !(isSuspect && prints === 'clean')) price = c.price[i]!;
    }
  }
  while (instant <= end) emit();
  return points;
}
