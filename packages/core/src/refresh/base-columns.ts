import { newestSymbols } from '../market-data/newest-symbols.ts';
import { profileFields } from '../profiles/catalogue.ts';
import type { EntityKind } from '../profiles/fields.ts';
import { lastSeqAt, timeOf } from '../records/chain-order.ts';
import type { Batch, ColumnData } from '../records/columns.ts';
import { legsTable, swapsTable, tokenRegistryTable, tradesTable, walletRegistryTable } from '../records/tables.ts';
import { and, compare, isIn } from '../storage/predicate.ts';
import type { FoldContext } from './context.ts';
import type { NewLegs } from './new-legs.ts';
import { newestOf, type StoredEntities } from './stored.ts';
import { countedTrades, type EntityScan } from './trades.ts';

/** Writes the time of the newest swap of each entity; gives which rows have one. */
export async function fillNewestSwap(
  context: FoldContext,
  rows: Batch,
  kind: EntityKind,
  rowOf: ReadonlyMap<number, number>,
  stored: StoredEntities | undefined,
): Promise<Uint8Array> {
  const exists = new Uint8Array(rows.length);
  const updatedAt = rows.columns.updated_at as Float64Array;
  const newest = await newestOf(rows.columns.id as Int32Array, stored, newestSwapOf, async (keys, from) => {
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

const newestSwapOf = (stored: StoredEntities, id: number): number | undefined => stored.newestSwap(id);

/**
 * Writes the time of the newest trade of each entity, as far as the trades that are read do not show it: they begin at a checkpoint, and
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

/** Writes what the registry says of tokens, and marks those that it knows in `exists`. It gives tokens no labels. */
export async function fillTokenRegistry(
  context: FoldContext,
  rows: Batch,
  rowOf: ReadonlyMap<number, number>,
  exists: Uint8Array,
  newLegs: NewLegs | undefined,
): Promise<readonly (readonly string[])[]> {
  const registry = (await context.reader.read({
    table: tokenRegistryTable,
    columns: ['id', ...registered.tokens.map(({ column }) => column as 'name')],
    where: isIn('id', rows.columns.id as Int32Array),
  })) as Batch;
  fillRegistered(registered.tokens, registry, rows, rowOf, exists);
  await fillSymbols(context, rows, newLegs);
  return [];
}

/** Writes what the newest swap that names a token calls it, for the tokens that the registry does not name. */
async function fillSymbols(
  { reader, dictionary, asOf }: FoldContext,
  rows: Batch,
  newLegs: NewLegs | undefined,
): Promise<void> {
  const symbols = rows.columns['metadata.symbol'] as (string | null)[];
  const unnamed = (rows.columns.id as Int32Array).filter((_, row) => symbols[row] === null);
  const named = new Map<number, number>();
  const unknown = unnamed.filter((id) => {
    const symbol = newLegs?.symbol(id);
    if (symbol !== undefined) named.set(id, symbol);
    return symbol === undefined;
  });
  if (unknown.length > 0)
    for (const [id, symbol] of await newestSymbols(reader, unknown, lastSeqAt(asOf))) named.set(id, symbol);
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
  const registry = (await context.reader.read({
    table: walletRegistryTable,
    columns: ['id', 'labels', ...registered.wallets.map(({ column }) => column as 'name')],
    where: isIn('id', rows.columns.id as Int32Array),
  })) as Batch;
  const given = fillRegistered(registered.wallets, registry, rows, rowOf, exists);
  const labels: (readonly string[])[] = Array.from({ length: rows.length }, () => []);
  for (const [i, row] of given.entries())
    labels[row] = ((registry.columns.labels as (string | null)[])[i] ?? '').split('|').filter((label) => label !== '');
  return labels;
}

/** A field that the registry gives, and its column there. */
interface Registered {
  readonly path: string;
  readonly column: string;
}

const registered = { tokens: registeredFields('tokens'), wallets: registeredFields('wallets') } as const;

function registeredFields(kind: EntityKind): readonly Registered[] {
  return profileFields(kind, [])
    .filter(({ source }) => source === 'registry')
    .map(({ path }) => ({ path, column: path.slice(path.lastIndexOf('.') + 1) }));
}

/** Writes the fields that the registry gives, and marks the entities that it knows. Gives the rows that it wrote, one for each of the registry. */
function fillRegistered(
  fields: readonly Registered[],
  registry: Batch,
  rows: Batch,
  rowOf: ReadonlyMap<number, number>,
  exists: Uint8Array,
): readonly number[] {
  const written = Array.from(registry.columns.id as Int32Array, (id) => rowOf.get(id)!);
  for (const row of written) exists[row] = 1;
  for (const { path, column } of fields) {
    const target = rows.columns[path] as ColumnData;
    for (const [i, row] of written.entries()) target[row] = registry.columns[column]![i] as never;
  }
  return written;
}
