import * as v from 'valibot';
import { cursorFaults } from '../../queries/list-place.ts';
import { portfolio, portfolioSchema } from '../../queries/portfolio.ts';
import { swapSchema } from '../../queries/swap.ts';
import { listSwaps } from '../../queries/swaps.ts';
import { listTrades, tradeSchema } from '../../queries/trades.ts';
import { pageOf } from '../../response.ts';
import { operation } from '../operation.ts';
import { requestObject } from '../request.ts';
import { listEntries, poolSchema, sample, walletSchema } from './entries.ts';

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

export const portfoliosGet = operation({
  name: 'portfolios.get',
  path: '/portfolios/get-portfolio',
  cost: 'point',
  summary: 'Get what a wallet holds.',
  description: 'Returns the tokens that a wallet holds, with their value and what they cost.',
  example: (config) => ({ wallet: sample(config).wallet }),
  request: (config) => requestObject({ wallet: walletSchema(config, 'Address of the wallet.') }),
  returns: 'What the wallet holds; nothing for an unknown one.',
  response: () => portfolioSchema,
  answer: portfolio,
});
