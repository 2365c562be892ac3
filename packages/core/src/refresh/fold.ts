import type { Bag } from '../bag/bag.ts';
import { type EntityPrints, type EntityTrades, firstAfter, noPrints, openCostAt } from '../bag/entity.ts';
import { type EntityFees, noFees } from '../bag/fees.ts';
import { WindowsFold } from '../bag/fold.ts';
import { type Lifetime, storedLifetime } from '../bag/lifetime.ts';
import { bucketSeconds, type WindowSpec, windowSpecs } from '../bag/windows.ts';
import { fillSearchColumns } from '../filter/words.ts';
import { requireWindow } from '../ingest/carried.ts';
import { nativePriceAt } from '../market-data/native-price.ts';
import { builtInMetrics } from '../metrics/built-in.ts';
import { type Metric, metricPath, metricValue } from '../metrics/metric.ts';
import { percent } from '../metrics/numbers.ts';
import type { StoredOfLifetime } from '../profiles/sections/record.ts';
import { type Batch, type ColumnData, concatBatches, newColumn, type Table, takeRows } from '../records/columns.ts';
import type { EntityKind } from '../records/profile-fields.ts';
import { wallClock } from '../time.ts';
import { type Yielder, yielder } from '../yielder.ts';
import type { FoldContext } from './context.ts';
import type { ContinuedPositions } from './continued-positions.ts';
import { type CompiledRule, flipsOf, labelsFreshUntil, movedRules, rulesAt, writeLabels } from './labels.ts';
import { FOREVER, finite } from './position-rows.ts';
import { type EntityReads, isMetricColumn, readEntities, readHistory } from './read.ts';
import type { TradeRows } from './trade-log.ts';
import { EntityCursor, type EntityScan } from './trades.ts';

/** How profiles are made of what was read. */
export interface FoldOptions {
  readonly rules: readonly CompiledRule[];
  /** When the profiles are made, Unix seconds. */
  readonly syncedAt: number;
  /** Positions of the wallets that are folded, to be folded with them. */
  readonly positions?: ContinuedPositions | undefined;
}

/** Profiles that are folded column beside column. */
const BLOCK = 500;

/** Profiles that are given, and appended, together: a wide table costs engines as much for ten rows as for a thousand. */
const TOGETHER = 2000;

/**
 * Profile rows of entities, whose `ids` ascend, at the context's as-of time, read and folded from the first swap on. Entities that have no
 * swap by then and are in no registry have no row.
 */
export async function foldProfiles(context: FoldContext, kind: EntityKind, ids: Int32Array): Promise<Batch> {
  const { table } = context.shapes[kind];
  requireWindow(context, windowSpecs[kind][0]!.seconds, 'A profile');
  const reads = await readEntities(context, { kind, ids, asOf: context.asOf });
  const nativeUsd = await nativePriceAt(context, context.asOf);
  const options = { rules: movedRules(rulesAt(context)[kind], nativeUsd), syncedAt: wallClock() };
  const blocks: Batch[] = [];
  for await (const block of foldEntities(context, reads, options)) blocks.push(block);
  return concatBatches(table, Object.keys(table.columns), blocks);
}

/**
 * Folds entities that were read, some thousands at a time: the one way that a profile comes to be, for storing and for single lookups.
 * Other work of the process has its turn meanwhile.
 */
