import * as v from 'valibot';
import type { Config } from '../config.ts';
import { SwapfoldError } from '../errors.ts';
import { didYouMean } from '../nearest.ts';
import type { ProfileKind } from '../profiles/fields.ts';
import { candleFaults, candles } from '../queries/candles.ts';
import { historyFaults, priceHistory } from '../queries/history.ts';
import { cursorFaults } from '../queries/list-place.ts';
import { portfolio } from '../queries/portfolio.ts';
import { latestPrices, priceStats } from '../queries/prices.ts';
import { getProfile, search, searchFaults } from '../queries/profiles.ts';
import type { ProfileOptions } from '../queries/serve-profile.ts';
import { listSwaps } from '../queries/swaps.ts';
import { listTrades } from '../queries/trades.ts';
import { type Operation, operation } from './operation.ts';
import {
  addressesSchema,
  addressSchema,
  candleCountSchema,
  described,
  intervalSchema,
  optionsSchema,
  pageEntries,
  requestObject,
  timeSchema,
} from './request.ts';

/** Addresses for examples. */
const sampleAddresses = {
  solana: {
    token: 'So11111111111111111111111111111111111111112',
    wallet: '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU',
  },
  evm: {
    token: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
    wallet: '0x28c6c06298d514db089934071355e5743bf21d60',
  },
  any: { token: 'a-token', wallet: 'a-wallet' },
} as const;

const sample = ({ address_format: format }: Config) => sampleAddresses[format];

const tokenSchema = (config: Config, description: string) =>
  described(addressSchema(config.address_format), description, sample(config).token);
const walletSchema = (config: Config, description: string) =>
  described(addressSchema(config.address_format), description, sample(config).wallet);
const tokensSchema = (config: Config, most: number) =>
  described(addressesSchema(config.address_format, most), 'Addresses of tokens.', [sample(config).token]);

const fromSchema = described(timeSchema, 'The start of the range, inclusive.', '2024-01-05T00:00:00Z');
const toSchema = described(timeSchema, 'The end of the range. Default: now.', '2024-01-06T00:00:00Z');

const exampleFilters = {
  tokens: { 'market.liquidity': { $gt: 10_000 }, $or: [{ 'metrics.1d.volume': { $gte: 5000 } }, { labels: 'hot' }] },
  wallets: { 'metrics.7d.pnl': { $gt: 1000 }, $not: { labels: { $in: ['sniper', 'degen'] } } },
} as const;

