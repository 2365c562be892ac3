import type { Bag } from '../bag/bag.ts';
import { type EntityPrints, noPrints } from '../bag/entity.ts';
import { WindowsFold } from '../bag/fold.ts';
import { bucketSeconds, windowSpecs } from '../bag/windows.ts';
import { SwapfoldError } from '../errors.ts';
import { fillSearchColumns } from '../filter/search-columns.ts';
import { type Metric, metricPath } from '../metrics/metric.ts';
import { show } from '../nearest.ts';
import { addressField } from '../profiles/catalogue.ts';
import type { ProfileKind } from '../profiles/fields.ts';
import type { QueryContext } from '../queries/context.ts';
import { type Batch, type ColumnData, concatBatches, newColumn, type Table, takeRows } from '../records/columns.ts';
import { type Yielder, yielder } from '../yielder.ts';
import { EntityCursor, type EntityScan, readTrades, type TradeReads } from './entities.ts';
import { fillLastTrade, fillNewestSwap, fillTokenRegistry, fillWalletRegistry } from './fill-base-columns.ts';
import { fillMarket } from './fill-market.ts';
import { freshUntil } from './fresh-until.ts';
import { type CompiledRule, flipsOf, labelsFreshUntil, writeLabels } from './labels.ts';
import { readPrints } from './prints.ts';
import type { RefreshCache } from './refresh-cache.ts';
import type { StoredEntities } from './stored.ts';
import { readTokenFacts, type TokenFacts } from './token-facts.ts';

export interface FoldProfiles {
  readonly kind: ProfileKind;
  readonly ids: Int32Array;
  readonly metrics: readonly Metric[];
  readonly rules: readonly CompiledRule[];
  /** When the profiles are made, Unix seconds. */
  readonly syncedAt: number;
}

/** Profiles that are folded column beside column. */
const BLOCK = 500;

/** Profiles that are given, and appended, together: a wide table costs engines as much for ten rows as for a thousand. */
const TOGETHER = 2000;

/**
 * Profile rows of entities at the context's as-of time: the one way that a profile comes to be, for storing and for single look-ups.
 * Entities that have no swap by then and are in no registry have no row.
 */
export async function foldProfiles(context: QueryContext, request: FoldProfiles): Promise<Batch> {
  const { table } = context.shapes[request.kind];
  const blocks: Batch[] = [];
  for await (const block of profileBlocks(context, request, await readEntities(context, request.kind, request.ids)))
    blocks.push(block);
  return concatBatches(table, Object.keys(table.columns), blocks);
}

/** What is read of entities before they are folded. */
export interface EntityReads {
  readonly ids: Int32Array;
  /** Rows of the profile table, one an id, with what does not come from a fold. */
  readonly baseColumns: Batch;
  /** By row of the base columns: whether the entity has a swap or is in the registry, and the labels it has there. */
  readonly exists: Uint8Array;
  readonly registered: readonly (readonly string[])[];
  readonly prints: ReadonlyMap<number, EntityPrints>;
  readonly scan: EntityScan;
  readonly trades: TradeReads;
  readonly facts: TokenFacts;
}

/**
 * Reads what profiles of entities are made of; `ids` have to ascend. Where `stored` is given, only what can have changed since their
 * stored profiles were folded and is not `cached`.
 */
export async function readEntities(
  context: QueryContext,
  kind: ProfileKind,
  ids: Int32Array,
  stored?: StoredEntities,
  cached?: RefreshCache,
): Promise<EntityReads> {
  const { reader } = context;
  const scan: EntityScan = { kind, ids, asOf: context.asOf, stored, cached };
  const pause = yielder();
  const baseColumns = newBaseColumns(context.shapes[kind].table, ids);
  const rowOf = new Map(Array.from(ids, (id, row) => [id, row]));
  await context.dictionary.load(reader, ids);
  const address = baseColumns.columns[addressField[kind]] as (string | null)[];
  for (const [row, id] of ids.entries()) address[row] = context.dictionary.textOf(id);
  await pause.yieldIfDue();
  const exists = await fillNewestSwap(context, baseColumns, kind, rowOf, stored);
  await pause.yieldIfDue();
  const registered =
    kind === 'tokens'
      ? await fillTokenRegistry(context, baseColumns, rowOf, exists)
      : await fillWalletRegistry(context, baseColumns, rowOf, exists);
  await pause.yieldIfDue();
  if (kind === 'tokens') await fillMarket(context, baseColumns, scan);
  await pause.yieldIfDue();
  await fillLastTrade(context, baseColumns, scan);
  await pause.yieldIfDue();
  const trades = await readTrades(reader, scan);
  return {
    ids,
    scan,
    baseColumns,
    exists,
    registered,
    prints: kind === 'tokens' ? await readPrints(reader, scan) : new Map(),
    trades,
    facts: await readTokenFacts(reader, kind === 'tokens' ? ids : await tokensOf(trades)),
  };
}

/** Most tokens whose registry rows are looked up one by one. */
const FEW = 2000;

/** The tokens of trades, where they are few. Other work of the process has its turn meanwhile. */
async function tokensOf({ runs }: TradeReads): Promise<Int32Array | undefined> {
  const tokens = new Set<number>();
  const pause = yielder();
  for (const pieces of runs.values()) {
    for (const { columns } of pieces) {
      await pause.yieldIfDue();
      for (const token of columns.token) if (tokens.add(token).size > FEW) return undefined;
    }
  }
  return Int32Array.from(tokens);
}

