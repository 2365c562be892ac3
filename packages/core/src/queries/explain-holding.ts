import { noCache } from '../cache/process-memory.ts';
import { carriedPairs, tradedPairs } from '../ingest/carried.ts';
import { latestMarks } from '../market-data/marks.ts';
import { carriedLegsTable } from '../records/carried-tables.ts';
import { lastSeqAt, pairOf, timeOf } from '../records/chain-order.ts';
import { NO_ID } from '../records/columns.ts';
import { suspectStandings } from '../records/standing.ts';
import { legsTable, swapsTable, tradesTable } from '../records/tables.ts';
import { readProfilesAsOf } from '../storage/meta.ts';
import { and, compare, isIn } from '../storage/predicate.ts';
import { readTransactions } from '../storage/reads.ts';
import { formatTime } from '../time.ts';
import { orNull, type QueryContext } from './context.ts';
import { readTradesPage } from './explain-head.ts';
import { hasMoved } from './explain-moves.ts';
import type { ExplainRequest, MetricExplanation } from './explain-schema.ts';
import { changedSince } from './explain-subject.ts';
import { type readCursorAsOf, writeCursorAsOf } from './list-place.ts';
import { noPosition, readPosition } from './positions/get.ts';

const formula = {
  'holding.unrealized_pnl': 'price * lot_amount - cost_basis',
  'holding.unrealized_roi': '(price * lot_amount - cost_basis) / cost_basis * 100',
} as const;

/** Results of a holding that can be explained. */
export type HoldingField = keyof typeof formula;

/** They have no window. */
export const explainedHoldings = Object.keys(formula) as readonly HoldingField[];

export const isHolding = (metric: string | undefined): metric is HoldingField =>
  metric !== undefined && metric in formula;

/** Of no trade it can be said what it adds to an unrealised result. */
const noSum = { value: () => null };

/** What an unrealised result is made of: the mark that values the lots that are here, their amount and cost, and the trades of the position. */
export async function explainHolding(
  given: QueryContext,
  request: ExplainRequest & { readonly metric: HoldingField },
  list: string,
  begun: ReturnType<typeof readCursorAsOf> | undefined,
): Promise<MetricExplanation> {
  const { wallet = '', token = '', metric, limit } = request;
  const stored = given.isAsOfAsked ? null : await readProfilesAsOf(given.reader);
  const instant = begun?.asOf ?? stored ?? given.asOf;
  // What is stored holds, unless a refresh came after the first page, or a swap that is older than the profile.
  const holds =
    stored === null
      ? begun === undefined
      : stored === instant &&
        (await changedSince(given, 'wallets', await given.dictionary.findOne(given.reader, wallet))) > stored;
  const context = holds ? given : { ...given, asOf: instant, isAsOfAsked: true, cache: noCache };
  const columns = ['wallet', 'token', 'holding.price', 'lot_amount', 'holding.cost_basis', metric];
  const { rows, asOf } = await readPosition(context, { wallet, token }, columns);
  if (rows.length === 0) throw noPosition({ wallet, token });
  const numberOf = (column: string): number | null => orNull(rows.columns[column]![0] as number);
  const [walletId, tokenId] = [numberOf('wallet')!, numberOf('token')!];
  const trades = and(compare('wallet', 'eq', walletId), compare('token', 'eq', tokenId));
  const mark = await markOf(context, tokenId, asOf);
  const at = mark === null ? null : formatTime(mark.block_time);
  const term = (name: string, column: string, unit: string, meaning: string, time: string | null = null) => ({
    name,
    value: numberOf(column),
    unit,
    meaning,
    from: time,
    to: null,
  });
  const pair = pairOf(walletId, tokenId);
  const forgotten = await forgottenTrades(context, pair);
  const since = begun === undefined && (await hasMoved(context, pair)) ? pair : undefined;
  const page = await readTradesPage(
    context,
    { trades, counterparty: 'token', asOf },
    { metric: noSum, window: { seconds: asOf + 1 }, limit, place: begun?.place, best: NO_ID, since },
  );
  return {
    as_of: formatTime(asOf),
    metric,
    window: null,
    value: numberOf(metric),
    unit: metric === 'holding.unrealized_pnl' ? 'USD' : 'percent',
    formula: formula[metric],
    terms: [
      term('price', 'holding.price', 'USD', 'price of a token: that of the mark', at),
      term('lot_amount', 'lot_amount', 'tokens', 'amount of the lots with a known cost that are here'),
      term('cost_basis', 'holding.cost_basis', 'USD', 'what these lots cost'),
    ],
    mark,
    count: await context.reader.count(tradesTable, and(trades, compare('seq', 'lte', lastSeqAt(asOf)))),
    ...(forgotten === undefined ? {} : { forgotten }),
    ...(page.next === undefined ? {} : { cursor: writeCursorAsOf(list, request, asOf, page.next) }),
    trades: page.trades,
    moves: page.moves,
  };
}

/** The trades of a pair behind the horizon, if there are any: the store carries how many there were. */
async function forgottenTrades(
  { reader, horizon }: QueryContext,
  pair: number,
): Promise<MetricExplanation['forgotten'] | undefined> {
  if (horizon === 0) return undefined;
  const { length, columns: c } = tradedPairs(await carriedPairs(reader, horizon, compare('id', 'eq', pair)));
  if (length === 0) return undefined;
  return { before: formatTime(horizon), count: c['holding.buy_count'][0]! + c['holding.sell_count'][0]! };
}

/** The print that values a token at an instant, with how many suspect ones came after it. */
async function markOf(
  context: QueryContext,
  token: number,
  asOf: number,
): Promise<NonNullable<MetricExplanation['mark']> | null> {
  const { reader } = context;
  const until = lastSeqAt(asOf);
  const print = (await latestMarks(context, Int32Array.of(token), until)).get(token);
  if (print === undefined) return null;
  const passed = and(compare('token', 'eq', token), compare('seq', 'gt', print.seq), compare('seq', 'lte', until));
  return {
    ...(await swapOf(context, token, print.seq)),
    block_time: timeOf(print.seq),
    usd_price: print.price,
    native_price: orNull(print.nativePrice),
    suspects_since: await reader.count(legsTable, and(passed, isIn('standing', suspectStandings))),
  };
}

/** What names the swap of a print: the store carries it for a forgotten print. */
async function swapOf(
  { reader, horizon }: QueryContext,
  token: number,
  seq: number,
): Promise<{ readonly tx_hash: string; readonly swap_index: number }> {
  const isSwap = compare('seq', 'eq', seq);
  if (timeOf(seq) < horizon) {
    const where = and(compare('token', 'eq', token), isSwap);
    const { columns } = await reader.read({ table: carriedLegsTable, columns: ['tx_hash', 'swap_index'], where });
    return { tx_hash: columns.tx_hash[0]!, swap_index: columns.swap_index[0]! };
  }
  const { columns } = await reader.read({ table: swapsTable, columns: ['tx', 'swap_index'], where: isSwap });
  const tx = columns.tx[0]!;
  return { tx_hash: (await readTransactions(reader, [tx])).get(tx)!.tx_hash, swap_index: columns.swap_index[0]! };
}
