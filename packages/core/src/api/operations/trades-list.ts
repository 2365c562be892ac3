import { cursorFaults } from '../../queries/list-place.ts';
import { listTrades, tradeSchema } from '../../queries/trades.ts';
import { pageOf } from '../../response.ts';
import { operation } from '../operation.ts';
import { requestObject } from '../request.ts';
import { listEntries, sample } from './entries.ts';

export const tradesList = operation({
  name: 'trades.list',
  path: '/trades/get-trades',
  cost: 'page',
  summary: 'List trades, newest first.',
  description: 'Returns a page of the trades that swaps make up. With `wallet` and `token`, both must match.',
  example: (config) => ({ wallet: sample(config).wallet, limit: 50 }),
  request: (config) => requestObject(listEntries(config)),
  returns: 'A page of trades, newest first.',
  response: () => pageOf(tradeSchema),
  alsoWrong: (_, right) => cursorFaults(right),
  answer: listTrades,
});
