import * as v from 'valibot';
import { candlesWanted, pricesWanted } from '../../live/selection.ts';
import { candleSchema } from '../../market-data/candle.ts';
import { latestPriceSchema } from '../../queries/prices.ts';
import { sample, tokenSchema, tokensSchema } from '../operations/entries.ts';
import { intervalSchema, requestObject } from '../request.ts';
import { topic } from '../topic.ts';
import { MOST_ADDRESSES } from './swaps.ts';

export const pricesTopic = topic({
  name: 'prices',
  operation: 'prices.latest',
  cost: 'point',
  summary: 'Latest prices of the tokens that are traded.',
  description: 'Sends the latest price of each token that a commit trades, one a token. Without `tokens`: of all.',
  example: (config) => ({ tokens: [sample(config).token] }),
  params: (config) => requestObject({ tokens: v.optional(tokensSchema(config, MOST_ADDRESSES)) }),
  item: () => latestPriceSchema,
  wanted: ({ tokens }) => pricesWanted({ token: tokens && new Set(tokens) }),
});

export const candlesTopic = topic({
  name: 'candles',
  operation: 'prices.candles',
  cost: 'point',
  summary: 'Candles of a token as they change.',
  description:
    'Sends the buckets that a commit changes, oldest first. After a rollback: all buckets from that of `retracted.from_block_time` on.',
  example: (config) => ({ token: sample(config).token, interval: 60 }),
  params: (config) => requestObject({ token: tokenSchema(config, 'Address of the token.'), interval: intervalSchema }),
  item: () => candleSchema,
  wanted: ({ token, interval }) => candlesWanted(token, interval),
});
