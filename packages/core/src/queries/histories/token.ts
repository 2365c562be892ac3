import * as v from 'valibot';
import { balancesOf, carriedPairs } from '../../ingest/carried.ts';
import { ledgerAt } from '../../ingest/ledgers.ts';
import { settledBalance } from '../../ledger/lot-rows.ts';
import { BUY } from '../../ledger/trade.ts';
import { firstSeqAt, lastSeqAt, timeOf } from '../../records/chain-order.ts';
import { legsTable, tradesTable } from '../../records/tables.ts';
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
  untilLast,
  wantedOf,
} from './instants.ts';

/** What a point of a token may have. */
export const tokenSeries = {
  price: numberOrNull('USD per token, at the last print until then that is not suspect, as `market.price` has it.'),
  holders: integer('Wallets with a positive balance.'),
  makers_count: integer('Distinct wallets that traded in the interval.'),
  trade_count: integer('Trades in the interval.'),
  volume: number('USD, of the trades in the interval.'),
  buy_volume: number('USD, of the buys in the interval.'),
  sell_volume: number('USD, of the sells in the interval.'),
};

type Series = keyof typeof tokenSeries;

/** What is made of the trades of the intervals. */
const ofTrades = [
  'makers_count',
  'trade_count',
  'volume',
  'buy_volume',
  'sell_volume',
] as const satisfies readonly Series[];
type OfTrades = (typeof ofTrades)[number];

interface TokenHistoryRequest extends HistoryRange<Series> {
  readonly token: string;
}

const tokenPointSchema = named('TokenPoint', pointSchema(tokenSeries));

/** A token at an instant, and what was done with it in the interval that ends there. */
export interface TokenPoint extends Answer<typeof tokenPointSchema> {}

export const tokenHistorySchema = named(
  'TokenHistory',
  v.strictObject({ token: text('Address.'), points: described(listOf<TokenPoint>(tokenPointSchema), 'Oldest first.') }),
);

/** A token at regular instants. */
export interface TokenHistory extends Answer<typeof tokenHistorySchema> {}

/**
 * A token at regular instants: `from`, `from + interval`, ... <= `to`, or instants that end at `to` and go back to the first swap.
 *
 * - Holders go by the balances, also if the registry gives a figure. Instants before the first swap and after the as-of time are left out.
 * - Units: `timestamp` Unix seconds, volumes USD; the volume of an interval is over (t - interval, t].
 * - Errors: `invalid-range` for `from` after `to`; `too-many-points` over 5,000.
 */
export async function tokenHistory(context: QueryContext, request: TokenHistoryRequest): Promise<TokenHistory> {
  const { token } = request;
  const id = await context.dictionary.findOne(context.reader, token);
  const where = and(compare('token', 'eq', id), compare('seq', 'lte', lastSeqAt(context.asOf)));
  const instants = await instantsOfEntity(context, request, { kind: 'tokens', id, table: legsTable, where });
  if (instants === undefined || instants.times.length === 0) return { token, points: [] };
  const wanted = wantedOf(tokenSeries, request);
  const none = new Float64Array(instants.times.length);
  const trades = ofTrades.some((name) => wanted.includes(name))
    ? await foldTrades(context, id, instants)
    : { makers_count: none, trade_count: none, volume: none, buy_volume: none, sell_volume: none };
  const span = { token: id, from: 0, to: none.length };
  const price = wanted.includes('price') ? (await pricesAt(context, [span], instants))[0]! : none;
  const holders = wanted.includes('holders') ? await holdersAt(context, id, instants) : none;
  return { token, points: pointsOf(instants, wanted, { price, holders, ...trades }) };
}

/** What the trades in the intervals say, by instant. */
async function foldTrades(
  { reader, yielder }: QueryContext,
  token: number,
  { interval, times }: Instants,
): Promise<Readonly<Record<OfTrades, Float64Array>>> {
  const pause = yielder();
  const zeros = (): Float64Array => new Float64Array(times.length);
  const [makers_count, trade_count, volume, buy_volume, sell_volume] = [zeros(), zeros(), zeros(), zeros(), zeros()];
  const trades = reader.stream({
    table: tradesTable,
    columns: ['seq', 'wallet', 'direction', 'usd_amount'],
    where: and(
      compare('token', 'eq', token),
      between('seq', firstSeqAt(times[0]! - interval + 1), lastSeqAt(times.at(-1)!)),
    ),
    order: [{ column: 'seq', direction: 'asc' }],
  });
  const makers = new Set<number>();
  let last = 0;
  for await (const { columns: c, length } of trades) {
    for (let row = 0; row < length; row++) {
      const instant = Math.ceil((timeOf(c.seq[row]!) - times[0]!) / interval);
      if (instant !== last) makers.clear();
      last = instant;
      makers.add(c.wallet[row]!);
      makers_count[instant] = makers.size;
      trade_count[instant]!++;
      const usd = c.usd_amount[row]!;
      if (Number.isNaN(usd)) continue;
      volume[instant]! += usd;
      (c.direction[row] === BUY ? buy_volume : sell_volume)[instant]! += usd;
    }
    await pause.yieldIfDue();
  }
  return { makers_count, trade_count, volume, buy_volume, sell_volume };
}

/** How many wallets have a positive balance of a token, at each instant: balances are stepped from the first swap on. */
async function holdersAt(context: QueryContext, token: number, instants: Instants): Promise<Float64Array> {
  const { times } = instants;
  /** By instant, how many more than at the one before. */
  const more = new Float64Array(times.length + 1);
  const isHolding = new Map<number, boolean>();
  const note = (pair: number, at: number, isNow: boolean): void => {
    if (isNow === (isHolding.get(pair) ?? false)) return;
    isHolding.set(pair, isNow);
    more[at]! += isNow ? 1 : -1;
  };
  const { columns: c, length } = balancesOf(
    await carriedPairs(context.reader, context.horizon, compare('token', 'eq', token)),
  );
  for (let row = 0; row < length; row++)
    note(c.pair[row]!, 0, settledBalance(c.balance[row]!, c.received[row]!, c.flags[row]!) > 0);
  await ledgerAt(
    context.reader,
    { tokens: Int32Array.of(token) },
    {
      ...context,
      asOf: untilLast(context, instants),
      onStep: (pair, time, { balance, received, flags }) =>
        note(pair, instantFrom(instants, time), settledBalance(balance, received, flags) > 0),
    },
  );
  let holders = 0;
  return Float64Array.from(times, (_, i) => {
    holders += more[i]!;
    return holders;
  });
}
