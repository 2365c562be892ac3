import * as v from 'valibot';
import { CarriedEntities, carriedLots, carriedPairs, tradedPairs } from '../../ingest/carried.ts';
import { ledgerAt } from '../../ingest/ledgers.ts';
import { Position } from '../../ledger/position.ts';
import { resultOf } from '../../ledger/result.ts';
import { percent } from '../../metrics/numbers.ts';
import { firstSeqAt, lastSeqAt, pairsOf, pairToken, timeOf } from '../../records/chain-order.ts';
import { tradesTable } from '../../records/tables.ts';
import { countedTrades } from '../../refresh/trades.ts';
import { type Answer, described, integer, listOf, named, number, numberOrNull, text } from '../../response.ts';
import { and, between, compare } from '../../storage/predicate.ts';
import type { QueryContext } from '../context.ts';
import {
  type HistoryRange,
  type Instants,
  instantFrom,
  instantsOfEntity,
  pointSchema,
  pointsOf,
  pricesAt,
  type Span,
  untilLast,
  wantedOf,
} from './instants.ts';

/** What a point of a wallet may have. */
export const walletSeries = {
  equity: number('USD: `realized_pnl` + `unrealized_pnl`.'),
  realized_pnl: number('USD, of all realised and small sells since the first stored trade.'),
  unrealized_pnl: number('USD, of the lots of known cost that are here, at the mark of each token at that time.'),
  drawdown: number(
    'USD from the highest `equity` of the points until then, or from 0 if all are lower, down to `equity`.',
  ),
  pnl: number('USD, of the realised and small sells in the interval.'),
  volume: number('USD, of the trades in the interval.'),
  trade_count: integer('Trades in the interval.'),
  roi: numberOrNull('Percent, of the realised and small sells in the interval on their cost.'),
  winrate: numberOrNull('Percent of the wins and losses in the interval that were wins.'),
  position_count: integer('Tokens with a realised sell in the interval.'),
  pnl_native: number('Native tokens, of the sells in the interval that have a result in them.'),
  roi_native: numberOrNull('Percent, of those sells on their cost in native tokens.'),
  volume_native: number('Native tokens, of the trades in the interval.'),
};

type Series = keyof typeof walletSeries;

interface WalletHistoryRequest extends HistoryRange<Series> {
  readonly wallet: string;
}

const walletPointSchema = named('WalletPoint', pointSchema(walletSeries));

/** A wallet at an instant, and what it did in the interval that ends there. */
export interface WalletPoint extends Answer<typeof walletPointSchema> {}

export const walletHistorySchema = named(
  'WalletHistory',
  v.strictObject({
    wallet: text('Address.'),
    points: described(listOf<WalletPoint>(walletPointSchema), 'Oldest first.'),
  }),
);

/** A wallet at regular instants. */
export interface WalletHistory extends Answer<typeof walletHistorySchema> {}

/** What is made of the lots that are open, and of the prices of their tokens. */
const ofLots: readonly Series[] = ['equity', 'unrealized_pnl', 'drawdown'];

const columns = [
  'seq',
  'token',
  'usd_amount',
  'cost',
  'pnl',
  'holding',
  'native_amount',
  'cost_native',
  'proceeds_native',
] as const;

/** What is added up of the trades. */
const sums = [
  'realized_pnl',
  'pnl',
  'volume',
  'trade_count',
  'position_count',
  'pnl_native',
  'volume_native',
  'cost',
  'cost_native',
  'wins',
  'losses',
] as const;

type Sums = Readonly<Record<(typeof sums)[number], Float64Array>>;

/**
 * A wallet at regular instants: `from`, `from + interval`, ... <= `to`, or instants that end at `to` and go back to the first trade.
 *
 * - Trades between quote tokens are left out, as in profiles; so are instants before the first trade and after the as-of time.
 * - Units: `timestamp` Unix seconds, values USD; the values of an interval are over (t - interval, t].
 * - Errors: `invalid-range` for `from` after `to`; `too-many-points` over 5,000.
 */
