import { priceStats, priceStatsSchema } from '../../queries/prices.ts';
import { listOf } from '../../response.ts';
import { operation } from '../operation.ts';
import { requestObject } from '../request.ts';
import { sample, tokensSchema } from './entries.ts';

export const pricesStats = operation({
  name: 'prices.stats',
  path: '/prices/get-price-stats',
  cost: 'page',
  summary: 'Get price changes and volumes of tokens.',
  description: 'Returns for each token its price, and its changes and volumes over seven windows.',
  example: (config) => ({ tokens: [sample(config).token] }),
  request: (config) => requestObject({ tokens: tokensSchema(config, 1000) }),
  returns: 'In the order of the request; tokens without a price are left out.',
  response: () => listOf(priceStatsSchema),
  answer: priceStats,
});
