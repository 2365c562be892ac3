import { cursorFaults } from '../../queries/list-place.ts';
import { listSwaps } from '../../queries/swaps.ts';
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
  schema: (config) => requestObject(listEntries(config)),
  alsoWrong: (_, right) => cursorFaults(right),
  answer: listSwaps,
});
