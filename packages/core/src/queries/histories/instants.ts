import * as v from 'valibot';
import { type Fault, faultError, orderFault } from '../../faults.ts';
import { CarriedEntities, requireSince } from '../../ingest/carried.ts';
import { knownPrice } from '../../ledger/judge.ts';
import { movedPrice } from '../../ledger/native-mark.ts';
import { latestPrints } from '../../market-data/latest-prints.ts';
import { MarkCourse, printMarks, swapsOfPrints, votedBy } from '../../market-data/marks.ts';
import { nativePricesAt, referencesOf } from '../../market-data/native-price.ts';
import { numbers } from '../../records/arithmetic.ts';
import { lastSeqAt, timeOf } from '../../records/chain-order.ts';
import { firstAfter, NO_ID, type Table } from '../../records/columns.ts';
import type { EntityKind } from '../../records/profile-fields.ts';
import { legsTable } from '../../records/tables.ts';
import { integer } from '../../response.ts';
import { ascending } from '../../storage/adapter.ts';
import { and, between, isIn, not, type Predicate } from '../../storage/predicate.ts';
import { MAX_TIME } from '../../time.ts';
import { orNull, type QueryContext } from '../context.ts';
import { MAX_POINTS } from '../history.ts';

/** Which instants a history has a point for, and what of each. */
export interface HistoryRange<Name extends string = string> {
  /** Unix seconds, fractions allowed. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Seconds between points. */
  readonly interval: number;
  /** What each point has; all that there is without it. */
  readonly metrics?: readonly Name[] | undefined;
}

/** Regular instants, oldest first. The interval of an instant t is (t - interval, t]. */
export interface Instants {
  readonly interval: number;
  /** Unix seconds. */
  readonly times: Float64Array;
}

/** The number of the first instant that is not before a time, Unix seconds; that of the last if all are. */
export function instantFrom({ times }: Instants, time: number): number {
  // Times are whole seconds.
  return Math.min(times.length - 1, firstAfter(times, times.length, time - 0.5 ** 20));
}

/** What points have, in the order of `series`. */
export function wantedOf<Name extends string>(
  series: Readonly<Record<Name, unknown>>,
  { metrics }: HistoryRange<Name>,
): readonly Name[] {
  const names = Object.keys(series) as Name[];
  return metrics === undefined ? names : names.filter((name) => metrics.includes(name));
}

/** What is wrong with a range, of which fields may be missing that are at fault by themselves. */
export function rangeFaults(context: QueryContext, { from, to, interval }: Partial<HistoryRange>): readonly Fault[] {
  if (from === undefined) return [];
  const order = orderFault(from, to);
  if (order !== undefined) return [order];
  if (interval === undefined) return [];
  return pointFaults(Math.ceil(from), Math.floor(to ?? context.asOf), interval);
}

function pointFaults(from: number, to: number, interval: number): readonly Fault[] {
  const points = Math.max(0, Math.floor((to - from) / interval) + 1);
  if (points <= MAX_POINTS) return [];
  const least = Math.ceil((to - from + 1) / MAX_POINTS);
  const message = `${points} points are over the limit of ${MAX_POINTS}; use an interval of at least ${least} seconds, or a shorter range.`;
  return [{ code: 'too-many-points', path: 'interval', message }];
}

/**
 * The instants of a range that are not before `first` nor after the as-of time. Without `from`, the last one is the end of the range, and the
 * interval of the first one holds `first`.
 *
 * - Errors: `too-many-points` if there is no `from`.
 */
export function instantsSince(context: QueryContext, range: HistoryRange, first: number): Instants {
  const { interval } = range;
  const end = Math.min(Math.floor(range.to ?? context.asOf), context.asOf);
  const length = (start: number): number => Math.max(0, Math.floor((end - start) / interval) + 1);
  const given = range.from === undefined ? undefined : Math.ceil(range.from);
  const start =
    given === undefined
      ? end - (length(first) - 1) * interval
      : given + Math.max(0, Math.ceil((first - given) / interval)) * interval;
  if (given === undefined) {
    const faults = pointFaults(first, end, interval);
    if (faults.length > 0) throw faultError(faults);
  }
  return { interval, times: Float64Array.from({ length: length(start) }, (_, i) => start + i * interval) };
}

interface HistoryOf {
  readonly kind: EntityKind;
  readonly id: number;
  readonly table: Table<{ readonly seq: 'long' }>;
  readonly where: Predicate;
}

/**
 * As `instantsSince`, of a wallet or token from the first row of `table` on that holds; `undefined` if it has none, and for `NO_ID`. If some
 * of its swaps are forgotten, the instants begin without `from` where the swaps of the first interval are known.
 *
 * - Errors: those of the range; `behind-horizon` where `from` asks for more of one that has swaps which are forgotten.
 */
export async function instantsOfEntity(
  context: QueryContext,
  range: HistoryRange,
  { kind, id, table, where }: HistoryOf,
): Promise<Instants | undefined> {
  const faults = rangeFaults(context, range);
  if (faults.length > 0) throw faultError(faults);
  if (id === NO_ID) return undefined;
  const { reader, horizon } = context;
  const carried = await CarriedEntities.read(reader, horizon, kind, [id]);
  const begun = kind === 'wallets' ? carried.numberOf(id, 'last_trade_at') : carried.numberOf(id, 'updated_at');
  if (Number.isNaN(begun)) {
    const { columns } = await reader.read({ table, columns: ['seq'], where, order: ascending('seq'), limit: 1 });
    return columns.seq.length === 0 ? undefined : instantsSince(context, range, timeOf(columns.seq[0]!));
  }
  const { from, interval } = range;
  if (from === undefined) return instantsSince(context, range, horizon + interval - 1);
  await requireSince(context, kind, [id], Math.ceil(from) - interval + 1);
  return instantsSince(context, range, horizon);
}

