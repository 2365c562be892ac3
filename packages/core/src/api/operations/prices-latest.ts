import { latestPriceSchema, latestPrices } from '../../queries/prices.ts';
import { listOf } from '../../response.ts';
import { operation } from '../operation.ts';
import { requestObject } from '../request.ts';
import { sample, tokensSchema } from './entries.ts';

export const pricesLatest = operation({
  name: 'prices.latest',
  path: '/prices/get-price',
  cost: 'point',
  summary: 'Get the latest prices of tokens.',
  description: 'Returns the last print of each token. Leaves out tokens without a price.',
  example: (config) => ({ tokens: [sample(config).token] }),
  request: (config) => requestObject({ tokens: tokensSchema(config, 1000) }),
  returns: 'In the order of the request; tokens without a price are left out.',
  response: () => listOf(latestPriceSchema),
  answer: latestPrices,
});
