import { type EntityPrints, firstAfter, noPrints } from '../bag/entity.ts';
import type { EntityFees } from '../bag/fees.ts';
import type { MovedLots } from '../bag/moved-lots.ts';
import { windowSpecs } from '../bag/windows.ts';
import { CarriedEntities } from '../ingest/carried.ts';
import { NO_SWAP } from '../ingest/changes.ts';
import { knownSupply } from '../ledger/value.ts';
import { isCleanPrint, latestPrints, type Print, recentSymbols } from '../market-data/latest-prints.ts';
import { addressField, profileFields } from '../profiles/sections/sections.ts';
import { numbers } from '../records/arithmetic.ts';
import { firstSeqAt, lastSeqAt, timeOf } from '../records/chain-order.ts';
import { type Batch, type ColumnData, type Table, unknownColumn } from '../records/columns.ts';
import type { EntityKind } from '../records/profile-fields.ts';
import { labelsOf } from '../records/profile-fields.ts';
import {
  bareFeesTable,
  legsTable,
  swapsTable,
  tokenRegistryTable,
  tradesTable,
  walletRegistryTable,
} from '../records/tables.ts';
import { ascending, type Reader } from '../storage/adapter.ts';
import { and, between, isIn, type Predicate } from '../storage/predicate.ts';
import { yielder } from '../yielder.ts';
import type { FoldContext } from './context.ts';
import { fillMarket } from './market.ts';
import { readMovedOfWallets } from './moved-lots.ts';
import type { TokenFacts } from './trade-log.ts';
import { countedTrades, type EntityScan, newestTrades, readTrades, type TradeReads } from './trades.ts';

export interface EntityReads extends EntityHistory {
  readonly ids: Int32Array;
  /** Rows of the profile table, one an id, with what does not come from a fold. */
  readonly baseColumns: Batch;
  /** By row of the base columns: whether the entity has a swap or is in the registry, and the labels it has there. */
  readonly exists: Uint8Array;
  readonly registered: readonly (readonly string[])[];
}

/** Trades and prints of entities, and what the trades take from the token registry. */
export interface EntityHistory {
  readonly scan: EntityScan;
  readonly trades: TradeReads;
  readonly prints: ReadonlyMap<number, EntityPrints>;
  /** Of wallets, in the longest window: what they paid for transactions in which they have no trade. */
  readonly fees: ReadonlyMap<number, EntityFees>;
  /** Of wallets, in the longest window: which of their lots moved between trades. */
  readonly moved: ReadonlyMap<number, MovedLots>;
  readonly facts: TokenFacts;
}

/**
 * Reads what profiles of entities are made of. Where `scan` has stored profiles, only what can have changed since they were folded and
 * is not cached.
 */
export async function readEntities(context: FoldContext, of: EntityScan): Promise<EntityReads> {
  const { reader, horizon } = context;
  const { kind, ids } = of;
  const scan = { ...of, carried: await CarriedEntities.read(reader, horizon, kind, ids) };
  const pause = yielder();
  const baseColumns = newBaseColumns(context.shapes[kind].table, ids);
  const rowOf = new Map(Array.from(ids, (id, row) => [id, row]));
  await context.dictionary.load(reader, ids);
  const address = baseColumns.columns[addressField[kind]] as (string | null)[];
  for (const [row, id] of ids.entries()) address[row] = context.dictionary.textOf(id);
  await pause.yieldIfDue();
  const exists = await fillNewestSwap(context, baseColumns, scan);
  await pause.yieldIfDue();
  const registered = await fillRegistry(context, kind, baseColumns, rowOf, exists);
  await pause.yieldIfDue();
  if (kind === 'tokens') await fillMarket(context, baseColumns, scan);
  await pause.yieldIfDue();
  const history = await readHistory(context, scan);
  const lastTradeAt = baseColumns.columns['metadata.last_trade_at'] as Float64Array;
  if (scan.stored !== undefined) {
    const traded = await newestTrades(scan, history.trades);
    // The trades that were read begin at a checkpoint: there may be none after it.
    const query = { table: tradesTable, kind, keys: ids.filter((id) => !traded.has(id)), where: countedTrades(kind) };
    const older = await newestTimes(context, query);
    fillNewest(lastTradeAt, ids, (id) => traded.get(id) ?? older.get(id));
  }
  fillNewest(lastTradeAt, ids, (id) => scan.carried.numberOf(id, 'last_trade_at'));
  return { ids, baseColumns, exists, registered, ...history };
}

