import { createHash } from 'node:crypto';
import { base58 } from '@scure/base';
import * as v from 'valibot';
import { resultOf } from '../ledger/result.ts';
import { directions, positionStates, swapTypes } from '../ledger/trade.ts';
import { pairOf } from '../records/chain-order.ts';
import { type Batch, columnsBut, NO_ID } from '../records/columns.ts';
import { SEVERAL_POOLS, tradePoolsTable, tradesTable } from '../records/tables.ts';
import {
  type Answer,
  described,
  integer,
  integerOrNull,
  listOf,
  named,
  number,
  numberOrNull,
  oneOf,
  text,
  textOrNull,
  time,
} from '../response.ts';
import { ascending, type Reader } from '../storage/adapter.ts';
import { and, compare, isIn } from '../storage/predicate.ts';
import { readTransactions, type TransactionRow } from '../storage/reads.ts';
import { orNull, type QueryContext, untilAsOf } from './context.ts';
import { countList, requireScanOfList, writeListCursor } from './list-place.ts';
import { type MovesOfTrades, movesOfTrades } from './moves.ts';
import { readSymbols, registeredTokens } from './per-token.ts';
import { beforeCursor, findIds, type ListRequest, type Page } from './swaps.ts';

export const tradeSchema = named(
  'Trade',
  v.strictObject({
    protocol: textOrNull('Where the first swap took place.'),
    wallet: text('Who traded.'),
    token: text('What was bought or sold.'),
    quote: text('What was paid or received for it.'),
    position: text('Id of the wallet-token pair.'),
    token_amount: number('Whole tokens.'),
    quote_amount: number('Whole tokens of the quote.'),
    native_amount: numberOrNull(
      'Whole native tokens: its own, those that it was traded for or through, or its value in them.',
    ),
    usd_amount: numberOrNull('USD.'),
    pre_token_balance: numberOrNull('Whole tokens, before the trade.'),
    post_token_balance: numberOrNull('Whole tokens, after the trade.'),
    token_symbol: textOrNull('Symbol of the token.'),
    quote_symbol: textOrNull('Symbol of the quote.'),
    token_price: numberOrNull('USD per token.'),
    quote_price: numberOrNull('USD per token of the quote.'),
    block_slot: integerOrNull('Slot or number of the block.'),
    block_time: time('Unix seconds, UTC.'),
    tx_hash: text('Hash of the transaction.'),
    trade_index: integer('Place of the first swap in the transaction.'),
    swap_type: oneOf(swapTypes, 'Roles of what was given and received.'),
    direction: oneOf(directions, 'Whether the wallet bought or sold the token.'),
    position_state: oneOf(positionStates, 'What the trade does to its position.'),
    realized_pnl_usd: numberOrNull('USD; null for a buy, and if no cost is known.'),
    realized_roi: numberOrNull('Percent; null for a buy, and if no cost is known.'),
    realized_pnl_native: numberOrNull('Native tokens; null for a buy, and if no cost in them is known.'),
    fee_native: numberOrNull("Native tokens: the trade's part of what its wallet paid the chain for the transaction."),
    gap_before: number(
      'Whole tokens that came (positive) or went (negative) unseen before the trade: what its balances say beyond what is stored; 0 without any.',
    ),
    returned_cost: number(
      'USD: what lots cost that came back since the trade before of the same position; 0 without any.',
    ),
    market_cap: numberOrNull('USD at the price of the trade; null without a supply.'),
    pools: described(
      listOf(v.string()),
      'Addresses of the pools that it went through, each once, in chain order; swaps without a pool have none.',
    ),
  }),
);

/** A trade as it is served: what one wallet did with one token in one transaction. `null` is unknown, or does not apply. */
export interface Trade extends Answer<typeof tradeSchema> {}

/** The columns that a trade is served from. */
export const listedTrades = columnsBut(tradesTable, 'proceeds', 'holding', 'open_before', 'open_cost', 'fee_usd');

export type ListedTrades = Batch<typeof tradesTable, (typeof listedTrades)[number]>;

/** Trades of a wallet, of a token, of both, or all: newest first. */
export async function listTrades(context: QueryContext, request: ListRequest): Promise<Page<Trade>> {
  const { reader } = context;
  const ids = await findIds(context, request);
  if (ids === undefined) return { count: 0, data: [] };
  requireScanOfList(context, 'trades', ids);
  const until = untilAsOf(context);
  const scope = (['wallet', 'token'] as const).flatMap((name) =>
    ids[name] === undefined ? [] : [compare(name, 'eq', ids[name])],
  );
  const before = await beforeCursor(context, 'trades', request);
  const rows = await reader.read({
    table: tradesTable,
    columns: listedTrades,
    where: and(...scope, before, until),
    order: [{ column: 'seq', direction: 'desc' }],
    limit: request.limit + 1,
  });
  const count = await countList(context, 'trades', ids, {
    ...request,
    read: rows.length,
    ask: () => reader.count(tradesTable, and(...scope, until)),
  });
  const { data, placeOf } = await servedTrades(context, rows, Math.min(rows.length, request.limit));
  if (rows.length <= request.limit) return { count, data };
  return { count, cursor: writeListCursor('trades', request, placeOf(data.length - 1)), data };
}

