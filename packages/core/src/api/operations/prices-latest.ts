import { latestPrices } from '../../queries/prices.ts';
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
  schema: (config) => requestObject({ tokens: tokensSchema(config, 1000) }),
  answer: latestPrices,
});
