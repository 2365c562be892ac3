import * as v from 'valibot';
import type { EntityKind } from '../../profiles/fields.ts';
import { search, searchFaults } from '../../queries/profiles.ts';
import { named } from '../../response.ts';
import { operation, type RunnableOperation } from '../operation.ts';
import { requestObject } from '../request.ts';
import { searchAnswer, searchEntries } from './search-entries.ts';

const exampleFilters = {
  tokens: { 'market.liquidity': { $gt: 10_000 }, $or: [{ 'metrics.1d.volume': { $gte: 5000 } }, { labels: 'hot' }] },
  wallets: { 'metrics.7d.pnl': { $gt: 1000 }, $not: { labels: { $in: ['sniper', 'degen'] } } },
} as const;

export const profilesSearch = (kind: EntityKind): RunnableOperation => {
  const [noun, Noun] = kind === 'tokens' ? ['token', 'Token'] : ['wallet', 'Wallet'];
  return operation({
    name: `${kind}.search`,
    path: `/profiles/${kind}/search-profiles`,
    cost: 'scan',
    summary: `Search ${noun} profiles.`,
    description: 'Filters the stored profiles, finds them by text, sorts them, and returns a page. `count` is exact.',
    example: () => ({ filter: exampleFilters[kind], limit: 10 }),
    request: () => requestObject({ query: v.optional(named(`${Noun}TextQuery`, v.unknown())), ...searchEntries(kind) }),
    returns: `A page of ${noun} profiles.`,
    response: (store) => searchAnswer(kind, store),
    alsoWrong: (context, right) => searchFaults(context, kind, right as Parameters<typeof searchFaults>[2]),
    answer: (context, request) => search(context, kind, request as Parameters<typeof search>[2]),
  });
};
