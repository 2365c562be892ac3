import { swapTypeOf, swapTypes } from '../ledger/trade.ts';
import { legPrice } from '../ledger/value.ts';
import { type Batch, NO_ID, takeRows } from '../records/columns.ts';
import { legsTable, swapsTable } from '../records/tables.ts';
import type { Reader } from '../storage/adapter.ts';
import { and, compare, isIn, or, type Predicate } from '../storage/predicate.ts';
import { orNull, type QueryContext, untilAsOf } from './context.ts';
import { countList } from './count-list.ts';
import { seqOfCursor, writeListCursor } from './list-place.ts';
import { readSymbols } from './symbols.ts';
import { readTransactions } from './transactions.ts';

export interface ListRequest {
  readonly wallet?: string | undefined;
  readonly token?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** A swap as it is served. Amounts in whole tokens, prices USD per token, `block_time` Unix seconds; `null` is unknown. */
export interface Swap {
  readonly protocol: string | null;
  readonly wallet: string;
  readonly token_in: string;
  readonly token_out: string;
  readonly token_symbol_in: string | null;
  readonly token_symbol_out: string | null;
  readonly token_amount_in: number;
  readonly token_amount_out: number;
  readonly token_price_in: number | null;
  readonly token_price_out: number | null;
  readonly pre_token_balance_in: number | null;
  readonly pre_token_balance_out: number | null;
  readonly post_token_balance_in: number | null;
  readonly post_token_balance_out: number | null;
  readonly usd_amount_in: number | null;
  readonly usd_amount_out: number | null;
  readonly block_slot: number | null;
  readonly block_time: number;
  readonly tx_hash: string;
  readonly swap_index: number;
  readonly swap_type: (typeof swapTypes)[number];
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
  const data: Swap[] = [];
  for (let i = 0; i < shown; i++) {
    const c = rows.columns;
    const transaction = transactions.get(c.tx[i]!)!;
    data.push({
      protocol: dictionary.textOrNull(c.protocol[i]!),
      wallet: dictionary.textOf(c.wallet[i]!),
      token_in: dictionary.textOf(c.token_in[i]!),
      token_out: dictionary.textOf(c.token_out[i]!),
      token_symbol_in: dictionary.textOrNull(c.token_symbol_in[i]!) ?? symbols(c.token_in[i]!),
      token_symbol_out: dictionary.textOrNull(c.token_symbol_out[i]!) ?? symbols(c.token_out[i]!),
      token_amount_in: c.token_amount_in[i]!,
      token_amount_out: c.token_amount_out[i]!,
      token_price_in: orNull(legPrice(c.usd_amount_in[i]!, c.token_amount_in[i]!)),
      token_price_out: orNull(legPrice(c.usd_amount_out[i]!, c.token_amount_out[i]!)),
      pre_token_balance_in: orNull(c.pre_token_balance_in[i]!),
      pre_token_balance_out: orNull(c.pre_token_balance_out[i]!),
      post_token_balance_in: orNull(c.post_token_balance_in[i]!),
      post_token_balance_out: orNull(c.post_token_balance_out[i]!),
      usd_amount_in: orNull(c.usd_amount_in[i]!),
      usd_amount_out: orNull(c.usd_amount_out[i]!),
      block_slot: orNull(transaction.block_slot),
      block_time: transaction.block_time,
      tx_hash: transaction.tx_hash,
      swap_index: c.swap_index[i]!,
      swap_type:
        swapTypes[swapTypeOf(context.roles.rankOf(c.token_in[i]!) >= 0, context.roles.rankOf(c.token_out[i]!) >= 0)]!,
    });
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

/** The columns that a swap is served from. */
const listed = [
  'seq',
  'tx',
  'swap_index',
  'wallet',
  'token_in',
  'token_out',
  'protocol',
  'token_symbol_in',
  'token_symbol_out',
  'token_amount_in',
  'token_amount_out',
  'pre_token_balance_in',
  'pre_token_balance_out',
  'post_token_balance_in',
  'post_token_balance_out',
  'usd_amount_in',
  'usd_amount_out',
] as const;

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
  const c = rows.columns;
  await context.dictionary.load(context.reader, [
    ...c.protocol,
    ...c.wallet,
    ...c.token_in,
    ...c.token_out,
    ...c.token_symbol_in,
    ...c.token_symbol_out,
  ]);
}
