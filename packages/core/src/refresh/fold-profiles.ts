import { type EntityPrints, type EntityTrades, newEntityTrades, noPrints } from '../bag/entity.ts';
import { foldBag } from '../bag/fold.ts';
import { windowSpecs } from '../bag/windows.ts';
import { fillCompanions } from '../filter/companions.ts';
import { type Metric, metricPath } from '../metrics/metric.ts';
import { addressField } from '../profiles/catalogue.ts';
import type { ProfileKind } from '../profiles/fields.ts';
import { lastSeq, type QueryContext } from '../queries/context.ts';
import { latestPrints } from '../queries/latest-prints.ts';
import { readSupplies } from '../queries/supplies.ts';
import { swapSymbols } from '../queries/swap-symbols.ts';
import { timeOf } from '../records/chain-order.ts';
import { type Batch, type ColumnData, newBatch, takeRows } from '../records/columns.ts';
import { legsTable, swapsTable, tokenRegistryTable, walletRegistryTable } from '../records/tables.ts';
import { isIn } from '../storage/predicate.ts';
import { readCreationTimes } from './creation-times.ts';
import { forEachEntity } from './entities.ts';
import { freshUntil } from './fresh-until.ts';
import { type Holders, readHolders } from './holders.ts';
import { type CompiledRule, flipsOf, labelsFreshUntil, writeLabels } from './labels.ts';
import { readPrints } from './prints.ts';

export interface FoldProfiles {
  readonly kind: ProfileKind;
  readonly ids: Int32Array;
  readonly metrics: readonly Metric[];
  readonly rules: readonly CompiledRule[];
  /** When the profiles are made, Unix seconds. */
  readonly syncedAt: number;
}

const noTrades = newEntityTrades(0);

/**
 * Profile rows of entities at the context's as-of time: the one way that a profile comes to be, for storing and for single look-ups.
 * Entities that have no swap by then and are in no registry have no row.
 */
export async function foldProfiles(context: QueryContext, request: FoldProfiles): Promise<Batch> {
  const { kind, ids } = request;
  const rows = newBatch(context.shapes[kind].table, ids.length);
  const rowOf = new Map(Array.from(ids, (id, row) => [id, row]));
  for (const column of Object.values(rows.columns)) if (column instanceof Float64Array) column.fill(Number.NaN);
  rows.columns.id!.forEach((_, row) => {
    (rows.columns.id as Int32Array)[row] = ids[row]!;
  });
  await context.dictionary.load(context.reader, ids);
  const address = rows.columns[addressField[kind]] as (string | null)[];
  for (const [row, id] of ids.entries()) address[row] = context.dictionary.textOf(id);
  (rows.columns.synced_at as Float64Array).fill(request.syncedAt);

  const exists = await fillNewestSwap(context, rows, kind, rowOf);
  const registered =
    kind === 'tokens'
      ? await fillTokenRegistry(context, rows, rowOf, exists)
      : await fillWalletRegistry(context, rows, rowOf, exists);
  const prints =
    kind === 'tokens' ? await readPrints(context.reader, ids, windowSpecs.tokens[0]!.seconds, context.asOf) : undefined;
  await fillMetrics(context, rows, rowOf, request, prints);
  if (kind === 'tokens') await fillMarket(context, rows, ids);
  const kept = takeRows(
    rows,
    Array.from(ids.keys()).filter((row) => exists[row] === 1),
  ) as Batch;
  const keptLabels = ids.length === kept.length ? registered : registered.filter((_, row) => exists[row] === 1);
  fillCompanions(kind, context.shapes[kind].fields, kept);
  writeLabels(kept, request.rules, (row) => keptLabels[row] ?? []);
  const fresh = kept.columns.fresh_until as Float64Array;
  const flips = flipsOf(request.rules, context.asOf);
  for (let row = 0; row < kept.length; row++)
    fresh[row] = Math.min(fresh[row]!, labelsFreshUntil(kept, row, flips, context.asOf));
  return kept;
}

async function fillNewestSwap(
  context: QueryContext,
  rows: Batch,
  kind: ProfileKind,
  rowOf: ReadonlyMap<number, number>,
): Promise<Uint8Array> {
  const exists = new Uint8Array(rows.length);
  const query = { keys: rows.columns.id as Int32Array, by: 'seq', until: lastSeq(context) } as const;
  const newest =
    kind === 'tokens'
      ? (await context.reader.latest({ table: legsTable, columns: ['token', 'seq'], key: 'token', ...query })).columns
      : (await context.reader.latest({ table: swapsTable, columns: ['wallet', 'seq'], key: 'wallet', ...query }))
          .columns;
  const ids = 'token' in newest ? newest.token : newest.wallet;
  for (const [i, id] of ids.entries()) {
    const row = rowOf.get(id)!;
    exists[row] = 1;
    (rows.columns.updated_at as Float64Array)[row] = timeOf(newest.seq[i]!);
  }
  return exists;
}

const tokenMetadata = [
  'name',
  'image',
  'verified',
  'creator_address',
  'created_at',
  'twitter',
  'discord',
  'website',
  'telegram',
] as const;
const tokenMarket = ['total_supply', 'circulating_supply', 'liquidity', 'holders'] as const;

