import type { Dictionary } from '../ingest/dictionary.ts';
import { swapTypeOf, swapTypes } from '../ledger/trade.ts';
import { legPrice } from '../ledger/value.ts';
import { type Batch, columnsOf, NO_ID, takeRows } from '../records/columns.ts';
import { type SwapFieldName, swapField } from '../records/swap-fields.ts';
import { legsTable, swapsTable } from '../records/tables.ts';
import type { Reader } from '../storage/adapter.ts';
import { and, compare, isIn, or, type Predicate } from '../storage/predicate.ts';
import { orNull, type QueryContext, untilAsOf } from './context.ts';
import { countList, requireScanOfList } from './count-list.ts';
import { seqOfCursor, writeListCursor } from './list-place.ts';
import { type Swap, servedFields } from './swap.ts';
import { readSymbols } from './symbols.ts';
import { readTransactions } from './transactions.ts';

export interface ListRequest {
  readonly wallet?: string | undefined;
  readonly token?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** One page of a list: `count` is exact, `cursor` absent on the last page. */
export interface Page<T> {
  readonly count: number;
  readonly cursor?: string;
  readonly data: readonly T[];
}

/** Swaps of a wallet, of a token (either side), of both, or all: newest first. */
export async function listSwaps(context: QueryContext, request: ListRequest): Promise<Page<Swap>> {
  const { reader, dictionary } = context;
  const ids = await findIds(context, request);
  if (ids === undefined) return { count: 0, data: [] };
  requireScanOfList(context, 'swaps', ids);
  const until = untilAsOf(context);
  const before =
    request.cursor === undefined
      ? undefined
      : compare('seq', 'lt', await seqOfCursor(reader, 'swaps', request, request.cursor));
  const { wallet, token } = ids;
  const isByTokenOnly = token !== undefined && wallet === undefined;
  const scope = isByTokenOnly ? compare('token', 'eq', token) : scopeOf(wallet, token);
  const where = and(scope, before ?? until);
  const order = [{ column: 'seq', direction: 'desc' }] as const;
  const limit = request.limit + 1;
  const rows = isByTokenOnly
    ? await swapsOfLegs(reader, await reader.read({ table: legsTable, columns: ['seq'], where, order, limit }))
    : await reader.read({ table: swapsTable, columns: listed, where, order, limit });
  const count = await countList(context, 'swaps', ids, {
    ...request,
    read: rows.length,
    ask: () => reader.count(isByTokenOnly ? legsTable : swapsTable, and(scope, until)),
  });
  const shown = Math.min(rows.length, request.limit);
  const transactions = await readTransactions(reader, rows.columns.tx);
  await loadTexts(context, rows);
  const symbols = await readSymbols(context, [
    { tokens: rows.columns.token_in, symbols: rows.columns.token_symbol_in },
    { tokens: rows.columns.token_out, symbols: rows.columns.token_symbol_out },
  ]);
  const c = rows.columns;
  // What is served otherwise than it is stored: the others come from their columns.
  const served: Partial<Record<SwapFieldName, (row: number) => string | number | null>> = {
    token_symbol_in: (row) => dictionary.textOrNull(c.token_symbol_in[row]!) ?? symbols(c.token_in[row]!),
    token_symbol_out: (row) => dictionary.textOrNull(c.token_symbol_out[row]!) ?? symbols(c.token_out[row]!),
    token_price_in: (row) => orNull(legPrice(c.usd_amount_in[row]!, c.token_amount_in[row]!)),
    token_price_out: (row) => orNull(legPrice(c.usd_amount_out[row]!, c.token_amount_out[row]!)),
    usd_amount_in: (row) => orNull(c.usd_amount_in[row]!),
    usd_amount_out: (row) => orNull(c.usd_amount_out[row]!),
    block_slot: (row) => orNull(transactions.get(c.tx[row]!)!.block_slot),
    block_time: (row) => transactions.get(c.tx[row]!)!.block_time,
    tx_hash: (row) => transactions.get(c.tx[row]!)!.tx_hash,
  };
  const readers = servedFields.map((name) => served[name] ?? readerOf(dictionary, rows, name));
  const data: Swap[] = [];
  for (let row = 0; row < shown; row++) {
    const swap: Record<string, string | number | null> = { ...blank };
    for (let i = 0; i < readers.length; i++) swap[servedFields[i]!] = readers[i]!(row);
    const isQuote = (token: number): boolean => context.roles.rankOf(token) >= 0;
    swap.swap_type = swapTypes[swapTypeOf(isQuote(c.token_in[row]!), isQuote(c.token_out[row]!))]!;
    data.push(swap as Swap);
  }
  if (rows.length <= request.limit) return { count, data };
  const last = shown - 1;
  const place = {
    transaction: transactions.get(rows.columns.tx[last]!)!,
    index: rows.columns.swap_index[last]!,
    half: 0,
  };
  return { count, cursor: writeListCursor('swaps', request, place), data };
}

/** A swap with all its keys. JSON.parse makes an object whose copies are fast; one that is given its keys by name is a table of them. */
const blank: Readonly<Record<string, null>> = JSON.parse(
  JSON.stringify(Object.fromEntries([...servedFields, 'swap_type'].map((name) => [name, null]))),
);

/** The columns that a swap is served from. */
const listed = columnsOf(swapsTable).filter((name) => !name.startsWith('given_'));

/** Those of them that hold ids of texts. */
const textColumns = listed.filter((name) => name !== 'tx' && swapsTable.columns[name] === 'id');

/** Reads a field from its column. */
function readerOf(
  dictionary: Dictionary,
  { columns }: ListedSwaps,
  name: SwapFieldName,
): (row: number) => string | number | null {
  const column = columns[swapField(name).column as keyof typeof columns];
  if (column instanceof Int32Array) return (row) => dictionary.textOrNull(column[row]!);
  return (row) => orNull(column[row]!);
}

type ListedSwaps = Batch<typeof swapsTable, (typeof listed)[number]>;

/** The swaps of legs that are the newest first, in their order. */
async function swapsOfLegs(reader: Reader, legs: Batch<typeof legsTable, 'seq'>): Promise<ListedSwaps> {
  const { seq } = legs.columns;
  const rows = await reader.read({ table: swapsTable, columns: listed, where: isIn('seq', seq) });
  const rowOf = new Map(Array.from(rows.columns.seq, (at, row) => [at, row]));
  return takeRows(
    rows,
    Array.from(seq, (at) => rowOf.get(at)!),
  );
}

/** Ids of the addresses that a list is of; `undefined` where one of them is not in the store. */
export async function findIds(
  context: QueryContext,
  request: ListRequest,
): Promise<{ wallet?: number; token?: number } | undefined> {
  const ids: { wallet?: number; token?: number } = {};
  for (const name of ['wallet', 'token'] as const) {
    const address = request[name];
    if (address === undefined) continue;
    const id = await context.dictionary.findOne(context.reader, address);
    if (id === NO_ID) return undefined;
    ids[name] = id;
  }
  return ids;
}

function scopeOf(wallet: number | undefined, token: number | undefined): Predicate {
  return and(
    ...(wallet === undefined ? [] : [compare('wallet', 'eq', wallet)]),
    ...(token === undefined ? [] : [or(compare('token_in', 'eq', token), compare('token_out', 'eq', token))]),
  );
}

async function loadTexts(context: QueryContext, rows: ListedSwaps): Promise<void> {
  await context.dictionary.load(
    context.reader,
    textColumns.flatMap((name) => Array.from(rows.columns[name] as Int32Array)),
  );
}