/** What is known of trades beside their rows, so that it need not be read. */
export interface KnownOfTrades {
  readonly transactions: ReadonlyMap<number, TransactionRow>;
  /** Rows of the table of that name, in its order. */
  readonly tradePools: Batch<typeof tradePoolsTable, 'seq' | 'pool'>;
  readonly moves?: MovesOfTrades | undefined;
}

/** The first rows as they are served, and the place of each for a cursor. */
export async function servedTrades(
  context: QueryContext,
  rows: ListedTrades,
  shown: number,
  known: Partial<KnownOfTrades> = {},
) {
  const { reader, dictionary } = context;
  const c = rows.columns;
  const transactions = known.transactions ?? (await readTransactions(reader, c.tx));
  const symbols = await readSymbols(context, [
    { tokens: c.token, symbols: c.token_symbol },
    { tokens: c.quote, symbols: c.quote_symbol },
  ]);
  const registered = await registeredTokens(context, c.token);
  const poolsOf = await poolsOfTrades(reader, c, known.tradePools);
  const movesOf = known.moves ?? (await movesOfTrades(context, rows));
  await dictionary.load(reader, [
    ...c.protocol,
    ...c.wallet,
    ...c.token,
    ...c.quote,
    ...c.token_symbol,
    ...c.quote_symbol,
    ...Array.from(c.pool, (_, row) => poolsOf(row)).flat(),
  ]);
  const data: Trade[] = [];
  // A hash costs more than all else of a trade, and a pair has several trades on a long page.
  const positions = new Map<number, string>();
  for (let i = 0; i < shown; i++) {
    const transaction = transactions.get(c.tx[i]!)!;
    const wallet = dictionary.textOf(c.wallet[i]!);
    const token = dictionary.textOf(c.token[i]!);
    const price = c.usd_amount[i]! / c.token_amount[i]!;
    const pair = pairOf(c.wallet[i]!, c.token[i]!);
    const position = positions.get(pair) ?? positionId(wallet, token);
    positions.set(pair, position);
    data.push({
      protocol: dictionary.textOrNull(c.protocol[i]!),
      wallet,
      token,
      quote: dictionary.textOf(c.quote[i]!),
      position,
      token_amount: c.token_amount[i]!,
      quote_amount: c.quote_amount[i]!,
      native_amount: orNull(c.native_amount[i]!),
      usd_amount: orNull(c.usd_amount[i]!),
      pre_token_balance: orNull(c.pre_token_balance[i]!),
      post_token_balance: orNull(c.post_token_balance[i]!),
      token_symbol: dictionary.textOrNull(c.token_symbol[i]!) ?? symbols(c.token[i]!),
      quote_symbol: dictionary.textOrNull(c.quote_symbol[i]!) ?? symbols(c.quote[i]!),
      token_price: orNull(price),
      quote_price: orNull(c.quote_price[i]!),
      block_slot: orNull(transaction.block_slot),
      block_time: transaction.block_time,
      tx_hash: transaction.tx_hash,
      trade_index: c.trade_index[i]!,
      swap_type: swapTypes[c.swap_type[i]!]!,
      direction: directions[c.direction[i]!]!,
      position_state: positionStates[c.position_state[i]!]!,
      realized_pnl_usd: orNull(c.pnl[i]!),
      realized_roi: orNull((c.pnl[i]! / c.cost[i]!) * 100),
      realized_pnl_native: orNull(resultOf(c.cost_native[i]!, c.proceeds_native[i]!)),
      fee_native: orNull(c.fee_native[i]!),
      gap_before: movesOf(i).gap,
      returned_cost: movesOf(i).returnedCost,
      market_cap: orNull(price * registered(c.token[i]!).supply),
      pools: poolsOf(i).map((pool) => dictionary.textOf(pool)),
    });
  }
  const placeOf = (i: number) => ({
    transaction: transactions.get(c.tx[i]!)!,
    index: c.trade_index[i]!,
    half: c.seq[i]! % 2,
  });
  return { data, placeOf };
}

async function poolsOfTrades(
  reader: Reader,
  { seq, pool }: ListedTrades['columns'],
  known?: KnownOfTrades['tradePools'],
): Promise<(row: number) => readonly number[]> {
  const several = seq.filter((_, row) => pool[row] === SEVERAL_POOLS);
  const found = new Map(Array.from(several, (at) => [at, [] as number[]]));
  if (several.length > 0) {
    const { columns } = known ?? (await readTradePools(reader, several));
    for (const [i, at] of columns.seq.entries()) found.get(at)?.push(columns.pool[i]!);
  }
  return (row) => found.get(seq[row]!) ?? (pool[row] === NO_ID ? [] : [pool[row]!]);
}

function readTradePools(reader: Reader, trades: Float64Array): Promise<KnownOfTrades['tradePools']> {
  return reader.read({
    table: tradePoolsTable,
    columns: ['seq', 'pool'],
    where: isIn('seq', trades),
    order: ascending('seq', 'place'),
  });
}

/** Id of a wallet-token pair: base58 of the SHA-256 over wallet, a zero byte and token. */
export function positionId(wallet: string, token: string): string {
  return base58.encode(createHash('sha256').update(`${wallet}\0${token}`).digest());
}
