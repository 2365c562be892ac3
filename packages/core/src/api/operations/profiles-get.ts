import * as v from 'valibot';
import type { EntityKind } from '../../profiles/fields.ts';
import type { ProfileOptions } from '../../profiles/sections/sections.ts';
import { profileSchema } from '../../queries/profile-schema.ts';
import { getProfile } from '../../queries/profiles.ts';
import { operation, type RunnableOperation } from '../operation.ts';
import { optionsSchema, requestObject } from '../request.ts';
import { sample, tokenSchema, walletSchema } from './entries.ts';

export const profilesGet = (kind: EntityKind): RunnableOperation => {
  const noun = kind === 'tokens' ? 'token' : 'wallet';
  return operation({
    name: `${kind}.get`,
    path: `/profiles/${kind}/get-profile`,
    cost: 'point',
    canMiss: true,
    summary: `Get the profile of a ${noun}.`,
    description: `Returns the stored profile of a ${noun}, with the sections that \`options\` asks for.`,
    example: (config) => ({ [noun]: sample(config)[noun], options: { include_metrics: ['7d'] } }),
    request: (config) =>
      requestObject({
        [noun]:
          noun === 'token'
            ? tokenSchema(config, 'Address of the token.')
            : walletSchema(config, 'Address of the wallet.'),
        options: v.optional(optionsSchema(kind)),
      }),
    returns: 'The profile.',
    response: (store) => profileSchema(kind, store),
    answer: (context, request) => {
      const { options, ...rest } = request as { options?: ProfileOptions } & Record<string, string>;
      return getProfile(context, kind, rest[noun]!, options);
    },
  });
};
