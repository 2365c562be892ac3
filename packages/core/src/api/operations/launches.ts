import * as v from 'valibot';
import { tokenBuyers } from '../../queries/launch/buyers.ts';
import { buyersSchema } from '../../queries/launch/buyers-schema.ts';
import { cursorFaults } from '../../queries/list-place.ts';
import { described } from '../../response.ts';
import { question } from '../operation.ts';
import { pageEntries, requestObject, timeSchema } from '../request.ts';
import { sample, tokenSchema } from './entries.ts';

export const tokensBuyers = question({
  name: 'tokens.buyers',
  path: '/dex/profiles/tokens/get-buyers',
  cost: 'scan',
  summary: 'List the first buyers of a token.',
  description:
    'Returns the wallets that bought a token first, in chain order, at most 1,000: when and how much, what they hold, sold and made, and what they were at its launch, with the evidence. Beside them the bundles and the insiders of the launch.',
  example: (config) => ({ token: sample(config).token, limit: 50 }),
  request: (config) =>
    requestObject({
      token: tokenSchema(config, 'Address of the token.'),
      before: v.optional(
        described(timeSchema, 'Only wallets whose first buy is before this time.', '2024-01-05T00:05:00Z'),
      ),
      ...pageEntries,
    }),
  returns: 'A page of buyers, the first one first; nobody of an unknown token.',
  response: () => buyersSchema,
  alsoWrong: (_, right) => cursorFaults(right),
  answer: tokenBuyers,
});