export async function readHistory(
  context: Pick<FoldContext, 'reader' | 'roles'>,
  scan: EntityScan,
): Promise<EntityHistory> {
  const { reader } = context;
  const { kind, ids, asOf } = scan;
  const start = asOf - windowSpecs[kind][0]!.seconds;
  const range = [firstSeqAt(Math.max(0, start + 1)), lastSeqAt(asOf)] as const;
  const trades = await readTrades(reader, scan);
  return {
    scan,
    trades,
    fees: kind === 'wallets' ? await readBareFees(reader, ids, range) : new Map(),
    moved: kind === 'wallets' ? await readMovedOfWallets(context, ids, range) : new Map(),
    prints: kind === 'tokens' && scan.isWithoutPrints !== true ? await readPrints(reader, scan) : new Map(),
    facts: await readTokenFacts(reader, kind === 'tokens' ? ids : await tokensOf(trades)),
  };
}

/** Most tokens whose registry rows are looked up one by one. */
const FEW = 2000;

/** The tokens of trades, if they are few. Other work of the process has its turn meanwhile. */
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

/** Columns that folds give; the others are base columns. */
export const isMetricColumn = (column: string): boolean => column.startsWith('metrics.');

function newBaseColumns(table: Table, ids: Int32Array): Batch {
  const columns: Record<string, ColumnData> = {};
  for (const [name, type] of Object.entries(table.columns)) {
    if (isMetricColumn(name)) continue;
    columns[name] = unknownColumn(type, ids.length);
  }
  columns.id = ids;
  return { length: ids.length, columns };
}

/** The facts of tokens; of all tokens where `tokens` is absent. */
export async function readTokenFacts(reader: Reader, tokens?: Int32Array): Promise<TokenFacts> {
  const { columns } = await reader.read({
    table: tokenRegistryTable,
    columns: ['id', 'total_supply', 'circulating_supply', 'created_at'],
    ...(tokens === undefined ? {} : { where: isIn('id', tokens) }),
  });
  const rowOf = new Map(Array.from(columns.id, (id, row) => [id, row]));
  return {
    supplyOf(token) {
      const row = rowOf.get(token);
      if (row === undefined) return Number.NaN;
      return knownSupply(numbers, columns.circulating_supply[row]!, columns.total_supply[row]!);
    },
    createdAtOf(token) {
      const row = rowOf.get(token);
      return row === undefined ? Number.NaN : columns.created_at[row]!;
    },
  };
}

/** Seconds before the longest window in which its prints are read too: the last print before it is among them, of a token that trades often. */
const MARGIN = 86_400;

/** The prints of tokens that are not suspect in the longest window before the as-of time and the last such one before it, by token; some may have more before it. */
export async function readPrints(
  reader: Reader,
  { ids, asOf, stored, cached }: Omit<EntityScan, 'kind'>,
): Promise<ReadonlyMap<number, EntityPrints>> {
  const start = asOf - windowSpecs.tokens[0]!.seconds;
  const found = new Map<number, EntityPrints>();
  const continued: number[] = [];
  const unknown: number[] = [];
  let since = NO_SWAP;
  for (const token of ids) {
    const prints = stored?.isNew(token) ? { ...noPrints } : stored && cached?.printsOf(token);
    const changed = stored?.since(token) ?? 0;
    if (prints === undefined || (prints.length > 0 && prints.time[0]! >= changed) || isWorn(prints, start)) {
      unknown.push(token);
      continue;
    }
    prints.length = firstAfter(prints.time, prints.length, changed - 1);
    found.set(token, prints);
    if (changed === NO_SWAP) continue;
    continued.push(token);
    since = Math.min(since, changed);
  }
  await addPrints(reader, Int32Array.from(unknown), Math.max(0, start + 1 - MARGIN), asOf, found);
  const older = unknown.filter((token) => (found.get(token)?.time[0] ?? Number.POSITIVE_INFINITY) > start);
  if (older.length > 0)
    for (const [token, print] of await latestPrints(reader, Int32Array.from(older), {
      until: lastSeqAt(start),
      prints: 'clean',
    }))
      found.set(token, withFirst(print, found.get(token) ?? noPrints));
  if (continued.length > 0) await addPrints(reader, Int32Array.from(continued), since, asOf, found);
  if (stored !== undefined)
    for (const [token, prints] of found) if (stored.since(token) < NO_SWAP) cached?.putPrints(token, prints);
  return found;
}

