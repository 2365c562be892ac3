import { portfolio, portfolioSchema } from '../../queries/portfolio.ts';
import { operation } from '../operation.ts';
import { requestObject } from '../request.ts';
import { sample, walletSchema } from './entries.ts';

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
