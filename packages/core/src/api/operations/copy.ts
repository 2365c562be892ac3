import * as v from 'valibot';
import { simulationSchema } from '../../queries/copy/schema.ts';
import { DEFAULT_DELAY, simulate, simulateFaults } from '../../queries/copy/simulate.ts';
import { described } from '../../response.ts';
import { question } from '../operation.ts';
import { integer, numberBetween, pageEntries, requestObject, secondsSchema, timeSchema } from '../request.ts';
import { sample, toSchema, walletSchema } from './entries.ts';

/** A day, in seconds. */
const MAX_DELAY = 86_400;
const MAX_DELAYS = 8;
const MOST_USD = 1e9;

const share = (description: string, example: number) => described(numberBetween(0, 100), description, example);

const feeSchema = requestObject({
  usd: v.optional(described(numberBetween(0, MOST_USD), 'USD of each buy and sell.', 0.2), 0),
  percent: v.optional(share('Percent of each buy and sell.', 1), 0),
});

export const walletsSimulate = question({
  name: 'wallets.simulate',
  path: '/dex/profiles/wallets/simulate',
  cost: 'scan',
  summary: 'Try what following a wallet would have made.',
  description:
    'Repeats the trades of a wallet in buys of one size, some seconds later, at the worst price that the stored prints leave open. `follower` is what that made, `leader` the same at the prices of the wallet, `decay` what other delays made. Nothing is written.',
  example: (config) => ({ wallet: sample(config).wallet, size: 100, delay: 5, fee: { percent: 1 } }),
  request: (config) =>
    requestObject({
      wallet: walletSchema(config, 'Address of the leader.'),
      from: v.optional(
        described(timeSchema, 'Since when it is followed. Default: its first stored trade.', '2024-01-05T00:00:00Z'),
      ),
      to: v.optional(toSchema),
      size: v.optional(described(numberBetween(0.01, MOST_USD), 'USD that each buy takes, with the fee.', 100), 100),
      delay: v.optional(
        described(
          integer(0, MAX_DELAY),
          `Seconds after the leader, up to the end of that second. Default ${DEFAULT_DELAY}.`,
          5,
        ),
      ),
      slots: v.optional(described(integer(0, 1000), 'Slots after the leader, in place of `delay`.', 2)),
      delays: v.optional(
        described(secondsSchema(MAX_DELAY, MAX_DELAYS), 'Seconds that `decay` compares.', [0, 1, 5, 30]),
        [0, 1, 5, 30],
      ),
      slippage: v.optional(share('Percent by which each price is worse.', 1), 1),
      unknown: v.optional(share('Percent by which a print is worse if the depth of its pool is not known.', 10), 10),
      max_wait: v.optional(
        described(integer(0, 3600), 'Seconds after its moment in which the next print of somebody else counts.', 60),
        60,
      ),
      fee: v.optional(
        described(feeSchema, 'What each trade costs beside its price. Default: nothing.', { percent: 1 }),
        {},
      ),
      limit: v.optional(
        described(
          numberBetween(0, 1e6),
          "Percent over the leader's price above which a buy is missed. Default: none is.",
          20,
        ),
      ),
      explain: v.optional(
        described(
          v.boolean(),
          'Say of each pair what the follower found, and what it holds at `to`. Default `false`.',
          true,
        ),
        false,
      ),
      cursor: pageEntries.cursor,
    }),
  returns:
    'What following would have made, and a page of the pairs of trades, newest first; nothing of an unknown wallet.',
  response: () => simulationSchema,
  alsoWrong: (_, right) => simulateFaults(right),
  answer: simulate,
});