const searchOf = (kind: ProfileKind): Operation =>
  operation({
    name: `${kind}.search`,
    path: `/profiles/${kind}/search-profiles`,
    cost: 'scan',
    summary: `Search ${kind === 'tokens' ? 'token' : 'wallet'} profiles.`,
    description: 'Filters the stored profiles, finds them by text, sorts them, and returns a page. `count` is exact.',
    example: () => ({ filter: exampleFilters[kind], limit: 10 }),
    schema: () =>
      requestObject({
        query: v.optional(v.unknown()),
        filter: v.optional(v.unknown()),
        sort: v.optional(v.unknown()),
        dynamic_labels: v.optional(v.unknown()),
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
    alsoWrong: (context, right) => searchFaults(context, kind, right as Parameters<typeof searchFaults>[2]),
    answer: (context, request) => search(context, kind, request as Parameters<typeof search>[2]),
  });

const getOf = (kind: ProfileKind): Operation => {
  const noun = kind === 'tokens' ? 'token' : 'wallet';
  return operation({
    name: `${kind}.get`,
    path: `/profiles/${kind}/get-profile`,
    cost: 'point',
    summary: `Get the profile of a ${noun}.`,
    description: `Returns the stored profile of a ${noun}, with the sections that \`options\` asks for.`,
    example: (config) => ({ [noun]: sample(config)[noun], options: { include_metrics: ['7d'] } }),
    schema: (config) =>
      requestObject({
        [noun]:
          noun === 'token'
            ? tokenSchema(config, 'Address of the token.')
            : walletSchema(config, 'Address of the wallet.'),
        options: v.optional(optionsSchema(kind)),
      }),
    answer: (context, request) => {
      const { options, ...rest } = request as { options?: ProfileOptions } & Record<string, string>;
      return getProfile(context, kind, rest[noun]!, options);
    },
  });
};

const listEntries = (config: Config) => ({
  wallet: v.optional(walletSchema(config, 'Only those of this wallet.')),
  token: v.optional(tokenSchema(config, 'Only those with this token on either side.')),
  ...pageEntries,
});

/** The eleven operations of the interface, in its order. */
export const operations: readonly Operation[] = [
  searchOf('tokens'),
  getOf('tokens'),
  searchOf('wallets'),
  getOf('wallets'),
  operation({
    name: 'swaps.list',
    path: '/swaps/get-swaps',
    cost: 'page',
    summary: 'List swaps, newest first.',
    description: 'Returns a page of the stored swaps. With `wallet` and `token`, both must match.',
    example: (config) => ({ token: sample(config).token, limit: 50 }),
    schema: (config) => requestObject(listEntries(config)),
    alsoWrong: (_, right) => cursorFaults(right),
    answer: listSwaps,
  }),
  operation({
    name: 'trades.list',
    path: '/trades/get-trades',
    cost: 'page',
    summary: 'List trades, newest first.',
    description: 'Returns a page of the trades that swaps make up. With `wallet` and `token`, both must match.',
    example: (config) => ({ wallet: sample(config).wallet, limit: 50 }),
    schema: (config) => requestObject(listEntries(config)),
    alsoWrong: (_, right) => cursorFaults(right),
    answer: listTrades,
  }),
  operation({
    name: 'prices.latest',
    path: '/prices/get-price',
    cost: 'point',
    summary: 'Get the latest prices of tokens.',
    description: 'Returns the last print of each token. Leaves out tokens without a price.',
    example: (config) => ({ tokens: [sample(config).token] }),
    schema: (config) => requestObject({ tokens: tokensSchema(config, 1000) }),
    answer: latestPrices,
  }),
  operation({
    name: 'prices.stats',
    path: '/prices/get-price-stats',
    cost: 'page',
    summary: 'Get price changes and volumes of tokens.',
    description: 'Returns for each token its price, and its changes and volumes over seven windows.',
    example: (config) => ({ tokens: [sample(config).token] }),
    schema: (config) => requestObject({ tokens: tokensSchema(config, 1000) }),
    answer: priceStats,
  }),
  operation({
    name: 'prices.candles',
    path: '/prices/get-price-candles',
    cost: 'scan',
    summary: 'Get candles of a token.',
    description: 'Returns the candles of a range (`from`, `to`), or the latest ones (`count`).',
    example: (config) => ({ token: sample(config).token, interval: 3600, count: 24 }),
    schema: (config) =>
      requestObject({
        token: tokenSchema(config, 'Address of the token.'),
        interval: intervalSchema,
        from: v.optional(fromSchema),
        to: v.optional(toSchema),
        count: v.optional(candleCountSchema),
        fill: v.optional(
          described(v.boolean(), 'Emit buckets without a price, at the close before. Default `false`.', true),
        ),
      }),
    alsoWrong: candleFaults,
    answer: candles,
  }),
  operation({
    name: 'prices.history',
    path: '/prices/get-price-history',
    cost: 'scan',
    summary: 'Get prices of tokens at regular instants.',
    description: 'Returns the price of each token at `from`, `from + interval`, and so on up to and including `to`.',
    example: (config) => ({
      tokens: [sample(config).token],
      from: '2024-01-05T00:00:00Z',
      to: '2024-01-06T00:00:00Z',
      interval: 3600,
    }),
    schema: (config) =>
      requestObject({
        tokens: tokensSchema(config, 100),
        from: fromSchema,
        to: v.optional(toSchema),
        interval: intervalSchema,
      }),
    alsoWrong: historyFaults,
    answer: priceHistory,
  }),
  operation({
    name: 'portfolios.get',
    path: '/portfolios/get-portfolio',
    cost: 'point',
    summary: 'Get what a wallet holds.',
    description: 'Returns the tokens that a wallet holds, with their value and what they cost.',
    example: (config) => ({ wallet: sample(config).wallet }),
    schema: (config) => requestObject({ wallet: walletSchema(config, 'Address of the wallet.') }),
    answer: portfolio,
  }),
];

/** Names, paths, and what may be left of a path when its beginning is cut off; where two share one, the first operation has it. */
const byName: ReadonlyMap<string, Operation> = new Map(
  [...operations].reverse().flatMap((known) => {
    const parts = known.path.split('/');
    const suffixes = parts.map((_, i) => parts.slice(i).join('/'));
    return [known.name, ...suffixes].map((name) => [name, known] as const);
  }),
);

/** The operation of that name, or path. Errors: `not-found`, with the nearest name. */
export function findOperation(name: string): Operation {
  const found = byName.get(name);
  if (found !== undefined) return found;
  const names = operations.map((candidate) => candidate.name);
  throw new SwapfoldError(
    'not-found',
    `There is no operation "${name}".${didYouMean(String(name), names)} Operations: ${names.join(', ')}.`,
  );
}
