import * as v from 'valibot';
import { cursorFaults } from '../../queries/list-place.ts';
import { swapSchema } from '../../queries/swap.ts';
import { listSwaps } from '../../queries/swaps.ts';
import { pageOf } from '../../response.ts';
import { operation } from '../operation.ts';
import { requestObject } from '../request.ts';
import { listEntries, poolSchema, sample } from './entries.ts';

export const swapsList = operation({
  name: 'swaps.list',
  path: '/swaps/get-swaps',
  cost: 'page',
  summary: 'List swaps, newest first.',
  description: 'Returns a page of the stored swaps. With several of `wallet`, `token` and `pool`, all must match.',
  example: (config) => ({ token: sample(config).token, limit: 50 }),
  request: (config) =>
    requestObject({
      ...listEntries(config),
      pool: v.optional(poolSchema(config, 'Only those that went through this pool.')),
    }),
  returns: 'A page of swaps, newest first.',
  response: () => pageOf(swapSchema),
  alsoWrong: (_, right) => cursorFaults(right),
  answer: listSwaps,
});
