import { type Fault, faultError, requestError } from '../faults.ts';
import { requireWindow } from '../ingest/carried.ts';
import { type Metric, metricPath } from '../metrics/metric.ts';
import { didYouMean, show } from '../nearest.ts';
import type { ProfileKind } from '../records/profile-fields.ts';
import { formatTime } from '../time.ts';
import type { QueryContext } from './context.ts';
import { columnsOf, headOf, readTradesPage, wantedOf } from './explain-head.ts';
import { explainedHoldings, explainHolding, isHolding } from './explain-holding.ts';
import { explainedRecord, explainRecord, isOfRecord } from './explain-record.ts';
import type { ExplainRequest, MetricExplanation } from './explain-schema.ts';
import { type Asked, findEntity, findPosition, type Subject, windowsOf } from './explain-subject.ts';
import { cursorFaults, readCursorAsOf, writeCursorAsOf } from './list-place.ts';

/**
 * What a metric of a profile is made of: its terms, and a page of the trades that enter, newest first.
 *
 * - As of the instant that the profile holds for, or the one that was asked for. Swaps that came late, after the profile was stored, are in it.
 *   Later pages are of the instant of the first, whatever was refreshed since.
 * - Errors: `not-found`; `invalid-request` for a metric or window that there is not; `invalid-cursor`; `store-mismatch` as of another instant
 *   if the function of the metric is not here.
 */
export async function explainMetric(
  context: QueryContext,
  kind: ProfileKind,
  request: ExplainRequest,
): Promise<MetricExplanation> {
  const faults = unknownNames(context, kind, request);
  if (faults.length > 0) throw faultError(faults);
  const begun = request.cursor === undefined ? undefined : readCursorAsOf(LIST, request, request.cursor);
  if (begun !== undefined && context.isAsOfAsked && begun.asOf !== context.asOf) throw ofAnotherInstant(begun.asOf);
  if (isHolding(request.metric)) return explainHolding(context, { ...request, metric: request.metric }, LIST, begun);
  if (isOfRecord(request.metric)) return explainRecord(context, { ...request, metric: request.metric }, LIST, begun);
  const metric = metricsOf(context, kind).find((one) => metricPath(one) === request.metric)!;
  const window = windowsOf(kind).find(({ name }) => name === request.window)!;
  const asked = { metric, window, asOf: begun?.asOf };
  const wanted = wantedOf(context, kind, asked);
  const subject = await findSubject(context, kind, request, asked, columnsOf(wanted, metric));
  requireWindow({ asOf: subject.asOf, horizon: context.horizon }, window.seconds, 'An explanation');
  const { value, terms, count, best } = await headOf(context, subject, asked, wanted);
  const page = { metric, window, limit: request.limit, place: begun?.place, best };
  const { trades, moves, next } = await readTradesPage(context, subject, page);
  return {
    as_of: formatTime(subject.asOf),
    metric: metricPath(metric),
    window: window.name,
    value,
    unit: metric.unit,
    formula: metric.formula,
    terms,
    count,
    ...(next === undefined ? {} : { cursor: writeCursorAsOf(LIST, request, subject.asOf, next) }),
    trades,
    moves,
  };
}

/** What cursors of explanations are of. */
const LIST = 'explain';

/** What is wrong with the rest of a request that is at fault. */
export function explainFaults(
  context: QueryContext,
  kind: ProfileKind,
  request: Partial<ExplainRequest>,
): readonly Fault[] {
  return [...unknownNames(context, kind, request), ...cursorFaults(request)];
}

function unknownNames(context: QueryContext, kind: ProfileKind, request: Partial<ExplainRequest>): readonly Fault[] {
  const windows = windowsOf(kind).map(({ name }): string => name);
  const holdings = windowless[kind];
  const known = { metric: [...metricsOf(context, kind).map(metricPath), ...holdings], window: windows };
  const named = (['metric', 'window'] as const).flatMap((path): Fault[] => {
    const name = request[path];
    if (name === undefined || known[path].includes(name)) return [];
    const names = path === 'window' ? ` Windows: ${windows.join(', ')}.` : '';
    return [fault(path, `There is no ${path} ${show(name)} of ${kind}.${didYouMean(name, known[path])}${names}`)];
  });
  return [...named, ...wrongWindow(kind, request, windows)];
}

/** What can be explained without a window. */
export const windowless: Readonly<Record<ProfileKind, readonly string[]>> = {
  tokens: [],
  wallets: explainedRecord,
  positions: explainedHoldings,
};

/** Metrics have a window, the others have none. Tokens need one by their schema. */
function wrongWindow(
  kind: ProfileKind,
  { metric, window }: Partial<ExplainRequest>,
  windows: readonly string[],
): readonly Fault[] {
  if (kind === 'tokens' || metric === undefined) return [];
  const hasNone = windowless[kind].includes(metric);
  if (hasNone && window !== undefined)
    return [fault('window', `${show(metric)} is of the whole history and has no window: leave "window" out.`)];
  if (!hasNone && window === undefined)
    return [fault('window', `A metric is of a window: give "window", one of ${windows.join(', ')}.`)];
  return [];
}

const fault = (path: string, message: string): Fault => ({ code: 'invalid-request', path, message });

function metricsOf({ metrics }: QueryContext, kind: ProfileKind): readonly Metric[] {
  return metrics.filter(({ of }) => of.includes(kind));
}

function ofAnotherInstant(asOf: number) {
  const message = `"cursor" belongs to an explanation as of ${formatTime(asOf)}; ask for that instant or for none, or start without a cursor.`;
  return requestError('invalid-cursor', 'cursor', message);
}

function findSubject(
  context: QueryContext,
  kind: ProfileKind,
  { wallet = '', token = '' }: ExplainRequest,
  asked: Asked,
  columns: readonly string[],
): Promise<Subject> {
  if (kind === 'positions') return findPosition(context, { wallet, token }, asked, columns);
  return findEntity(context, kind, kind === 'tokens' ? token : wallet, asked, columns);
}
