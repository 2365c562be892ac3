import { newestSymbols } from '../market-data/newest-symbols.ts';
import type { ProfileKind } from '../profiles/fields.ts';
import { lastSeqAt, timeOf } from '../records/chain-order.ts';
import type { Batch, ColumnData } from '../records/columns.ts';
import { legsTable, swapsTable, tokenRegistryTable, tradesTable, walletRegistryTable } from '../records/tables.ts';
import { and, compare, isIn } from '../storage/predicate.ts';
import type { FoldContext } from './context.ts';
import { newestOf, type StoredEntities } from './stored.ts';
import { countedTrades, type EntityScan } from './trades.ts';

/** Writes the time of the newest swap of each entity; gives which rows have one. */
export async function fillNewestSwap(
  context: FoldContext,
  rows: Batch,
  kind: ProfileKind,
  rowOf: ReadonlyMap<number, number>,
  stored: StoredEntities | undefined,
): Promise<Uint8Array> {
  const exists = new Uint8Array(rows.length);
  const updatedAt = rows.columns.updated_at as Float64Array;
  const newest = await newestOf(rows.columns.id as Int32Array, stored, updatedAtOf, async (keys, from) => {
    const query = { keys, by: 'seq', until: lastSeqAt(context.asOf), where: compare('seq', 'gte', from) } as const;
    const found =
      kind === 'tokens'
        ? (await context.reader.latest({ table: legsTable, columns: ['token', 'seq'], key: 'token', ...query })).columns
        : (await context.reader.latest({ table: swapsTable, columns: ['wallet', 'seq'], key: 'wallet', ...query }))
            .columns;
    const ids = 'token' in found ? found.token : found.wallet;
    return new Map(Array.from(ids, (id, i) => [id, timeOf(found.seq[i]!)]));
  });
  for (const [id, time] of newest) updatedAt[rowOf.get(id)!] = time;
  updatedAt.forEach((time, row) => {
    if (!Number.isNaN(time)) exists[row] = 1;
  });
  return exists;
}

const updatedAtOf = (stored: StoredEntities, id: number): number | undefined => stored.unchanged(id, 'updated_at');

/**
 * Writes the time of the newest trade of each entity, as far as the trades that are read do not tell: they begin at a checkpoint, and
 * there may be none of them.
 */
export async function fillLastTrade(
  context: FoldContext,
  rows: Batch,
  { kind, ids, stored }: EntityScan,
): Promise<void> {
  if (stored === undefined) return;
  const key = kind === 'wallets' ? 'wallet' : 'token';
  const newest = await newestOf(
    ids,
    stored,
    (known, id) => known.lastTradeAt(id),
    async (keys, from) => {
      const where = and(compare('seq', 'gte', from), countedTrades(kind));
      const query = { keys, by: 'seq', until: lastSeqAt(context.asOf), where } as const;
      const { columns } = await context.reader.latest({ table: tradesTable, columns: [key, 'seq'], key, ...query });
      return new Map(Array.from(columns[key], (id, i) => [id, timeOf(columns.seq[i]!)]));
    },
  );
  const lastTradeAt = rows.columns['metadata.last_trade_at'] as Float64Array;
  for (const [row, id] of ids.entries()) lastTradeAt[row] = newest.get(id) ?? Number.NaN;
}

const tokenMetadata = [
  'symbol',
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

/** Writes what the registry says of tokens, and marks those that it knows in `exists`. It gives tokens no labels. */
export async function fillTokenRegistry(
  context: FoldContext,
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
  await fillSymbols(context, rows);
  return [];
}

/** Writes what the newest swap that names a token calls it, for the tokens that the registry does not name. */
async function fillSymbols({ reader, dictionary, asOf }: FoldContext, rows: Batch): Promise<void> {
  const symbols = rows.columns['metadata.symbol'] as (string | null)[];
  const unnamed = (rows.columns.id as Int32Array).filter((_, row) => symbols[row] === null);
  const named = await newestSymbols(reader, unnamed, lastSeqAt(asOf));
  await dictionary.load(reader, [...named.values()]);
  for (const [row, id] of (rows.columns.id as Int32Array).entries()) {
    const symbol = named.get(id);
    if (symbol !== undefined) symbols[row] = dictionary.textOf(symbol);
  }
}

/** Writes what the registry says of wallets, and marks those that it knows in `exists`. Gives their labels by row. */
export async function fillWalletRegistry(
  context: FoldContext,
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
