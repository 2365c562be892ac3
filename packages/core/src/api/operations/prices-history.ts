import * as v from 'valibot';
import { historyFaults, priceHistory, priceHistorySchema } from '../../queries/history.ts';
import { listOf } from '../../response.ts';
import { operation } from '../operation.ts';
import { intervalSchema, requestObject } from '../request.ts';
import { fromSchema, printsSchema, sample, tokensSchema, toSchema } from './entries.ts';

export const pricesHistory = operation({
  name: 'prices.history',
  path: '/prices/get-price-history',
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
