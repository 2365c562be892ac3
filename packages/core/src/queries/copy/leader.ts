import { requestError } from '../../faults.ts';
import { requireSince } from '../../ingest/carried.ts';
import { ledgerAt } from '../../ingest/ledgers.ts';
import { BUY } from '../../ledger/trade.ts';
import { readOpenLots } from '../../market-data/holdings.ts';
import { firstSeqAt, lastSeqAt, timeOf } from '../../records/chain-order.ts';
import type { Batch } from '../../records/columns.ts';
import { SEVERAL_POOLS, swapsTable, tradePoolsTable, tradesTable, transfersTable } from '../../records/tables.ts';
import { countedTrades } from '../../refresh/trades.ts';
import { ascending } from '../../storage/adapter.ts';
import { and, between, compare, isIn, not } from '../../storage/predicate.ts';
import { formatTime } from '../../time.ts';
import type { QueryContext } from '../context.ts';
import { walletHistory } from '../histories/wallet.ts';
import { movesOfTrades } from '../moves.ts';
import type { PlacedTrade } from './markets.ts';

/** Trades of a leader that one answer follows. */
export const MAX_LEADER_TRADES = 5000;

const columns = [
  'seq',
  'tx',
  'trade_index',
  'wallet',
  'token',
  'direction',
  'token_amount',
  'usd_amount',
  'pre_token_balance',
  'cost',
  'pnl',
  'pool',
] as const;

type LeaderRows = Batch<typeof tradesTable, (typeof columns)[number]>;

/** What a leader did in a time. */
export interface Leader {
  /** Its trades that can be followed, oldest first, and the row of each. */
  readonly trades: readonly PlacedTrade[];
  readonly rows: LeaderRows;
  readonly rowOf: readonly number[];
  /** Buys without a value. */
  readonly unvalued: number;
  /** When tokens left it that it did not sell, by token. */
  readonly left: readonly { readonly token: number; readonly seq: number }[];
}

/** A wallet and when it is followed, Unix seconds. */
export interface LeaderRange {
  readonly id: number;
  readonly from: number | undefined;
  readonly to: number;
}

/**
 * The trades of a wallet that a follower can make too: buys that have a value, and sells after one of the token.
 *
 * - Errors: `too-many-points` over 5,000 trades; `behind-horizon`.
 */
export async function readLeader(context: QueryContext, { id, from, to }: LeaderRange): Promise<Leader> {
  const { reader, horizon } = context;
  if (from !== undefined) await requireSince(context, 'wallets', [id], from);
  const since = Math.max(from ?? 0, horizon);
  const range = between('seq', firstSeqAt(since), lastSeqAt(to));
  const where = and(compare('wallet', 'eq', id), countedTrades('wallets'), range);
  const rows = await reader.read({
    table: tradesTable,
    columns,
    where,
    order: ascending('seq'),
    limit: MAX_LEADER_TRADES + 1,
  });
  const { columns: c, length } = rows;
  if (length > MAX_LEADER_TRADES) throw await tooMany(context, where, timeOf(c.seq[0]!), to);
  const arriving = await arrivingParts(context, id, range);
  const pools = await lastPools(context, rows);
  const gapOf = await movesOfTrades(context, rows);
  const soldPartOf = await soldParts(context, { id, to }, rows);
  const trades: PlacedTrade[] = [];
  const rowOf: number[] = [];
  const left: { token: number; seq: number }[] = [];
  const bought = new Set<number>();
  let unvalued = 0;
  for (let row = 0; row < length; row++) {
    const token = c.token[row]!;
    const isBuy = c.direction[row] === BUY;
    const amount = c.token_amount[row]!;
    const price = c.usd_amount[row]! / amount;
    const hasPrice = price > 0 && Number.isFinite(price);
    if (gapOf(row).gap < 0) left.push({ token, seq: c.seq[row]! - 1 });
    if (isBuy && !hasPrice) unvalued++;
    if (isBuy ? !hasPrice : !bought.has(token)) continue;
    bought.add(token);
    rowOf.push(row);
    trades.push({
      seq: c.seq[row]!,
      tx: c.tx[row]!,
      token,
      pool: pools.get(c.seq[row]!) ?? c.pool[row]!,
      isBuy,
      part: isBuy ? 1 : soldPartOf(row),
      price: hasPrice ? price : Number.NaN,
      arriving: arriving.get(`${c.tx[row]} ${token} ${isBuy}`) ?? 1,
    });
  }
  left.push(...(await sentAway(context, id, since, to)));
  return { trades, rows, rowOf, unvalued, left };
}