/** Fees of wallets for transactions without a trade, from one `seq` to another. */
async function readBareFees(
  reader: Reader,
  wallets: Int32Array,
  [from, to]: readonly [from: number, to: number],
): Promise<ReadonlyMap<number, EntityFees>> {
  const found = new Map<number, { [Name in keyof EntityFees]: number[] }>();
  const rows = reader.stream({
    table: bareFeesTable,
    columns: ['wallet', 'seq', 'fee_native', 'fee_usd'],
    where: and(isIn('wallet', wallets), between('seq', from, to)),
    order: ascending('wallet', 'seq'),
  });
  for await (const { columns: c, length } of rows) {
    for (let i = 0; i < length; i++) {
      const fees = found.get(c.wallet[i]!) ?? { time: [], native: [], usd: [] };
      found.set(c.wallet[i]!, fees);
      fees.time.push(timeOf(c.seq[i]!));
      fees.native.push(c.fee_native[i]!);
      fees.usd.push(c.fee_usd[i]!);
    }
  }
  return found;
}

function withFirst(first: Print, prints: EntityPrints): EntityPrints {
  const larger = withRoom(prints, prints.length + 1, 1);
  larger.time[0] = timeOf(first.seq);
  larger.price[0] = first.price;
  return larger;
}

/** The prints with room for `capacity`, of which the first `free` are to be written. */
function withRoom({ length, time, price }: EntityPrints, capacity: number, free = 0): EntityPrints {
  const copied = (from: Float64Array): Float64Array => {
    const to = new Float64Array(capacity);
    to.set(from.subarray(0, length), free);
    return to;
  };
  return { length: length + free, time: copied(time), price: copied(price) };
}

function isWorn(prints: EntityPrints, start: number): boolean {
  const before = firstAfter(prints.time, prints.length, start);
  return before > 1000 && before * 2 > prints.length;
}

/** Adds the prints of tokens in the seconds from `from` to `to` behind those that are there. */
async function addPrints(
  reader: Reader,
  tokens: Int32Array,
  from: number,
  to: number,
  found: Map<number, EntityPrints>,
): Promise<void> {
  const rows = reader.stream({
    table: legsTable,
    columns: ['token', 'seq', 'price'],
    where: and(isIn('token', tokens), between('seq', firstSeqAt(from), lastSeqAt(to)), isCleanPrint),
    order: ascending('token', 'seq'),
  });
  const lastBefore = new Map<number, number>();
  for await (const { columns: c, length } of rows) {
    for (let i = 0; i < length; ) {
      const token = c.token[i]!;
      const prints = found.get(token) ?? { ...noPrints };
      found.set(token, prints);
      // Tokens that are read together go back as far as the furthest of them.
      const known = lastBefore.get(token) ?? (prints.length === 0 ? -1 : prints.time[prints.length - 1]!);
      lastBefore.set(token, known);
      let end = i;
      while (end < length && c.token[end] === token) end++;
      const needed = prints.length + end - i;
      if (needed > prints.time.length)
        Object.assign(prints, withRoom(prints, Math.max(needed, Math.ceil(prints.time.length * 1.5))));
      for (; i < end; i++) {
        const time = timeOf(c.seq[i]!);
        if (time <= known) continue;
        prints.time[prints.length] = time;
        prints.price[prints.length++] = c.price[i]!;
      }
    }
  }
}

