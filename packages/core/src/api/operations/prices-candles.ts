import * as v from 'valibot';
import { candleSchema } from '../../market-data/candle.ts';
import { candleFaults, candles } from '../../queries/candles.ts';
import { described, listOf } from '../../response.ts';
import { operation } from '../operation.ts';
import { candleCountSchema, intervalSchema, requestObject } from '../request.ts';
import { fromSchema, poolSchema, printsSchema, sample, tokenSchema, toSchema } from './entries.ts';

export const pricesCandles = operation({
  name: 'prices.candles',
  path: '/prices/get-price-candles',
  cost: 'scan',
  summary: 'Get candles of a token, or of a pool.',
  description: 'Returns the candles of a range (`from`, `to`), or the latest ones (`count`).',
  example: (config) => ({ token: sample(config).token, interval: 3600, count: 24 }),
  request: (config) =>
    v.pipe(
      requestObject({
        token: v.optional(tokenSchema(config, 'Address of the token. Required without `pool`.')),
        pool: v.optional(
          poolSchema(
            config,
            'Only the swaps of this pool. Without `token`: of its token that is no quote token, else of the one whose address sorts first.',
          ),
        ),
        interval: intervalSchema,
        from: v.optional(fromSchema),
        to: v.optional(toSchema),
        count: v.optional(candleCountSchema),
        fill: v.optional(
          described(v.boolean(), 'Emit buckets without a price, at the close before. Default `false`.', true),
        ),
        prints: v.optional(printsSchema),
      }),
      v.forward(
        v.partialCheck(
          [['token'], ['pool']],
          ({ token, pool }) => token !== undefined || pool !== undefined,
          'is required, or "pool"',
        ),
        ['token'],
      ),
    ),
  returns: 'Oldest first.',
  response: () => listOf(candleSchema),
  alsoWrong: candleFaults,
  answer: candles,
});