/** Which part of its balance before it each sell sold: by what it reports, else by what the wallet had so far. */
async function soldParts(
  context: QueryContext,
  { id, to }: Pick<LeaderRange, 'id' | 'to'>,
  { columns: c }: LeaderRows,
): Promise<(row: number) => number> {
  const left = new Map<number, number>();
  const isUnreported = (row: number): boolean => c.direction[row] !== BUY && Number.isNaN(c.pre_token_balance[row]!);
  if (c.seq.some((_, row) => isUnreported(row)))
    await ledgerAt(
      context.reader,
      { wallet: id },
      {
        ...context,
        asOf: to,
        onStep: (_pair, _time, { balance }, seq) => {
          if (seq !== undefined) left.set(seq, balance);
        },
      },
    );
  return (row) => {
    const sold = c.token_amount[row]!;
    const before = isUnreported(row) ? (left.get(c.seq[row]!) ?? 0) + sold : c.pre_token_balance[row]!;
    return before > sold ? sold / before : 1;
  };
}

async function tooMany({ reader }: QueryContext, where: Parameters<typeof reader.count>[1], from: number, to: number) {
  const count = await reader.count(tradesTable, where);
  const message = `The wallet has ${count} trades from ${formatTime(from)} to ${formatTime(to)}, over the limit of ${MAX_LEADER_TRADES}; give a later "from", or an earlier "to".`;
  return requestError('too-many-points', 'from', message);
}

/** Which part of the tokens arrived in swaps of a wallet whose pools say what they gave and got: by transaction, token and direction. */
async function arrivingParts(
  { reader }: QueryContext,
  wallet: number,
  range: ReturnType<typeof between>,
): Promise<ReadonlyMap<string, number>> {
  const { columns: c, length } = await reader.read({
    table: swapsTable,
    columns: [
      'tx',
      'token_in',
      'token_out',
      'token_amount_in',
      'token_amount_out',
      'pool_amount_in',
      'pool_amount_out',
    ],
    where: and(compare('wallet', 'eq', wallet), range, not({ kind: 'missing', column: 'pool_amount_in' })),
  });
  const parts = new Map<string, number>();
  const note = (key: string, arrived: number, sent: number): void => {
    if (arrived < sent) parts.set(key, Math.min(parts.get(key) ?? 1, arrived / sent));
  };
  for (let row = 0; row < length; row++) {
    note(`${c.tx[row]} ${c.token_out[row]} true`, c.token_amount_out[row]!, c.pool_amount_out[row]!);
    note(`${c.tx[row]} ${c.token_in[row]} false`, c.pool_amount_in[row]!, c.token_amount_in[row]!);
  }
  return parts;
}

/** The last pool of each trade that went through several. */
async function lastPools({ reader }: QueryContext, { columns: c }: LeaderRows): Promise<ReadonlyMap<number, number>> {
  const several = c.seq.filter((_, row) => c.pool[row] === SEVERAL_POOLS);
  if (several.length === 0) return new Map();
  const { columns: found } = await reader.read({
    table: tradePoolsTable,
    columns: ['seq', 'pool'],
    where: isIn('seq', several),
    order: ascending('seq', 'place'),
  });
  return new Map(Array.from(found.seq, (seq, i) => [seq, found.pool[i]!]));
}

/** When a wallet sent tokens away, as the last place of that second. */
async function sentAway({ reader }: QueryContext, wallet: number, from: number, to: number) {
  const { columns: c } = await reader.read({
    table: transfersTable,
    columns: ['token', 'block_time'],
    where: and(compare('sender', 'eq', wallet), between('block_time', from, to), compare('includes_swaps', 'eq', 0)),
  });
  return Array.from(c.token, (token, row) => ({ token, seq: lastSeqAt(c.block_time[row]!) }));
}

/** What a leader made itself: its sells in the range, and what it held at the end of it. USD. */
export async function madeByLeader(
  context: QueryContext,
  { id, to }: LeaderRange,
  wallet: string,
  { rows: { columns: c } }: Leader,
): Promise<{ readonly realized: number; readonly unrealized: number; readonly cost: number }> {
  let [realized, cost] = [0, 0];
  for (const [row, pnl] of c.pnl.entries()) {
    if (Number.isNaN(pnl)) continue;
    realized += pnl;
    cost += c.cost[row]!;
  }
  const { points } = await walletHistory(context, { wallet, interval: 1, from: to, to, metrics: ['unrealized_pnl'] });
  const lots = await readOpenLots(context.reader, id, { ...context, asOf: to });
  for (const [token, lot] of lots) if (context.roles.rankOf(token) < 0) cost += lot.cost;
  return { realized, unrealized: points.at(-1)?.unrealized_pnl ?? 0, cost };
}
