import * as v from 'valibot';
import { getPosition, type PositionRequest } from '../../queries/positions/get.ts';
import { profileSchema } from '../../queries/profile-schema.ts';
import { operation, type RunnableOperation } from '../operation.ts';
import { optionsSchema, requestObject } from '../request.ts';
import { sample, tokenSchema, walletSchema } from './entries.ts';

export const positionsGet: RunnableOperation = operation({
  name: 'positions.get',
  path: '/profiles/positions/get-profile',
  cost: 'point',
  canMiss: true,
  summary: 'Get the position of a wallet in a token.',
  description: 'Returns what a wallet holds of a token and has made of it, with the sections that `options` asks for.',
  example(config) {
    const { wallet, token } = sample(config);
    return { wallet, token, options: { include_holding: true, include_metrics: ['7d'] } };
  },
  request: (config) =>
    requestObject({
      wallet: walletSchema(config, 'Address of the wallet.'),
      token: tokenSchema(config, 'Address of the token.'),
      options: v.optional(optionsSchema('positions')),
    }),
  returns: 'The position.',
  response: (store) => profileSchema('positions', store),
  answer: (context, request) => getPosition(context, request as PositionRequest),
});
