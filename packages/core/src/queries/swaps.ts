import type { Dictionary } from '../ingest/dictionary.ts';
import { codeWords, textColumns } from '../ledger/codes.ts';
import { pooledIn, pooledOut, pooledUsd } from '../ledger/pooled.ts';
import { swapTypeOf, swapTypes } from '../ledger/trade.ts';
import { firstSeqAt } from '../records/chain-order.ts';
import { type Batch, columnsOf, inOrderOf, NO_ID, type Table } from '../records/columns.ts';
import { legsTable, poolSwapsTable, swapsTable } from '../records/tables.ts';
import type { Reader } from '../storage/adapter.ts';
import { and, compare, compareMostly, everything, isIn, or, type Predicate } from '../storage/predicate.ts';
import { readTransactions, type TransactionRow } from '../storage/reads.ts';
import { orNull, type QueryContext, untilAsOf } from './context.ts';
import { countList, type ListIds, requireScanOfList, seqOfCursor, writeListCursor } from './list-place.ts';
import { readSymbols } from './per-token.ts';
import { type Swap, servedFields } from './swap.ts';

export interface ListRequest {
  readonly wallet?: string | undefined;
  readonly token?: string | undefined;
  /** Of swaps only. */
  readonly pool?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** One page of a list: `count` is exact, `cursor` absent on the last page. */
export interface Page<T> {
  readonly count: number;
  readonly cursor?: string;
  readonly data: readonly T[];
}

/** Swaps of a wallet, a token (either side) and a pool, or of those that are given: newest first. */
export async function listSwaps(context: QueryContext, request: ListRequest): Promise<Page<Swap>> {
  const { reader } = context;
  const ids = await findIds(context, request);
  if (ids === undefined) return { count: 0, data: [] };
  requireScanOfList(context, 'swaps', ids);
  const until = untilAsOf(context);
  const before = await beforeCursor(context, 'swaps', request);
  const { table, scope } = sourceOf(ids, context.horizon);
  const where = and(scope, before, until);
  const order = [{ column: 'seq', direction: 'desc' }] as const;
  const limit = request.limit + 1;
  const rows =
    table === swapsTable
      ? await reader.read({ table: swapsTable, columns: listedSwaps, where, order, limit })
      : await swapsAt(reader, await reader.read({ table, columns: ['seq'], where, order, limit }));
  const count = await countList(context, 'swaps', ids, {
    ...request,
    read: rows.length,
    ask: () => reader.count(table, and(scope, until)),
  });
  const shown = Math.min(rows.length, request.limit);
  const { data, transactions } = await servedSwaps(context, rows, shown);
  if (rows.length <= request.limit) return { count, data };
  const last = shown - 1;
  const place = {
    transaction: transactions.get(rows.columns.tx[last]!)!,
    index: rows.columns.swap_index[last]!,
    half: 0,
  };
  return { count, cursor: writeListCursor('swaps', request, place), data };
}

/** The first rows as they are served, and the transactions of all: those `known`, else the stored ones. */
export async function servedSwaps(
  context: QueryContext,
  rows: ListedSwaps,
  shown: number,
  known?: ReadonlyMap<number, TransactionRow>,
) {
  const { reader, dictionary } = context;
  const transactions = known ?? (await readTransactions(reader, rows.columns.tx));
  await loadTexts(context, rows);
  const symbols = await readSymbols(context, [
    { tokens: rows.columns.token_in, symbols: rows.columns.token_symbol_in },
    { tokens: rows.columns.token_out, symbols: rows.columns.token_symbol_out },
  ]);
  const c = rows.columns;
  const isQuote = (token: number): boolean => context.roles.rankOf(token) >= 0;
  const served: Readonly<Record<keyof Swap, ValueAt>> = {
    ...storedValues(dictionary, rows),
    token_symbol_in: (row) => dictionary.textOrNull(c.token_symbol_in[row]!) ?? symbols(c.token_in[row]!),
    token_symbol_out: (row) => dictionary.textOrNull(c.token_symbol_out[row]!) ?? symbols(c.token_out[row]!),
    token_price_in: (row) => orNull(pooledUsd(c, row, c.usd_amount_in[row]!, context.roles) / pooledIn(c, row)),
    token_price_out: (row) => orNull(pooledUsd(c, row, c.usd_amount_out[row]!, context.roles) / pooledOut(c, row)),
    block_slot: (row) => orNull(transactions.get(c.tx[row]!)!.block_slot),
    block_time: (row) => transactions.get(c.tx[row]!)!.block_time,
    tx_hash: (row) => transactions.get(c.tx[row]!)!.tx_hash,
    swap_type: (row) => swapTypes[swapTypeOf(isQuote(c.token_in[row]!), isQuote(c.token_out[row]!))]!,
  };
  const readers = servedFields.map((name) => served[name]);
  const data: Swap[] = [];
  for (let row = 0; row < shown; row++) {
    const swap: Record<string, string | number | null> = { ...blank };
    for (let i = 0; i < readers.length; i++) swap[servedFields[i]!] = readers[i]!(row);
    data.push(swap as Swap);
  }
  return { data, transactions };
}

/** A swap with all its keys. JSON.parse makes an object whose copies are fast; one that is given its keys by name is a table of them. */
const blank: Readonly<Record<string, null>> = JSON.parse(
  JSON.stringify(Object.fromEntries(servedFields.map((name) => [name, null]))),
);

export const listedSwaps = columnsOf(swapsTable).filter((name) => !name.startsWith('given_'));
const listedTexts = textColumns(swapsTable);

type ValueAt = (row: number) => string | number | null;

/** What is served as it is stored, by column. */
function storedValues(dictionary: Dictionary, { columns }: ListedSwaps) {
  const readerOf = (name: (typeof listedSwaps)[number]): ValueAt => {
    const [column, words] = [columns[name], codeWords[name]];
    if (words !== undefined) return (row) => words[column[row]!] ?? null;
    if (column instanceof Int32Array) return (row) => dictionary.textOrNull(column[row]!);
    return (row) => orNull(column[row]!);
  };
  return Object.fromEntries(listedSwaps.map((name) => [name, readerOf(name)])) as Record<
    (typeof listedSwaps)[number],
    ValueAt
  >;
}

export type ListedSwaps = Batch<typeof swapsTable, (typeof listedSwaps)[number]>;

async function swapsAt(
  reader: Reader,
  { columns: { seq } }: { readonly columns: { readonly seq: Float64Array } },
): Promise<ListedSwaps> {
  const rows = await reader.read({ table: swapsTable, columns: listedSwaps, where: isIn('seq', seq) });
  return inOrderOf(seq, rows, rows.columns.seq);
}

/** What holds for the rows of a page of a list behind the cursor, if there is one. */
export async function beforeCursor(
  { reader }: QueryContext,
  list: 'swaps' | 'trades',
  request: ListRequest,
): Promise<Predicate> {
  if (request.cursor === undefined) return everything;
  return compare('seq', 'lt', await seqOfCursor(reader, list, request, request.cursor));
}

/** Ids of the addresses that a list is of; `undefined` where one of them is not in the store. */
export async function findIds(context: QueryContext, request: ListRequest): Promise<ListIds | undefined> {
  const ids: { -readonly [K in keyof ListIds]: ListIds[K] } = {};
  for (const name of ['wallet', 'token', 'pool'] as const) {
    const address = request[name];
    if (address === undefined) continue;
    const id = await context.dictionary.findOne(context.reader, address);
    if (id === NO_ID) return undefined;
    ids[name] = id;
  }
  return ids;
}

type TableBySeq = Table<{ readonly seq: 'long' }>;

/** The table in whose order the swaps of a list lie, and the condition that finds them there. */
function sourceOf({ wallet, token, pool }: ListIds, horizon: number) {
  const eq = (column: string, id: number | undefined): Predicate[] =>
    id === undefined ? [] : [compare(column, 'eq', id)];
  // Some rows behind the horizon stay there for other answers: their swaps are forgotten.
  const since: Predicate[] = horizon === 0 ? [] : [compareMostly('seq', 'gte', firstSeqAt(horizon))];
  const either = (a: string, b: string): Predicate[] =>
    token === undefined ? [] : [or(compare(a, 'eq', token), compare(b, 'eq', token))];
  if (wallet === undefined && pool !== undefined)
    return {
      table: poolSwapsTable as TableBySeq,
      scope: and(...eq('pool', pool), ...either('token', 'other'), ...since),
    };
  if (wallet === undefined && token !== undefined)
    return { table: legsTable as TableBySeq, scope: and(...eq('token', token), ...since) };
  const scope = and(...eq('wallet', wallet), ...eq('pool', pool), ...either('token_in', 'token_out'));
  return { table: swapsTable, scope };
}

async function loadTexts(context: QueryContext, rows: ListedSwaps): Promise<void> {
  await context.dictionary.load(
    context.reader,
    listedTexts.flatMap((name) => Array.from(rows.columns[name] as Int32Array)),
  );
}