export async function* foldEntities(
  context: FoldContext,
  reads: EntityReads,
  options: FoldOptions,
): AsyncGenerator<Batch> {
  const { kind } = reads.scan;
  const cursor = new EntityCursor(reads.scan, reads.trades, reads.facts);
  const fold = new WindowsFold(windowSpecs[kind], bucketSeconds[kind], context.config.wash);
  const flips = flipsOf(options.rules, context.asOf);
  const pause = yielder();
  const { table } = context.shapes[kind];
  const names = Object.keys(table.columns);
  let blocks: Batch[] = [];
  for (let from = 0; from < reads.ids.length; from += BLOCK) {
    const to = Math.min(from + BLOCK, reads.ids.length);
    blocks.push(await foldBlock(context, reads, options, { from, to, cursor, fold, flips, pause }));
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
  context: FoldContext,
  reads: EntityReads,
  { rules, syncedAt, positions }: FoldOptions,
  { from, to, cursor, fold, flips, pause }: Block,
): Promise<Batch> {
  const { kind } = reads.scan;
  const { table, fields } = context.shapes[kind];
  const all = blockRows(table, reads.baseColumns, from, to);
  (all.columns.synced_at as Float64Array).fill(syncedAt);
  (all.columns.folded_as_of as Float64Array).fill(context.asOf);
  const cost = {
    sum: all.columns.cost_sum as Float64Array,
    low: all.columns.cost_low as Float64Array,
    positions: all.columns.cost_positions as Float64Array,
  };
  const windows = metricColumns(kind, context.metrics, all);
  const hasOwn = context.metrics.length > builtInMetrics.length;
  const lastTradeAt = all.columns['metadata.last_trade_at'] as Float64Array;
  const fresh = all.columns.fresh_until as Float64Array;
  const existing: number[] = [];
  for (let row = 0; row < all.length; row++) {
    if (reads.exists[from + row] === 0) continue;
    existing.push(row);
    const id = reads.ids[from + row]!;
    const trades = await cursor.take(id, pause);
    const prints = reads.prints.get(id) ?? noPrints;
    const fees = reads.fees.get(id) ?? noFees;
    const moved = reads.moved.get(id);
    if (pause.isDue()) await pause.take();
    for (const _ of fold.steps(trades, prints, context.asOf, { fees, moved })) await pause.yieldIfDue();
    let isMoving = false;
    for (const [w, written] of windows.entries()) {
      const bag = fold.bags[w]!;
      const isOpen = hasOwn && (bag.averageOpenCost !== 0 || openCostAt(trades, context.asOf) !== 0);
      const seen = hasOwn ? watched(bag, (fact) => (isMoving ||= fact === 'asOf' || isOpen)) : bag;
      for (const { metric, column, isOwn } of written) column[row] = metricValue(metric, isOwn ? seen : bag);
    }
    await positions?.take(id, cursor.log, pause);
    fresh[row] = isMoving ? context.asOf : freshUntil(kind, { trades, prints, fees }, context.asOf);
    if (trades.length > 0) lastTradeAt[row] = trades.time[trades.length - 1]!;
    const { openCost } = cursor.checkpoint;
    cost.sum[row] = openCost.sum;
    cost.low[row] = openCost.low;
    cost.positions[row] = openCost.positions;
    if (kind === 'wallets') writeLifetimes(all, row, cursor.lifetimes);
  }
  const rows = (existing.length === all.length ? all : takeRows(all, existing)) as Batch;
  if (pause.isDue()) await pause.take();
  fillSearchColumns(fields, rows);
  writeLabels(rows, rules, (row) => reads.registered[from + existing[row]!] ?? []);
  const until = rows.columns.fresh_until as Float64Array;
  for (let row = 0; row < rows.length; row++)
    until[row] = Math.min(until[row]!, labelsFreshUntil(rows, row, flips, context.asOf));
  return rows;
}

/** Writes what a wallet's trades add up to: until where they can be taken up again, and all of them. */
function writeLifetimes(
  { columns }: Batch,
  row: number,
  [until, all]: readonly [until: Lifetime, all: Lifetime],
): void {
  (columns.lifetime_before as (string | null)[])[row] = storedLifetime(until);
  const values: Readonly<Record<StoredOfLifetime, number>> = {
    'lifetime.first_trade_at': all.first,
    'lifetime.trade_count': all.trades,
    'lifetime.volume': all.volume,
    'lifetime.realized_pnl': all.pnl,
    'lifetime.realized_cost': all.cost,
    'lifetime.realized_roi': percent(all.pnl, all.cost) ?? Number.NaN,
    'lifetime.realized_pnl_native': all.pnlNative,
    'lifetime.win_count': all.wins,
    'lifetime.loss_count': all.losses,
    'lifetime.winrate': percent(all.wins, all.wins + all.losses) ?? Number.NaN,
    'lifetime.days_active': all.days,
    'lifetime.unmatched_proceeds': all.unmatched,
    'lifetime.unmatched_share': percent(all.unmatched, all.sold) ?? Number.NaN,
  };
  for (const [name, value] of Object.entries(values)) (columns[name] as Float64Array)[row] = finite(value);
}

/** Rows `from` to `to` of the base columns, with empty columns for the metrics. */
function blockRows(table: Table, baseColumns: Batch, from: number, to: number): Batch {
  const columns: Record<string, ColumnData> = {};
  for (const [name, type] of Object.entries(table.columns))
    columns[name] = isMetricColumn(name)
      ? newColumn(type, to - from)
      : (baseColumns.columns[name] as Float64Array).slice(from, to);
  return { length: to - from, columns };
}

/** Facts that move with every second, the second one if anything is open. */
const moving = ['asOf', 'averageOpenCost'] as const;

/** The bag for metrics of an embedder: `onRead` is called with each of those facts that they read. */
function watched(bag: Bag, onRead: (fact: (typeof moving)[number]) => unknown): Bag {
  const get = (fact: (typeof moving)[number]) => () => {
    onRead(fact);
    return bag[fact];
  };
  return Object.create(bag, Object.fromEntries(moving.map((fact) => [fact, { get: get(fact) }]))) as Bag;
}

/** The metrics of each window with their columns. */
function metricColumns(kind: EntityKind, metrics: readonly Metric[], rows: Batch) {
  const own = metrics.filter((metric) => metric.of.includes(kind));
  return windowSpecs[kind].map(({ name }) =>
    own.map((metric) => ({
      metric,
      column: rows.columns[`metrics.${name}.${metricPath(metric)}`] as Float64Array,
      isOwn: !builtInMetrics.includes(metric),
    })),
  );
}

/**
 * The last as-of time for which a profile folded at `asOf` still holds, as long as nothing is ingested for its entity:
 * the second before the first trade, print or fee passes the edge of a period (or window).
 */
function freshUntil(
  kind: EntityKind,
  { trades, prints, fees }: { readonly trades: EntityTrades; readonly prints: EntityPrints; readonly fees: EntityFees },
  asOf: number,
): number {
  let until = FOREVER;
  for (const window of windowSpecs[kind]) {
    until = Math.min(
      until,
      nextEdge(trades.time, trades.length, window, asOf),
      nextEdge(prints.time, prints.length, window, asOf),
      // No period counts them.
      nextEdge(fees.time, fees.time.length, { ...window, period: window.seconds }, asOf),
    );
    if (kind === 'wallets' && until > asOf && isTurnoverMoving(trades, window, asOf)) until = asOf;
    if (until <= asOf) return asOf;
  }
  return until;
}

function nextEdge(times: ArrayLike<number>, length: number, window: WindowSpec, asOf: number): number {
  let until = FOREVER;
  for (let i = length - 1; i >= 0; i--) {
    const age = asOf - times[i]!;
    if (age >= window.seconds) break;
    const edge = times[i]! + (Math.floor(age / window.period) + 1) * window.period;
    if (edge - 1 < until) until = edge - 1;
    if (until <= asOf) break;
  }
  return until;
}

/**
 * The time average of the open cost moves with every second, unless nothing enters the window and nothing leaves it: where as much
 * enters as leaves, its last bits still may. Without a realised or small sell only its being 0 counts, which a buy at the as-of time ends.
 */
function isTurnoverMoving(trades: EntityTrades, window: WindowSpec, asOf: number): boolean {
  const first = firstAfter(trades.time, trades.length, asOf - window.seconds);
  const before = openCostAt(trades, asOf - window.seconds);
  const after = openCostAt(trades, asOf);
  if (before === 0 && after === 0) return false;
  if (trades.time[trades.length - 1] === asOf) return true;
  for (let i = first; i < trades.length; i++) if (!Number.isNaN(trades.pnl[i]!)) return true;
  return false;
}

/** One entity as a fold leaves it: what was read of it, and the bag of a window. */
export interface EntityFold {
  readonly trades: EntityTrades;
  readonly prints: EntityPrints;
  /** The trades as they are stored, oldest first. */
  readonly rows: readonly TradeRows[];
  readonly bag: Bag;
}

/**
 * Folds a window of the one entity of a scan: the bag is the one that its profile is made of, to the bit, as far as it is of what the scan
 * reads.
 */
export async function foldEntity(
  context: Pick<FoldContext, 'reader' | 'config' | 'roles'>,
  scan: EntityScan,
  window: WindowSpec,
  pause: Yielder,
): Promise<EntityFold> {
  const { kind, asOf } = scan;
  const id = scan.ids[0]!;
  const history = await readHistory(context, scan);
  const windows = windowSpecs[kind];
  const fold = new WindowsFold(windows, bucketSeconds[kind], context.config.wash);
  const trades = await new EntityCursor(scan, history.trades, history.facts).take(id, pause);
  const prints = history.prints.get(id) ?? noPrints;
  const beside = { fees: history.fees.get(id), moved: history.moved.get(id) };
  for (const _ of fold.steps(trades, prints, asOf, beside)) await pause.yieldIfDue();
  return {
    trades,
    prints,
    rows: [...history.trades.runs.values()].flat(),
    bag: fold.bags[windows.indexOf(window)]!,
  };
}