async function fillTokenRegistry(
  context: QueryContext,
  rows: Batch,
  rowOf: ReadonlyMap<number, number>,
  exists: Uint8Array,
): Promise<readonly (readonly string[])[]> {
  const ids = rows.columns.id as Int32Array;
  const registry = await context.reader.read({
    table: tokenRegistryTable,
    columns: ['id', ...tokenMetadata, ...tokenMarket],
    where: isIn('id', ids),
  });
  for (let i = 0; i < registry.length; i++) {
    const row = rowOf.get(registry.columns.id[i]!)!;
    exists[row] = 1;
    for (const name of tokenMetadata) setCell(rows, `metadata.${name}`, row, registry.columns[name][i]!);
    for (const name of tokenMarket) setCell(rows, `market.${name}`, row, registry.columns[name][i]!);
  }
  const symbolOf = await swapSymbols(context, ids);
  for (const [row, id] of ids.entries()) setCell(rows, 'metadata.symbol', row, symbolOf(id));
  return [];
}

async function fillWalletRegistry(
  context: QueryContext,
  rows: Batch,
  rowOf: ReadonlyMap<number, number>,
  exists: Uint8Array,
): Promise<readonly (readonly string[])[]> {
  const registry = await context.reader.read({
    table: walletRegistryTable,
    columns: ['id', 'name', 'twitter_username', 'telegram_username', 'labels'],
    where: isIn('id', rows.columns.id as Int32Array),
  });
  const labels: (readonly string[])[] = Array.from({ length: rows.length }, () => []);
  for (let i = 0; i < registry.length; i++) {
    const row = rowOf.get(registry.columns.id[i]!)!;
    exists[row] = 1;
    for (const name of ['name', 'twitter_username', 'telegram_username'] as const)
      setCell(rows, `metadata.${name}`, row, registry.columns[name][i]!);
    labels[row] = (registry.columns.labels[i] ?? '').split('|').filter((label) => label !== '');
  }
  return labels;
}

function setCell(rows: Batch, column: string, row: number, value: string | number | null): void {
  (rows.columns[column] as ColumnData)[row] = value as never;
}

async function fillMetrics(
  context: QueryContext,
  rows: Batch,
  rowOf: ReadonlyMap<number, number>,
  request: FoldProfiles,
  prints: ReadonlyMap<number, EntityPrints> | undefined,
): Promise<void> {
  const { kind, ids } = request;
  const windows = windowSpecs[kind].map((window) => ({
    window,
    columns: request.metrics
      .filter((metric) => metric.of.includes(kind))
      .map((metric) => ({
        metric,
        column: rows.columns[`metrics.${window.name}.${metricPath(metric)}`] as Float64Array,
      })),
  }));
  const lastTradeAt = rows.columns['metadata.last_trade_at'] as Float64Array;
  const fresh = rows.columns.fresh_until as Float64Array;
  const fold = (row: number, trades: EntityTrades, own: EntityPrints): void => {
    for (const { window, columns } of windows) {
      const bag = foldBag(trades, own, window, context.asOf);
      for (const { metric, column } of columns) column[row] = served(metric, metric.value(bag));
    }
    fresh[row] = freshUntil(kind, trades, own, context.asOf);
    if (trades.length > 0) lastTradeAt[row] = trades.time[trades.length - 1]!;
  };
  const tokens = kind === 'tokens' ? ids : undefined;
  const supplyOf = await readSupplies(context.reader, tokens);
  const createdAtOf = await readCreationTimes(context.reader, tokens);
  const isFolded = new Uint8Array(rows.length);
  await forEachEntity(context.reader, { kind, ids, asOf: context.asOf, supplyOf, createdAtOf }, (id, trades) => {
    const row = rowOf.get(id)!;
    isFolded[row] = 1;
    fold(row, trades, prints?.get(id) ?? noPrints);
  });
  for (const [row, id] of ids.entries()) if (isFolded[row] === 0) fold(row, noTrades, prints?.get(id) ?? noPrints);
}

/** A metric as it is stored and served: finite or `NaN`, durations in whole seconds, no negative zero. */
function served(metric: Metric, value: number | null): number {
  if (value === null || !Number.isFinite(value)) return Number.NaN;
  return (metric.unit === 'seconds' ? Math.floor(value + 0.5) : value) + 0;
}

async function fillMarket(context: QueryContext, rows: Batch, ids: Int32Array): Promise<void> {
  const { reader, dictionary } = context;
  const creators = rows.columns['metadata.creator_address'] as (string | null)[];
  const named = creators.filter((creator) => creator !== null);
  const creatorIds = await dictionary.find(reader, named);
  const creatorId = new Map(named.map((creator, i) => [creator, creatorIds[i]!]));
  const creatorOf = new Map(
    Array.from(ids, (id, row) => [id, creators[row] === null ? undefined : creatorId.get(creators[row]!)]),
  );
  const holders = await readHolders(reader, ids, (token) => creatorOf.get(token), context);
  const prints = await latestPrints(reader, ids, lastSeq(context));
  const column = (name: string): Float64Array => rows.columns[`market.${name}`] as Float64Array;
  const nobody: Holders = { holders: 0, top: 0, creator: 0 };
  for (const [row, id] of ids.entries()) {
    const price = prints.get(id)?.price ?? Number.NaN;
    const total = column('total_supply')[row]!;
    const circulating = column('circulating_supply')[row]!;
    const held = holders.get(id) ?? nobody;
    column('price')[row] = price;
    column('fdv')[row] = finite(price * total);
    column('market_cap')[row] = finite(price * (Number.isNaN(circulating) ? total : circulating));
    if (Number.isNaN(column('holders')[row]!)) column('holders')[row] = held.holders;
    column('top_holdings')[row] = finite((held.top / total) * 100);
    column('dev_holdings')[row] = creators[row] === null ? Number.NaN : finite((held.creator / total) * 100);
  }
}

function finite(value: number): number {
  return Number.isFinite(value) ? value : Number.NaN;
}