/** Folds entities that were read, some thousands at a time. Other work of the process has its turn meanwhile. */
export async function* profileBlocks(
  context: QueryContext,
  request: Omit<FoldProfiles, 'ids'>,
  reads: EntityReads,
): AsyncGenerator<Batch> {
  const cursor = new EntityCursor(reads.scan, reads.trades, reads.facts);
  const fold = new WindowsFold(windowSpecs[request.kind], bucketSeconds[request.kind]);
  const flips = flipsOf(request.rules, context.asOf);
  const pause = yielder();
  const { table } = context.shapes[request.kind];
  const names = Object.keys(table.columns);
  let blocks: Batch[] = [];
  for (let from = 0; from < reads.ids.length; from += BLOCK) {
    const to = Math.min(from + BLOCK, reads.ids.length);
    blocks.push(await foldBlock(context, request, reads, { from, to, cursor, fold, flips, pause }));
    if (to < reads.ids.length && blocks.length * BLOCK < TOGETHER) continue;
    const together = blocks.length === 1 ? blocks[0]! : concatBatches(table, names, blocks);
    await pause.yieldIfDue();
    yield together;
    blocks = [];
  }
}

interface Block {
  readonly from: number;
  readonly to: number;
  readonly cursor: EntityCursor;
  readonly fold: WindowsFold;
  readonly flips: ReturnType<typeof flipsOf>;
  readonly pause: Yielder;
}

async function foldBlock(
  context: QueryContext,
  request: Omit<FoldProfiles, 'ids'>,
  reads: EntityReads,
  { from, to, cursor, fold, flips, pause }: Block,
): Promise<Batch> {
  const { kind } = request;
  const { table, fields } = context.shapes[kind];
  const all = blockRows(table, reads.baseColumns, from, to);
  (all.columns.synced_at as Float64Array).fill(request.syncedAt);
  (all.columns.folded_as_of as Float64Array).fill(context.asOf);
  const cost = {
    sum: all.columns.cost_sum as Float64Array,
    low: all.columns.cost_low as Float64Array,
    positions: all.columns.cost_positions as Float64Array,
  };
  const windows = metricColumns(kind, request.metrics, all);
  const lastTradeAt = all.columns['metadata.last_trade_at'] as Float64Array;
  const fresh = all.columns.fresh_until as Float64Array;
  const existing: number[] = [];
  for (let row = 0; row < all.length; row++) {
    if (reads.exists[from + row] === 0) continue;
    existing.push(row);
    const id = reads.ids[from + row]!;
    const trades = await cursor.take(id, pause);
    const prints = reads.prints.get(id) ?? noPrints;
    if (pause.isDue()) await pause.take();
    for (const _ of fold.steps(trades, prints, context.asOf, cursor.bucketSums)) await pause.yieldIfDue();
    for (const [w, { values, columns }] of windows.entries())
      for (let m = 0; m < values.length; m++) columns[m]![row] = values[m]!(fold.bags[w]!);
    fresh[row] = freshUntil(kind, trades, prints, context.asOf);
    if (trades.length > 0) lastTradeAt[row] = trades.time[trades.length - 1]!;
    const { openCost } = cursor.checkpoint;
    cost.sum[row] = openCost.sum;
    cost.low[row] = openCost.low;
    cost.positions[row] = openCost.positions;
  }
  const rows = (existing.length === all.length ? all : takeRows(all, existing)) as Batch;
  if (pause.isDue()) await pause.take();
  fillSearchColumns(kind, fields, rows);
  writeLabels(rows, request.rules, (row) => reads.registered[from + existing[row]!] ?? []);
  const until = rows.columns.fresh_until as Float64Array;
  for (let row = 0; row < rows.length; row++)
    until[row] = Math.min(until[row]!, labelsFreshUntil(rows, row, flips, context.asOf));
  return rows;
}

const isMetric = (column: string): boolean => column.startsWith('metrics.');

/** Rows for the ids, with all columns but those of metrics. */
function newBaseColumns(table: Table, ids: Int32Array): Batch {
  const columns: Record<string, ColumnData> = {};
  for (const [name, type] of Object.entries(table.columns)) {
    if (isMetric(name)) continue;
    const column: ColumnData = newColumn(type, ids.length);
    columns[name] = column instanceof Float64Array ? column.fill(Number.NaN) : column;
  }
  columns.id = ids;
  return { length: ids.length, columns };
}

/** Rows `from` to `to` of the base columns, with empty columns for the metrics. */
function blockRows(table: Table, baseColumns: Batch, from: number, to: number): Batch {
  const columns: Record<string, ColumnData> = {};
  for (const [name, type] of Object.entries(table.columns))
    columns[name] = isMetric(name)
      ? newColumn(type, to - from)
      : (baseColumns.columns[name] as Float64Array).slice(from, to);
  return { length: to - from, columns };
}

/** Where each metric of each window is written, and how its value is served. */
function metricColumns(kind: ProfileKind, metrics: readonly Metric[], rows: Batch) {
  const own = metrics.filter((metric) => metric.of.includes(kind));
  const values = own.map(
    (metric) =>
      (bag: Bag): number =>
        served(metric, questioned(metric, bag)),
  );
  return windowSpecs[kind].map((window) => ({
    values,
    columns: own.map((metric) => rows.columns[`metrics.${window.name}.${metricPath(metric)}`] as Float64Array),
  }));
}

/** Errors: `metric-failed` where the function of the metric throws, with that as cause. */
function questioned(metric: Metric, bag: Bag): number | null {
  try {
    return metric.value(bag);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : show(cause);
    throw new SwapfoldError('metric-failed', `The metric "${metricPath(metric)}" failed: ${reason}`, { cause });
  }
}

/** A metric as it is stored and served: finite or `NaN`, durations in whole seconds, no negative zero. */
function served(metric: Metric, value: number | null): number {
  if (value === null || !Number.isFinite(value)) return Number.NaN;
  return (metric.unit === 'seconds' ? Math.floor(value + 0.5) : value) + 0;
}
