import * as v from 'valibot';
import {
  type Answer,
  dateOrNull,
  dateText,
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
import { tradeSchema } from './trades.ts';

/** What an explanation is asked for: a wallet, a token, or both of a position. */
export interface ExplainRequest {
  readonly wallet?: string;
  readonly token?: string;
  readonly metric: string;
  /** Absent for a result of a holding and a field of a wallet's record, which have none. */
  readonly window?: string;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

const finite = v.nullable(v.pipe(v.number(), v.finite()));

const termSchema = named(
  'MetricTerm',
  v.strictObject({
    name: text('As docs/reference/metrics.md ("Terms") has it.'),
    value: described(
      v.union([finite, v.array(finite)]) as v.GenericSchema<number | null | readonly (number | null)[]>,
      'A number, or a series as a list; null is undefined.',
    ),
    unit: text('What the value counts in.'),
    meaning: text('What it is.'),
    from: dateOrNull('When a fall or a streak begins; null for other terms, and if there is none.'),
    to: dateOrNull('When it ends.'),
  }),
);

/** A term of a metric, with its value. */
export interface MetricTerm extends Answer<typeof termSchema> {}

const explainedTradeSchema = named(
  'ExplainedTrade',
  v.strictObject({
    ...tradeSchema.pipe[0].entries,
    part: numberOrNull('What the trade adds to the metric; null if the metric is no sum, or the trade is not in it.'),
  }),
);

/** A trade that enters a metric, with what it adds to it. */
export interface ExplainedTrade extends Answer<typeof explainedTradeSchema> {}

const markSchema = named(
  'Mark',
  v.strictObject({
    tx_hash: text('Hash of the transaction of the swap that is the print.'),
    swap_index: integer('Position of the swap inside its transaction.'),
    block_time: integer('Unix seconds, UTC.'),
    usd_price: number('USD per token.'),
    native_price: numberOrNull(
      'Native tokens per token, if the native token valued the print: then the price of the token is this x the native price.',
    ),
    suspects_since: integer('Prints after it that are suspect, and therefore no marks.'),
  }),
);

/** The print that values what is held of a token. */
export interface Mark extends Answer<typeof markSchema> {}

const forgottenSchema = v.strictObject({
  before: dateText('The horizon: the store has forgotten the swaps before it.'),
  count: integer('Trades before it.'),
});
/** Trades of a pair that lie before the horizon. */
export interface ForgottenTrades extends Answer<typeof forgottenSchema> {}

const recordPartSchema = named(
  'RecordPart',
  v.strictObject({
    token: text('Address.'),
    part: numberOrNull('What the token adds to the field; null if the field is no sum over tokens.'),
    realized_pnl: number('USD, of its sells.'),
    lot_amount: numberOrNull('Whole tokens in the lots of known cost that are here.'),
    cost_basis: numberOrNull('USD: what these cost.'),
    away_amount: numberOrNull('Whole tokens in the lots of known cost that are away.'),
    away_cost: numberOrNull('USD: what these cost.'),
    price: numberOrNull('USD per token, at its mark.'),
    price_age: integerOrNull('Seconds since the mark.'),
  }),
);

/** A token of a wallet, with what it adds to a field of the wallet's record. */
export interface RecordPart extends Answer<typeof recordPartSchema> {}

const explainedMoveSchema = named(
  'ExplainedMove',
  v.strictObject({
    by: oneOf(
      ['transfer', 'gap', 'swap', 'spent', 'sold'],
      'What moved the lots: a transfer; tokens that came or went unseen, as balances say; a swap that is no trade of the token; a quote token that paid for another; a sell of lots that were away.',
    ),
    wallet: text('Address.'),
    token: text('Address.'),
    block_time: time('Unix seconds, UTC.'),
    tx_hash: textOrNull('Hash of the transaction; null if it is not known.'),
    transfer_index: integerOrNull('Of a transfer: its index in the transaction.'),
    direction: oneOf(['in', 'out'], 'Whether the tokens came or went.'),
    token_amount: number('Whole tokens that came or went.'),
    away_cost: number('USD: known cost of the lots that left.'),
    returned_cost: number('USD: known cost of the lots that came back.'),
    spent_cost: number('USD: known cost of the lots that were spent.'),
  }),
);

/** What moved lots beside the trades. */
export interface ExplainedMove extends Answer<typeof explainedMoveSchema> {}

export const metricExplanationSchema = named(
  'MetricExplanation',
  v.strictObject({
    as_of: dateText('The end of the window: the instant that the profile holds for.'),
    metric: text('The path of the metric below its window, or of the field.'),
    window: textOrNull('The window; null of a result of a holding and of a field of a record, which have none.'),
    value: numberOrNull('The metric.'),
    unit: text('What the metric counts in.'),
    formula: text('How it is made, in the words of docs/reference/metrics.md.'),
    terms: described(
      listOf(termSchema),
      'What the function of the metric reads; none of a metric that does not name them.',
    ),
    mark: v.exactOptional(
      described(
        v.nullable(markSchema),
        'Of a result of a holding: the print that values it; null if the token has none.',
      ),
    ),
    count: integer('Trades that enter, on all pages.'),
    parts: v.exactOptional(
      described(
        listOf<RecordPart>(recordPartSchema),
        "Of a field of a wallet's record that is made of positions: as many tokens as the limit of the request, those that add the most first.",
      ),
    ),
    forgotten: v.exactOptional(
      described(
        forgottenSchema,
        'Of what has no window and has trades from before the horizon: they are in the value, in no page and not in `count`.',
      ),
    ),
    cursor: v.exactOptional(text('For the next page; absent on the last.')),
    trades: described(listOf(explainedTradeSchema), 'A page of the trades that enter, newest first.'),
    moves: described(
      listOf(explainedMoveSchema),
      'What moved lots of their positions since the trade before each, newest first, from the horizon on. On the first page of a result of a holding, what moved them since the last trade, too.',
    ),
  }),
);

/** What a metric of a profile is made of. */
export interface MetricExplanation extends Answer<typeof metricExplanationSchema> {}
