import * as v from 'valibot';
import { rangeFaults } from '../../queries/histories/instants.ts';
import { tokenHistory, tokenHistorySchema, tokenSeries } from '../../queries/histories/token.ts';
import { walletHistory, walletHistorySchema, walletSeries } from '../../queries/histories/wallet.ts';
import { cursorFaults } from '../../queries/list-place.ts';
import { portfolio, portfolioSchema } from '../../queries/portfolio.ts';
import { swapSchema } from '../../queries/swap.ts';
import { listSwaps } from '../../queries/swaps.ts';
import { listTrades, tradeSchema } from '../../queries/trades.ts';
import { transferSchema } from '../../queries/transfer.ts';
import { listTransfers } from '../../queries/transfers.ts';
import { pageOf } from '../../response.ts';
import { question } from '../operation.ts';
import { pageEntries, requestObject } from '../request.ts';
import { historyEntries, listEntries, poolSchema, sample, tokenSchema, walletSchema } from './entries.ts';

export const swapsList = question({
  name: 'swaps.list',
  path: '/dex/swaps/get-swaps',
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

export const tradesList = question({
  name: 'trades.list',
  path: '/dex/trades/get-trades',
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

export const transfersList = question({
  name: 'transfers.list',
  path: '/dex/transfers/get-transfers',
  cost: 'page',
  summary: 'List transfers, newest first.',
  description:
    'Returns a page of the stored transfers: what moved without a swap. With `wallet` and `token`, both must match.',
  example: (config) => ({ wallet: sample(config).wallet, limit: 50 }),
  request: (config) =>
    requestObject({
      wallet: v.optional(walletSchema(config, 'Only those from or to this wallet.')),
      token: v.optional(tokenSchema(config, 'Only those of this token.')),
      ...pageEntries,
    }),
  returns: 'A page of transfers, newest first.',
  response: () => pageOf(transferSchema),
  alsoWrong: (_, right) => cursorFaults(right),
  answer: listTransfers,
});

export const portfoliosGet = question({
  name: 'portfolios.get',
  path: '/dex/portfolios/get-portfolio',
  cost: 'point',
  summary: 'Get what a wallet holds.',
  description: 'Returns the tokens that a wallet holds, with their value and what they cost.',
  example: (config) => ({ wallet: sample(config).wallet }),
  request: (config) => requestObject({ wallet: walletSchema(config, 'Address of the wallet.') }),
  returns: 'What the wallet holds; nothing for an unknown one.',
  response: () => portfolioSchema,
  answer: portfolio,
});

export const tokensHistory = question({
  name: 'tokens.history',
  path: '/dex/profiles/tokens/get-history',
  cost: 'scan',
  summary: 'Get a token at regular instants.',
  description:
    'Returns the price and the holders of a token at `from`, `from + interval`, and so on up to and including `to`, and what was done with it in each interval: makers, trades, volumes.',
  example: (config) => ({ token: sample(config).token, interval: 3600, metrics: ['price', 'holders'] }),
  request: (config) =>
    requestObject({ token: tokenSchema(config, 'Address of the token.'), ...historyEntries(tokenSeries) }),
  returns: 'Points from the first swap on, oldest first; none of an unknown token.',
  response: () => tokenHistorySchema,
  alsoWrong: rangeFaults,
  answer: tokenHistory,
});

export const walletsHistory = question({
  name: 'wallets.history',
  path: '/dex/profiles/wallets/get-history',
  cost: 'scan',
  summary: 'Get a wallet at regular instants.',
  description:
    'Returns what a wallet had made at `from`, `from + interval`, and so on up to and including `to`, and what it did in each interval: equity, results, volume, trades.',
  example: (config) => ({ wallet: sample(config).wallet, interval: 86_400 }),
  request: (config) =>
    requestObject({ wallet: walletSchema(config, 'Address of the wallet.'), ...historyEntries(walletSeries) }),
  returns: 'Points from the first trade on, oldest first; none of an unknown wallet.',
  response: () => walletHistorySchema,
  alsoWrong: rangeFaults,
  answer: walletHistory,
});