/** Until when ledgers count for the last of the instants: if it hides no swap, transfers of any later time count, as in what is stored. */
export function untilLast({ lastTime }: QueryContext, { times }: Instants): number {
  const last = times[times.length - 1]!;
  return last >= (lastTime ?? 0) ? MAX_TIME : last;
}

/** The schema of a point, of what it may have. */
export function pointSchema<const E extends Readonly<Record<string, v.GenericSchema>>>(entries: E) {
  const optional = Object.fromEntries(Object.entries(entries).map(([name, schema]) => [name, v.exactOptional(schema)]));
  return v.strictObject({
    timestamp: integer('Unix seconds, UTC.'),
    ...(optional as { readonly [K in keyof E]: v.ExactOptionalSchema<E[K], undefined> }),
  });
}

/** A point for each instant, with the values of the columns that are wanted, in the order of `names`; `NaN` is served as `null`. */
export function pointsOf<Name extends string, P>(
  { times }: Instants,
  names: readonly Name[],
  columns: Readonly<Record<Name, Float64Array>>,
): P[] {
  return Array.from(times, (timestamp, i) => {
    const point: Record<string, number | null> = { timestamp };
    for (const name of names) point[name] = orNull(columns[name][i]!);
    return point as P;
  });
}

/** The instants that the prices of a token are wanted at, by number: `to` is excluded. */
export interface Span {
  readonly token: number;
  readonly from: number;
  readonly to: number;
}

/** For each span, by instant, what the mark of its token is worth then: `NaN` before the first. */
export async function pricesAt(
  context: QueryContext,
  spans: readonly Span[],
  { interval, times }: Instants,
): Promise<Float64Array[]> {
  const { reader } = context;
  const pause = context.yielder();
  const ids = Int32Array.from(spans, ({ token }) => token);
  const placeOf = new Map(spans.map(({ token }, place) => [token, place]));
  const start = lastSeqAt(times[Math.min(...spans.map(({ from }) => from))]!);
  const end = lastSeqAt(times[Math.max(...spans.map(({ to }) => to)) - 1]!);
  const isLast = context.config.marks === 'last';
  const newest = await latestPrints(reader, ids, { until: start });
  const before = isLast ? newest : await printMarks(reader, ids, start);
  const voted = await votedBy(reader, ids, timeOf(start));
  const courses = spans.map(({ token }) => new MarkCourse(voted.has(token)));
  const prices = spans.map(({ token, from, to }) => {
    const own = new Float64Array(to - from).fill(Number.NaN);
    own[0] = before.get(token)?.price ?? Number.NaN;
    return own;
  });
  const seqs = spans.map(({ token, from, to }) => {
    const own = new Float64Array(to - from).fill(Number.NaN);
    own[0] = before.get(token)?.seq ?? Number.NaN;
    return own;
  });
  /** The first instant, by number, that a token has a print at. */
  const printed = spans.map(({ token, from, to }) => (newest.has(token) ? from : to));
  const prints = reader.stream({
    table: legsTable,
    columns: ['token', 'seq', 'price', 'standing'],
    where: and(isIn('token', ids), between('seq', start + 1, end), not({ kind: 'missing', column: 'price' })),
    order: ascending('token', 'seq'),
  });
  for await (const { columns: c, length } of prints) {
    for (let row = 0; row < length; row++) {
      const place = placeOf.get(c.token[row]!)!;
      const { from, to } = spans[place]!;
      const instant = Math.max(from, Math.ceil((timeOf(c.seq[row]!) - times[0]!) / interval));
      if (instant < printed[place]!) printed[place] = instant;
      const isMark = courses[place]!.takes(c.standing[row]!) || isLast;
      if (!isMark || instant >= to) continue;
      prices[place]![instant - from] = c.price[row]!;
      seqs[place]![instant - from] = c.seq[row]!;
    }
    await pause.yieldIfDue();
  }
  const { nativePriceOf } = await swapsOfPrints(context, marksAt(spans, seqs));
  const nativeUsd = await nativePricesAt(context, times);
  for (const [place, own] of prices.entries()) {
    const { token, from } = spans[place]!;
    let [price, nativePrice] = [Number.NaN, Number.NaN];
    for (let i = 0; i < own.length; i++) {
      if (!Number.isNaN(own[i]!)) [price, nativePrice] = [own[i]!, nativePriceOf(token, seqs[place]![i]!)];
      own[i] = movedPrice(numbers, price, nativePrice, nativeUsd[from + i]!);
    }
  }
  const { roles } = context;
  if (isLast || !spans.some(({ token }) => roles.rankOf(token) >= 0)) return prices;
  const references = await referencesOf(context, timeOf(start), timeOf(end));
  for (const [place, { token, from, to }] of spans.entries())
    for (let instant = printed[place]!; instant < to; instant++) {
      const known = knownPrice(token, times[instant]!, { roles, references });
      if (!Number.isNaN(known)) prices[place]![instant - from] = known;
    }
  return prices;
}

/** The marks of spans at their places. */
function* marksAt(
  spans: readonly Span[],
  seqs: readonly Float64Array[],
): Generator<{ readonly token: number; readonly seq: number }> {
  for (const [place, own] of seqs.entries())
    for (const seq of own) if (!Number.isNaN(seq)) yield { token: spans[place]!.token, seq };
}
