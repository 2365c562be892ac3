import { rangeFaults } from '../../queries/histories/instants.ts';
import { tokenHistory, tokenHistorySchema, tokenSeries } from '../../queries/histories/token.ts';
import { walletHistory, walletHistorySchema, walletSeries } from '../../queries/histories/wallet.ts';
import { operation } from '../operation.ts';
import { requestObject } from '../request.ts';
import { historyEntries, sample, tokenSchema, walletSchema } from './entries.ts';

export const tokensHistory = operation({
  name: 'tokens.history',
  path: '/profiles/tokens/get-history',
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

export const walletsHistory = operation({
  name: 'wallets.history',
  path: '/profiles/wallets/get-history',
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