export async function walletHistory(context: QueryContext, request: WalletHistoryRequest): Promise<WalletHistory> {
  const { wallet } = request;
  const id = await context.dictionary.findOne(context.reader, wallet);
  const where = tradesOf(id, context.asOf);
  const instants = await instantsOfEntity(context, request, { kind: 'wallets', id, table: tradesTable, where });
  if (instants === undefined || instants.times.length === 0) return { wallet, points: [] };
  const wanted = wantedOf(walletSeries, request);
  const folded = await foldTrades(context, id, instants);
  const lots = ofLots.some((name) => wanted.includes(name)) ? await heldLots(context, id, instants) : [];
  const unrealized_pnl = await unrealizedAt(context, lots, instants);
  const equity = folded.realized_pnl.map((realized, i) => realized + unrealized_pnl[i]!);
  const drawdown = falls(equity);
  const roi = percents(folded.pnl, folded.cost);
  const roi_native = percents(folded.pnl_native, folded.cost_native);
  const winrate = percents(
    folded.wins,
    folded.wins.map((won, i) => won + folded.losses[i]!),
  );
  const made = { equity, unrealized_pnl, drawdown, roi, roi_native, winrate };
  return { wallet, points: pointsOf(instants, wanted, { ...folded, ...made }) };
}

/** The trades of a wallet that count for its profile, until a time. */
function tradesOf(wallet: number, until: number) {
  return and(compare('wallet', 'eq', wallet), countedTrades('wallets'), compare('seq', 'lte', lastSeqAt(until)));
}

/** What the trades alone say, by instant. */
async function foldTrades(context: QueryContext, wallet: number, { interval, times }: Instants): Promise<Sums> {
  const pause = context.yielder();
  const found = Object.fromEntries(sums.map((name) => [name, new Float64Array(times.length)])) as Sums;
  const { realized_pnl, pnl, volume, trade_count, position_count, pnl_native, volume_native } = found;
  /** By token, the last interval in which it had a realised sell. */
  const sold = new Map<number, number>();
  let next = 0;
  const { reader, horizon } = context;
  let realized =
    (await CarriedEntities.read(reader, horizon, 'wallets', [wallet])).numberOf(wallet, 'realized_pnl') || 0;
  const passUntil = (time: number): void => {
    for (; next < times.length && times[next]! < time; next++) realized_pnl[next] = realized;
  };
  const trades = context.reader.stream({
    table: tradesTable,
    columns,
    where: tradesOf(wallet, times.at(-1)!),
    order: [{ column: 'seq', direction: 'asc' }],
  });
  const start = firstSeqAt(times[0]! - interval + 1);
  for await (const batch of trades) {
    const { seq, usd_amount: usd, pnl: results, native_amount: native } = batch.columns;
    const { token, cost, holding, cost_native, proceeds_native } = batch.columns;
    for (let row = 0; row < batch.length; row++) {
      passUntil(timeOf(seq[row]!));
      const result = results[row]!;
      if (!Number.isNaN(result)) realized += result;
      if (seq[row]! < start) continue;
      trade_count[next]!++;
      if (!Number.isNaN(usd[row]!)) volume[next]! += usd[row]!;
      if (!Number.isNaN(native[row]!)) volume_native[next]! += native[row]!;
      if (!Number.isNaN(cost_native[row]!)) {
        pnl_native[next]! += resultOf(cost_native[row]!, proceeds_native[row]!);
        found.cost_native[next]! += cost_native[row]!;
      }
      if (Number.isNaN(result)) continue;
      pnl[next]! += result;
      found.cost[next]! += cost[row]!;
      // A small sell counts in sums alone.
      if (Number.isNaN(holding[row]!)) continue;
      if (result > 0) found.wins[next]!++;
      else if (result < 0) found.losses[next]!++;
      if (sold.get(token[row]!) === next) continue;
      sold.set(token[row]!, next);
      position_count[next]!++;
    }
    await pause.yieldIfDue();
  }
  passUntil(Number.POSITIVE_INFINITY);
  return found;
}

/** Percent of each value; `NaN` of 0. */
const percents = (values: Float64Array, of: Float64Array): Float64Array =>
  values.map((value, i) => percent(value, of[i]!) ?? Number.NaN);

