import * as v from 'valibot';
import { profileWindows } from '../../bag/windows.ts';
import type { ResponseContext } from '../../profiles/sections/section.ts';
import type { ProfileOptions } from '../../profiles/sections/sections.ts';
import { explainFaults, explainMetric, windowless } from '../../queries/explain-metric.ts';
import { type ExplainRequest, metricExplanationSchema } from '../../queries/explain-schema.ts';
import { getPosition, type PositionRequest } from '../../queries/positions/get.ts';
import { positionSearchFaults, searchPositions } from '../../queries/positions/search.ts';
import { getProfile, type ProfileSearch, search, searchFaults } from '../../queries/profiles.ts';
import { profileSchema } from '../../queries/serve-profile.ts';
import type { EntityKind, ProfileKind } from '../../records/profile-fields.ts';
import { described, named, pageAnswer } from '../../response.ts';
import { planSchema } from '../../search/explain-schema.ts';
import { question, type RunnableOperation } from '../operation.ts';
import { optionsSchema, pageEntries, requestObject } from '../request.ts';
import { sample, tokenSchema, walletSchema } from './entries.ts';

const nouns = { tokens: 'Token', wallets: 'Wallet', positions: 'Position' } as const;

function searchEntries(kind: ProfileKind) {
  const noun = nouns[kind];
  return {
    // Read by the search itself, whose paths depend on the metrics.
    filter: v.optional(named(`${noun}Filter`, v.unknown())),
    sort: v.optional(named(`${noun}Sort`, v.unknown())),
    dynamic_labels: v.optional(named(`${noun}DynamicLabels`, v.unknown())),
    explain: v.optional(
      described(
        v.boolean(),
        'Say of each profile why it was found, and of the search what ran. Default `false`.',
        true,
      ),
    ),
    options: v.optional(optionsSchema(kind)),
    ...pageEntries,
  };
}

function searchAnswer(kind: ProfileKind, store: ResponseContext) {
  return v.strictObject({
    ...pageAnswer(profileSchema(kind, store)),
    plan: v.exactOptional(planSchema),
  });
}

const exampleFilters = {
  tokens: { 'market.liquidity': { $gt: 10_000 }, $or: [{ 'metrics.1d.volume': { $gte: 5000 } }, { labels: 'hot' }] },
  wallets: { 'metrics.7d.pnl': { $gt: 1000 }, $not: { labels: { $in: ['sniper', 'degen'] } } },
} as const;

export const profilesSearch = (kind: EntityKind): RunnableOperation => {
  const [noun, Noun] = kind === 'tokens' ? ['token', 'Token'] : ['wallet', 'Wallet'];
  return question({
    name: `${kind}.search`,
    path: `/dex/profiles/${kind}/search-profiles`,
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

export const profilesGet = (kind: EntityKind): RunnableOperation => {
  const noun = kind === 'tokens' ? 'token' : 'wallet';
  return question({
    name: `${kind}.get`,
    path: `/dex/profiles/${kind}/get-profile`,
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

/** What is named of a kind of profile, and what an answer calls it. */
const subjects = {
  tokens: { names: ['token'], noun: 'a token' },
  wallets: { names: ['wallet'], noun: 'a wallet' },
  positions: { names: ['wallet', 'token'], noun: 'the position of a wallet in a token' },
} as const;

export const profilesExplain = (kind: ProfileKind): RunnableOperation => {
  const { names, noun } = subjects[kind];
  const own = <T>(entryOf: (name: 'wallet' | 'token') => T) =>
    Object.fromEntries(names.map((name) => [name, entryOf(name)]));
  return question({
    name: `${kind}.explain`,
    path: `/dex/profiles/${kind}/explain-metric`,
    cost: 'scan',
    canMiss: true,
    summary: `Explain a metric of ${noun}.`,
    description: `Returns a metric of the stored profile of ${noun} with its formula, the terms that it is made of, and a page of the trades that enter, newest first. Of a metric that is a sum, each trade says what it adds. Later pages are of the instant of the first.`,
    example: (config) => ({ ...own((name) => sample(config)[name]), metric: 'pnl', window: '7d', limit: 20 }),
    request: (config) => {
      const schemas = { wallet: walletSchema, token: tokenSchema };
      const names = windowless[kind];
      const some = kind === 'wallets' ? 'a field of lifetime or holding' : names.join(' or ');
      const holdings = names.length > 0 ? `, or without a window ${some}` : '';
      const window = described(v.string(), `One of ${profileWindows[kind].join(', ')}.`, '7d');
      return requestObject({
        ...own((name) => schemas[name](config, `Address of the ${name}.`)),
        metric: described(v.string(), `The metric, as profiles have it below a window${holdings}.`, 'pnl'),
        window: windowless[kind].length > 0 ? v.optional(window) : window,
        ...pageEntries,
      });
    },
    returns: 'The metric, its terms, and a page of its trades.',
    response: () => metricExplanationSchema,
    alsoWrong: (context, right) => explainFaults(context, kind, right as Partial<ExplainRequest>),
    answer: (context, request) => explainMetric(context, kind, request as unknown as ExplainRequest),
  });
};

export const positionsSearch: RunnableOperation = question({
  name: 'positions.search',
  path: '/dex/profiles/positions/search-profiles',
  cost: 'scan',
  summary: 'Search positions.',
  description:
    'Filters the stored positions, sorts them, and returns a page. `count` is exact. What is computed when it is asked for can be filtered and sorted by beside a condition on wallets or tokens.',
  example: () => ({
    filter: { 'metadata.state': 'open', 'metrics.7d.pnl': { $gt: 100 } },
    options: { include_holding: true },
    limit: 10,
  }),
  request: () => requestObject(searchEntries('positions')),
  returns: 'A page of positions.',
  response: (store) => searchAnswer('positions', store),
  alsoWrong: (context, right) => positionSearchFaults(context, right as ProfileSearch),
  answer: (context, request) => searchPositions(context, request as ProfileSearch),
});

export const positionsGet: RunnableOperation = question({
  name: 'positions.get',
  path: '/dex/profiles/positions/get-profile',
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
