import { cursorFaults } from '../../queries/list-place.ts';
import { swapSchema } from '../../queries/swap.ts';
import { listSwaps } from '../../queries/swaps.ts';
import { pageOf } from '../../response.ts';
import { operation } from '../operation.ts';
import { requestObject } from '../request.ts';
import { listEntries, sample } from './entries.ts';

export const swapsList = operation({
  name: 'swaps.list',
  path: '/swaps/get-swaps',
  cost: 'page',
  summary: 'List swaps, newest first.',
  description: 'Returns a page of the stored swaps. With `wallet` and `token`, both must match.',
  example: (config) => ({ token: sample(config).token, limit: 50 }),
  request: (config) => requestObject(listEntries(config)),
  returns: 'A page of swaps, newest first.',
  response: () => pageOf(swapSchema),
  alsoWrong: (_, right) => cursorFaults(right),
  answer: listSwaps,
});
