import * as v from 'valibot';
import { deciders } from '../../copy/price.ts';
import { directions } from '../../ledger/trade.ts';
import {
  type Answer,
  dateOrNull,
  dateText,
  described,
  flag,
  integer,
  integerOrNull,
  listOf,
  named,
  number,
  numberOrNull,
  oneOf,
  oneOfOrNull,
  text,
  textOrNull,
  time,
} from '../../response.ts';

const made = {
  realized_pnl: number('USD, of what was sold.'),
  unrealized_pnl: number('USD, of what is held at `to`.'),
  cost: number('USD that all of this cost.'),
  roi: numberOrNull('Percent: `realized_pnl` + `unrealized_pnl` on `cost`; null without a cost.'),
};

const madeSchema = v.strictObject(made);

const followed = {
  ...made,
  fees: number('USD, of the trades that were made; those of what is held at `to` are in `unrealized_pnl` alone.'),
  trade_count: integer('Buys and sells that were made.'),
  missed_count: integer('Buys that were not made: above `limit`, or without a print that is not suspect.'),
  missed_leader_pnl: number("USD that the missed buys made at the leader's prices, with what is held of them at `to`."),
  unknown_count: integer('Trades, missed ones included, at whose moment the depth of the pool was not known.'),
  kept_count: integer('Times that the leader sent tokens away, or lost them unseen, which the follower kept.'),
};

const followerSchema = v.strictObject(followed);

/** What following would have made. */
export interface SimulatedFollower extends Answer<typeof followerSchema> {}

const decaySchema = named('SimulatedDelay', v.strictObject({ delay: integer('Seconds.'), ...followed }));

const printSchema = named(
  'SimulatedPrint',
  v.strictObject({
    tx_hash: text('Hash of the transaction.'),
    swap_index: integer('Place of the swap in the transaction.'),
    block_time: time('Unix seconds, UTC.'),
    wallet: text('Who traded.'),
    direction: oneOf(directions, 'Whether the token was bought or sold.'),
    price: number('USD per token.'),
    usd_amount: number('USD that went through the pool.'),
    suspect: flag('Whether it is far off the prints before it.'),
  }),
);

/** A print that a follower met. */
export interface SimulatedPrint extends Answer<typeof printSchema> {}

const printOrNull = (description: string): v.GenericSchema<SimulatedPrint | null> =>
  described(v.nullable(printSchema as v.GenericSchema<SimulatedPrint>), description);

const marketSchema = v.strictObject({
  k_buy: numberOrNull('Depth by the buys of the pool, or by its sells if too few buys say it.'),
  k_sell: numberOrNull('Depth by the sells of the pool, or by its buys.'),
  buys: integerOrNull('Pairs of buys that said `k_buy`; 0 if its sells did.'),
  sells: integerOrNull('Pairs of sells that said `k_sell`; 0 if its buys did.'),
  reserve: numberOrNull('USD in the pool before the follower, if the depth decided.'),
  newest: described(
    listOf<SimulatedPrint>(printSchema),
    'The newest print that is not suspect, and suspect ones after it.',
  ),
  next: described(
    listOf<SimulatedPrint>(printSchema),
    'The first print of somebody else after the moment that is not suspect, and suspect ones before it.',
  ),
});

const decided = {
  price: numberOrNull("USD per token for the follower, with slippage and the token's tax; null without a print."),
  token_amount: number('Whole tokens that the follower bought or sold; 0 of a missed buy.'),
  usd_amount: number('USD that a buy took with its fee, or a sell brought after its fee.'),
  fee: number('USD.'),
  k: numberOrNull('Depth of the pool as its side sees it, USD times tokens; null if it is not known.'),
  decided_by: oneOfOrNull(
    deciders,
    'What made the price: the depth of the pool, its newest print made worse because no depth is known, or the next print of somebody else.',
  ),
  print: printOrNull('The print that decided.'),
  market: v.exactOptional(described(marketSchema, 'What the follower found; only with `explain`.')),
};

const pairSchema = named(
  'SimulatedPair',
  v.strictObject({
    tx_hash: text("Hash of the leader's transaction."),
    trade_index: integer('Place of the first swap in the transaction.'),
    block_time: time("Unix seconds, UTC, of the leader's trade."),
    token: text('What was bought or sold.'),
    token_symbol: textOrNull('Symbol of the token.'),
    direction: oneOf(directions, 'Whether the token was bought or sold.'),
    leader_price: numberOrNull('USD per token for the leader; null of a sell without a value.'),
    ...decided,
    realized_pnl: numberOrNull('USD; null of a buy.'),
    missed: flag('Whether the buy was not made.'),
  }),
);

/** A trade of the leader, and what the follower did. */
export interface SimulatedPair extends Answer<typeof pairSchema> {}

const restSchema = named(
  'SimulatedRest',
  v.strictObject({
    token: text('What is held.'),
    token_symbol: textOrNull('Symbol of the token.'),
    ...decided,
    unrealized_pnl: number('USD.'),
  }),
);

/** What a follower holds of a token at the end, as if it were sold then. */
export interface SimulatedRest extends Answer<typeof restSchema> {}

export const simulationSchema = named(
  'Simulation',
  v.strictObject({
    wallet: text('Address of the leader.'),
    from: dateOrNull('Since when it is followed; null if it has no trade.'),
    to: dateText('Until when.'),
    leader: described(
      madeSchema,
      "The same trades in the follower's sizes at the leader's prices, without slippage and fees.",
    ),
    leader_actual: described(
      madeSchema,
      'What the leader made itself: its lots of any age, with the marks at `to`. `cost` is that of what it sold and holds.',
    ),
    follower: described(followerSchema, 'What following would have made.'),
    decay: described(listOf(decaySchema), 'The same with each of `delays`.'),
    unvalued_count: integer('Buys of the leader without a value, which nobody follows here.'),
    count: integer('Pairs, on all pages.'),
    cursor: v.exactOptional(text('For the next page; absent on the last.')),
    pairs: described(
      listOf<SimulatedPair>(pairSchema),
      'Up to 100 trades of the leader with what the follower did, newest first.',
    ),
    rests: v.exactOptional(
      described(
        listOf<SimulatedRest>(restSchema),
        'What the follower holds at `to`, token by token; only with `explain`.',
      ),
    ),
  }),
);

/** What following a wallet would have made. */
export interface Simulation extends Answer<typeof simulationSchema> {}
