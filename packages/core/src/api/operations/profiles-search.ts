import * as v from 'valibot';
import type { ProfileKind } from '../../profiles/fields.ts';
import { profileSchema } from '../../queries/profile-schema.ts';
import { search, searchFaults } from '../../queries/profiles.ts';
import { described, named, pageAnswer } from '../../response.ts';
import { planSchema } from '../../search/explain-schema.ts';
import { type Operation, operation } from '../operation.ts';
import { optionsSchema, pageEntries, requestObject } from '../request.ts';

const exampleFilters = {
  tokens: { 'market.liquidity': { $gt: 10_000 }, $or: [{ 'metrics.1d.volume': { $gte: 5000 } }, { labels: 'hot' }] },
  wallets: { 'metrics.7d.pnl': { $gt: 1000 }, $not: { labels: { $in: ['sniper', 'degen'] } } },
} as const;

export const profilesSearch = (kind: ProfileKind): Operation => {
  const [noun, Noun] = kind === 'tokens' ? ['token', 'Token'] : ['wallet', 'Wallet'];
  return operation({
    name: `${kind}.search`,
    path: `/profiles/${kind}/search-profiles`,
    cost: 'scan',
    summary: `Search ${noun} profiles.`,
    description: 'Filters the stored profiles, finds them by text, sorts them, and returns a page. `count` is exact.',
    example: () => ({ filter: exampleFilters[kind], limit: 10 }),
    request: () =>
      requestObject({
        // Read by the search itself, whose paths depend on the metrics.
        query: v.optional(named(`${Noun}TextQuery`, v.unknown())),
        filter: v.optional(named(`${Noun}Filter`, v.unknown())),
        sort: v.optional(named(`${Noun}Sort`, v.unknown())),
        dynamic_labels: v.optional(named(`${Noun}DynamicLabels`, v.unknown())),
        explain: v.optional(
          described(
            v.boolean(),
            'Say of each profile why it was found, and of the search what ran. Default `false`.',
            true,
          ),
        ),
        options: v.optional(optionsSchema(kind)),
        ...pageEntries,
      }),
    returns: `A page of ${noun} profiles.`,
    response: (store) =>
      v.strictObject({
        ...pageAnswer(profileSchema(kind, store)),
        plan: v.exactOptional(planSchema),
      }),
    alsoWrong: (context, right) => searchFaults(context, kind, right as Parameters<typeof searchFaults>[2]),
    answer: (context, request) => search(context, kind, request as Parameters<typeof search>[2]),
  });
};