/** How far each value lies under the highest until then, which is at least 0. */
function falls(values: Float64Array): Float64Array {
  let peak = 0;
  return values.map((value) => {
    peak = Math.max(peak, value);
    return peak - value;
  });
}

/** Tokens whose prints are read together: their prices at all instants are in memory at once. */
const TOGETHER = 256;

/**
 * Unrealised pnl of a wallet at instants, USD: for each token, the tokens in its open lots of known cost at its last print until then, less
 * that cost. Lots without a print stay out. Tokens are added up in the order in which they are given.
 */
async function unrealizedAt(
  context: QueryContext,
  tokens: readonly HeldToken[],
  instants: Instants,
): Promise<Float64Array> {
  const pause = context.yielder();
  const { length } = instants.times;
  const sums = new Float64Array(length);
  const held = tokens.map((token) => {
    return { ...token, from: token.at[0]!, to: token.amount.at(-1) === 0 ? token.at.at(-1)! : length };
  });
  for (let i = 0; i < held.length; i += TOGETHER) {
    const together = held.slice(i, i + TOGETHER);
    const prices = await pricesAt(context, together, instants);
    for (const [k, token] of together.entries()) {
      add(sums, token, prices[k]!);
      await pause.yieldIfDue();
    }
  }
  return sums;
}

function add(sums: Float64Array, { at, amount, cost, from, to }: HeldToken & Span, prices: Float64Array): void {
  let change = 0;
  for (let i = from; i < to; i++) {
    if (at[change + 1] === i) change++;
    if (amount[change] === 0) continue;
    const unrealized = amount[change]! * prices[i - from]! - cost[change]!;
    if (Number.isFinite(unrealized)) sums[i]! += unrealized;
  }
}

/** The lots of known cost of one token that are here, as they change from instant to instant. */
interface HeldToken {
  readonly token: number;
  /** Numbers of the instants at which there is something else than at the one before. */
  readonly at: number[];
  /** Whole tokens in those lots, from each of these instants on. */
  readonly amount: number[];
  /** USD that they cost. */
  readonly cost: number[];
}

/** The lots of known cost of a wallet that are here at instants, by token, in the order of their first trades. */
async function heldLots(context: QueryContext, wallet: number, instants: Instants): Promise<readonly HeldToken[]> {
  const { reader, horizon, roles } = context;
  const held = new Map<number, HeldToken>();
  const note = (token: number, at: number, { knownAmount: amount, openCost: cost }: Position): void => {
    const known = held.get(token) ?? { token, at: [], amount: [], cost: [] };
    held.set(token, known);
    if (amount === 0 && (known.amount.at(-1) ?? 0) === 0) return;
    const place = known.at.at(-1) === at ? known.at.length - 1 : known.at.length;
    known.at[place] = at;
    known.amount[place] = amount;
    known.cost[place] = cost;
  };
  const carried = tradedPairs(await carriedPairs(reader, horizon, compare('wallet', 'eq', wallet)));
  const open = await carriedLots(reader, horizon, between('pair', ...pairsOf(wallet)));
  const first = new Map(Array.from(carried.columns.token, (token, row) => [token, carried.columns.first_seq[row]!]));
  const position = new Position();
  for (const pair of carried.columns.id) {
    const from = open.columns.pair.indexOf(pair);
    if (from < 0) continue;
    position.load(open, from, open.columns.pair.lastIndexOf(pair) + 1);
    note(pairToken(pair), 0, position);
  }
  const { trades } = await ledgerAt(
    reader,
    { wallet },
    {
      ...context,
      asOf: untilLast(context, instants),
      onStep: (pair, time, { position }) => note(pairToken(pair), instantFrom(instants, time), position),
    },
  );
  for (const [row, token] of trades.columns.token.entries())
    if (!first.has(token)) first.set(token, trades.columns.seq[row]!);
  // Trades between quote tokens are none of the wallet's profile.
  return [...held.values()]
    .filter(({ token, at }) => at.length > 0 && first.has(token) && roles.rankOf(token) < 0)
    .sort((a, b) => first.get(a.token)! - first.get(b.token)!);
}
