import { windowSpecs } from '../bag/windows.ts';
import { type Fault, faultError } from '../faults.ts';
import { NO_SWAP } from '../ingest/changes.ts';
import { requireFunctions } from '../metrics/declaration.ts';
import { type Metric, metricPath } from '../metrics/metric.ts';
import { didYouMean, show } from '../nearest.ts';
import type { EntityKind } from '../profiles/fields.ts';
import { resumeColumns } from '../profiles/table.ts';
import { lastSeqAt } from '../records/chain-order.ts';
import { type Batch, NO_ID, type Table } from '../records/columns.ts';
import { dirtyTable, legsTable, swapsTable, tokenRegistryTable, walletRegistryTable } from '../records/tables.ts';
import { foldEntity } from '../refresh/entity-fold.ts';
import { metricValue } from '../refresh/metric-value.ts';
import { StoredEntities } from '../refresh/stored.ts';
import { readProfilesAsOf } from '../storage/meta.ts';
import { and, compare } from '../storage/predicate.ts';
import { formatTime } from '../time.ts';
import { orNull, type QueryContext } from './context.ts';
import { type ExplainRequest, type PageScope, readTradesPage } from './explain-page.ts';
import type { MetricExplanation } from './explain-schema.ts';
import { servedTerms } from './explain-terms.ts';
import { cursorFaults } from './list-place.ts';
import { notFound } from './profiles.ts';

/** What is explained, and what is stored of it. */
interface Explained extends PageScope {
  /** What is stored of the entity, where the instant is that of the stored profile. */
  readonly stored?: StoredEntities;
  /** The metric as it is stored, where its function is not here. */
  readonly storedValue?: number;
}

/**
 * What a metric of the profile of an address is made of: its terms, and a page of the trades that enter, newest first.
 *
 * - As of the instant that the profile holds for, or the one that was asked for. Swaps that came late, after the profile was stored, are in it.
 * - Errors: `not-found`; `invalid-request` for a metric or window that there is not; `invalid-cursor`; `store-mismatch` as of another instant
 *   where the function of the metric is not here.
 */
export async function explainMetric(
  context: QueryContext,
  kind: EntityKind,
  address: string,
  request: ExplainRequest,
): Promise<MetricExplanation> {
  const faults = unknownNames(context, kind, request);
  if (faults.length > 0) throw faultError(faults);
  const explained = await findExplained(context, kind, address, request);
  const { id, asOf, metric, window, stored, storedValue } = explained;
  const scan = { kind, ids: Int32Array.of(id), asOf, stored };
  const fold = await foldEntity(context.reader, scan, context.yielder());
  const bag = fold.bagOf(window);
  const { trades, prints } = fold;
  return {
    as_of: formatTime(asOf),
    metric: metricPath(metric),
    window: window.name,
    value: orNull(storedValue ?? metricValue(metric, bag)),
    unit: metric.unit,
    formula: metric.formula,
    terms: servedTerms(metric, { bag, trades, prints, window }),
    count: bag.buys + bag.sells,
    ...(await readTradesPage(context, explained, fold, request)),
  };
}

/** What is wrong with the rest of a request that is at fault. */
export function explainFaults(
  context: QueryContext,
  kind: EntityKind,
  request: Partial<ExplainRequest>,
): readonly Fault[] {
  return [...unknownNames(context, kind, request), ...cursorFaults(request)];
}

function unknownNames(context: QueryContext, kind: EntityKind, request: Partial<ExplainRequest>): readonly Fault[] {
  const known = {
    metric: metricsOf(context, kind).map(metricPath),
    window: windowSpecs[kind].map(({ name }): string => name),
  };
  return (['metric', 'window'] as const).flatMap((path): Fault[] => {
    const name = request[path];
    if (name === undefined || known[path].includes(name)) return [];
    const names = path === 'window' ? ` Windows: ${known.window.join(', ')}.` : '';
    const message = `There is no ${path} ${show(name)} of ${kind}.${didYouMean(name, known[path])}${names}`;
    return [{ code: 'invalid-request', path, message }];
  });
}

function metricsOf({ metrics }: QueryContext, kind: EntityKind): readonly Metric[] {
  return metrics.filter(({ of }) => of.includes(kind));
}

async function findExplained(
  context: QueryContext,
  kind: EntityKind,
  address: string,
  request: ExplainRequest,
): Promise<Explained> {
  const { reader } = context;
  const metric = metricsOf(context, kind).find((one) => metricPath(one) === request.metric)!;
  const window = windowSpecs[kind].find(({ name }) => name === request.window)!;
  const id = await context.dictionary.findOne(reader, address);
  if (id === NO_ID) throw notFound(kind, address);
  const of = { kind, id, metric, window };
  if (context.isAsOfAsked) {
    requireFunctions([metric], 'An explanation as of another instant');
    if (!(await isKnown(context, kind, id))) throw notFound(kind, address);
    return { ...of, asOf: context.asOf };
  }
  const column = `metrics.${window.name}.${request.metric}`;
  const rows = (await reader.read({
    table: context.shapes[kind].table,
    columns: ['id', 'fresh_until', ...Object.keys(resumeColumns), ...(metric.isStoredOnly ? [column] : [])],
    where: compare('id', 'eq', id),
  })) as Batch;
  if (rows.length === 0) throw notFound(kind, address);
  const until = (rows.columns.fresh_until as Float64Array)[0]!;
  const since = await changedSince(context, kind, id);
  return {
    ...of,
    asOf: Math.min(until, (await readProfilesAsOf(reader)) ?? context.asOf),
    stored: new StoredEntities(kind, rows, () => since),
    ...(metric.isStoredOnly ? { storedValue: (rows.columns[column] as Float64Array)[0]! } : {}),
  };
}

/** Whether an entity has a profile at the as-of time: a swap by then, or a row of the registry. */
async function isKnown({ reader, asOf }: QueryContext, kind: EntityKind, id: number): Promise<boolean> {
  const until = compare('seq', 'lte', lastSeqAt(asOf));
  const [swaps, key] = kind === 'tokens' ? ([legsTable, 'token'] as const) : ([swapsTable, 'wallet'] as const);
  const first = { columns: ['seq'], where: and(compare(key, 'eq', id), until), limit: 1 };
  if ((await reader.read({ table: swaps as Table, ...first })).length > 0) return true;
  const table: Table = kind === 'tokens' ? tokenRegistryTable : walletRegistryTable;
  return (await reader.read({ table, columns: ['id'], where: compare('id', 'eq', id) })).length > 0;
}

/** Block time of the first swap of an entity that changed since its profile was folded. */
async function changedSince({ reader }: QueryContext, kind: EntityKind, id: number): Promise<number> {
  const { columns } = await reader.read({
    table: dirtyTable,
    columns: ['since'],
    where: and(compare('entity', 'eq', kind), compare('id', 'eq', id)),
  });
  return columns.since[0] ?? NO_SWAP;
}