/** Writes the time of the newest swap of each entity; gives which rows have one. */
async function fillNewestSwap(context: FoldContext, rows: Batch, scan: EntityScan): Promise<Uint8Array> {
  const { kind, ids, stored, carried, newest } = scan;
  const updatedAt = rows.columns.updated_at as Float64Array;
  const keys = newest === undefined ? ids.filter((id) => stored?.newest.has(id) !== true) : new Int32Array();
  const found = await newestTimes(context, { table: kind === 'tokens' ? legsTable : swapsTable, kind, keys });
  fillNewest(updatedAt, ids, (id) => newest?.[id] ?? stored?.newest.get(id) ?? found.get(id));
  fillNewest(updatedAt, ids, (id) => carried?.numberOf(id, 'updated_at'));
  return Uint8Array.from(updatedAt, (time) => (Number.isNaN(time) ? 0 : 1));
}

/** The block times of the newest rows that a table has of entities, by id. */
async function newestTimes(
  { reader, asOf }: FoldContext,
  query: { readonly table: Table; readonly kind: EntityKind; readonly keys: Int32Array; readonly where?: Predicate },
): Promise<ReadonlyMap<number, number>> {
  const key = query.kind === 'wallets' ? 'wallet' : 'token';
  const newest = { ...query, columns: [key, 'seq'], key, by: 'seq', until: lastSeqAt(asOf) };
  const { columns } = (await reader.latest(newest)) as Batch;
  return new Map(Array.from(columns[key] as Int32Array, (id, i) => [id, timeOf(columns.seq![i] as number)]));
}

/** Writes the times of entities that are newer than those that stand there: what the store carries is older than what is stored, or all there is. */
function fillNewest(times: Float64Array, ids: Int32Array, newestOf: (id: number) => number | undefined): void {
  for (const [row, id] of ids.entries()) {
    const time = newestOf(id) ?? Number.NaN;
    if (!Number.isNaN(time) && !(times[row]! >= time)) times[row] = time;
  }
}

/** Writes what the newest swap that names a token calls it, for the tokens that the registry does not name. */
async function fillSymbols({ reader, dictionary, asOf }: FoldContext, rows: Batch): Promise<void> {
  const symbols = rows.columns['metadata.symbol'] as (string | null)[];
  const unnamed = (rows.columns.id as Int32Array).filter((_, row) => symbols[row] === null);
  const named = await recentSymbols(reader, unnamed, lastSeqAt(asOf));
  await dictionary.load(reader, [...named.values()]);
  for (const [row, id] of (rows.columns.id as Int32Array).entries()) {
    const symbol = named.get(id);
    if (symbol !== undefined) symbols[row] = dictionary.textOf(symbol);
  }
}

/** Writes what the registry says of entities, and marks those that it knows in `exists`. Gives their labels by row, which tokens have none of. */
export async function fillRegistry(
  context: FoldContext,
  kind: EntityKind,
  rows: Batch,
  rowOf: ReadonlyMap<number, number>,
  exists: Uint8Array,
): Promise<readonly (readonly string[])[]> {
  const isOfTokens = kind === 'tokens';
  const registry = (await context.reader.read({
    table: (isOfTokens ? tokenRegistryTable : walletRegistryTable) as Table,
    columns: ['id', ...(isOfTokens ? [] : ['labels']), ...registered[kind].map(({ column }) => column)],
    where: isIn('id', rows.columns.id as Int32Array),
  })) as Batch;
  const written = Array.from(registry.columns.id as Int32Array, (id) => rowOf.get(id)!);
  for (const row of written) exists[row] = 1;
  for (const { path, column } of registered[kind]) {
    const target = rows.columns[path] as ColumnData;
    for (const [i, row] of written.entries()) target[row] = registry.columns[column]![i] as never;
  }
  const labels: (readonly string[])[] = Array.from({ length: rows.length }, () => []);
  if (isOfTokens) await fillSymbols(context, rows);
  else
    for (const [i, row] of written.entries())
      labels[row] = labelsOf((registry.columns.labels as (string | null)[])[i]!);
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
