import * as v from 'valibot';
import { candleSchema } from '../../market-data/candle-fold.ts';
import { candleFaults, candles } from '../../queries/candles.ts';
import { historyFaults, priceHistory, priceHistorySchema } from '../../queries/history.ts';
import { latestPriceSchema, latestPrices, priceStats, priceStatsSchema } from '../../queries/prices.ts';
import { described, listOf } from '../../response.ts';
import { question } from '../operation.ts';
import { candleCountSchema, intervalSchema, requestObject } from '../request.ts';
import { fromSchema, poolSchema, printsSchema, sample, tokenSchema, tokensSchema, toSchema } from './entries.ts';

export const pricesLatest = question({
  name: 'prices.latest',
  path: '/dex/prices/get-price',
  cost: 'point',
  summary: 'Get the latest prices of tokens.',
  description: 'Returns the last print of each token. Leaves out tokens without a price.',
  example: (config) => ({ tokens: [sample(config).token] }),
  request: (config) => requestObject({ tokens: tokensSchema(config, 1000) }),
  returns: 'In the order of the request; tokens without a price are left out.',
  response: () => listOf(latestPriceSchema),
  answer: latestPrices,
});

export const pricesStats = question({
  name: 'prices.stats',
  path: '/dex/prices/get-price-stats',
  cost: 'page',
  summary: 'Get price changes and volumes of tokens.',
  description: 'Returns for each token its price, and its changes and volumes over seven windows.',
  example: (config) => ({ tokens: [sample(config).token] }),
  request: (config) => requestObject({ tokens: tokensSchema(config, 1000) }),
  returns: 'In the order of the request; tokens without a price are left out.',
  response: () => listOf(priceStatsSchema),
  answer: priceStats,
});

export const pricesCandles = question({
  name: 'prices.candles',
  path: '/dex/prices/get-price-candles',
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

export const pricesHistory = question({
  name: 'prices.history',
  path: '/dex/prices/get-price-history',
  cost: 'scan',
  summary: 'Get prices of tokens at regular instants.',
  description: 'Returns the price of each token at `from`, `from + interval`, and so on up to and including `to`.',
  example: (config) => ({
    tokens: [sample(config).token],
    from: '2024-01-05T00:00:00Z',
    to: '2024-01-06T00:00:00Z',
    interval: 3600,
  }),
  request: (config) =>
    requestObject({
      tokens: tokensSchema(config, 100),
      from: fromSchema,
      to: v.optional(toSchema),
      interval: intervalSchema,
      prints: v.optional(printsSchema),
    }),
  returns: 'In the order of the request, points oldest first.',
  response: () => listOf(priceHistorySchema),
  alsoWrong: historyFaults,
  answer: priceHistory,
});
