import * as v from 'valibot';
import type { Config } from '../config.ts';
import { SwapfoldError } from '../errors.ts';
import type { CountedList } from '../kept/counts.ts';
import { didYouMean } from '../nearest.ts';
import type { ProfileKind } from '../profiles/fields.ts';
import { candles } from '../queries/candles.ts';
import type { KnownState, QueryContext } from '../queries/context.ts';
import { priceHistory } from '../queries/history.ts';
import { portfolio } from '../queries/portfolio.ts';
import { latestPrices, priceStats } from '../queries/prices.ts';
import { getProfile, search } from '../queries/profiles.ts';
import type { ProfileOptions } from '../queries/serve-profile.ts';
import { listSwaps } from '../queries/swaps.ts';
import { listTrades } from '../queries/trades.ts';
import type { SnapshotUse } from '../storage/adapter.ts';
import { datesAsText } from '../time.ts';
import {
  addressesSchema,
  addressSchema,
  candleCountSchema,
  intervalSchema,
  optionsSchema,
  pageEntries,
  parseRequest,
  type RequestSchema,
  requestObject,
  timeSchema,
} from './request.ts';

/**
 * One operation of the interface: what HTTP, the command line and the in-process methods share.
 *
 * - `name`: how code calls it (`prices.candles`); `path`: its route after `/v1/{chain}/dex`.
 * - `reads`: what it asks of a store where the answer is not kept in memory.
 * - `run`: checks the body and answers it from one consistent state.
 */
export interface Operation {
  readonly name: string;
  readonly path: string;
  readonly summary: string;
  readonly schema: (config: Config) => RequestSchema<unknown>;
  readonly reads: (body: unknown, known: KnownState) => SnapshotUse;
  readonly run: (context: QueryContext, body: unknown) => Promise<unknown>;
}

function operation<T>(declared: {
  readonly name: string;
  readonly path: string;
  readonly summary: string;
  readonly schema: (config: Config) => RequestSchema<T>;
  /** For a body that is yet to be checked. Default 'scans'. */
  readonly reads?: SnapshotUse | Operation['reads'];
  readonly answer: (context: QueryContext, request: T) => Promise<unknown>;
}): Operation {
  const { answer, reads = 'scans', ...rest } = declared;
  const schemas = new WeakMap<Config, RequestSchema<T>>();
  function schemaOf(config: Config): RequestSchema<T> {
    const known = schemas.get(config);
    if (known !== undefined) return known;
    const made = declared.schema(config);
    schemas.set(config, made);
    return made;
  }
  return {
    ...rest,
    reads: typeof reads === 'function' ? reads : () => reads,
    run: (context, body) => answer(context, parseRequest(schemaOf(context.config), datesAsText(body))),
  };
}

const searchOf = (kind: ProfileKind): Operation =>
  operation({
    name: `${kind}.search`,
    path: `/profiles/${kind}/search-profiles`,
    summary: `Search ${kind === 'tokens' ? 'token' : 'wallet'} profiles.`,
    schema: () =>
      requestObject({
        query: v.optional(v.unknown()),
        filter: v.optional(v.unknown()),
        sort: v.optional(v.unknown()),
        dynamic_labels: v.optional(v.unknown()),
        explain: v.optional(v.boolean()),
        options: v.optional(optionsSchema(kind)),
        ...pageEntries,
      }),
    answer: (context, request) => search(context, kind, request as Parameters<typeof search>[2]),
  });

const getOf = (kind: ProfileKind): Operation => {
  const noun = kind === 'tokens' ? 'token' : 'wallet';
  return operation({
    name: `${kind}.get`,
    path: `/profiles/${kind}/get-profile`,
    reads: 'look-ups',
    summary: `Get the profile of a ${noun}.`,
    schema: (config) =>
      requestObject({ [noun]: addressSchema(config.address_format), options: v.optional(optionsSchema(kind)) }),
    answer: (context, request) => {
      const { options, ...rest } = request as { options?: ProfileOptions } & Record<string, string>;
      return getProfile(context, kind, rest[noun]!, options);
    },
  });
};

const listEntries = (config: Config) => ({
  wallet: v.optional(addressSchema(config.address_format)),
  token: v.optional(addressSchema(config.address_format)),
  ...pageEntries,
});

/** A page lies together, and the rows of a wallet are soon counted; those of a token that everybody trades are not, where nobody has before. */
function readsOfList(list: CountedList): Operation['reads'] {
  return (body, { dictionary, kept }) => {
    const { wallet, token } = Object(body) as { readonly wallet?: unknown; readonly token?: unknown };
    if (wallet !== undefined) return token === undefined ? 'look-ups' : 'scans';
    const id = dictionary.known(token as string);
    return id !== undefined && kept?.counts.get(list, 'token', id) !== undefined ? 'look-ups' : 'scans';
  };
}

/** The eleven operations of the interface, in its order. */
export const operations: readonly Operation[] = [
  searchOf('tokens'),
  getOf('tokens'),
  searchOf('wallets'),
  getOf('wallets'),
  operation({
    name: 'swaps.list',
    path: '/swaps/get-swaps',
    reads: readsOfList('swaps'),
    summary: 'List swaps, newest first.',
    schema: (config) => requestObject(listEntries(config)),
    answer: listSwaps,
  }),
  operation({
    name: 'trades.list',
    path: '/trades/get-trades',
    reads: readsOfList('trades'),
    summary: 'List trades, newest first.',
    schema: (config) => requestObject(listEntries(config)),
    answer: listTrades,
  }),
  operation({
    name: 'prices.latest',
    path: '/prices/get-price',
    reads: 'look-ups',
    summary: 'Get the latest prices of tokens.',
    schema: (config) => requestObject({ tokens: addressesSchema(config.address_format, 1000) }),
    answer: latestPrices,
  }),
  operation({
    name: 'prices.stats',
    path: '/prices/get-price-stats',
    summary: 'Get price changes and volumes of tokens.',
    schema: (config) => requestObject({ tokens: addressesSchema(config.address_format, 1000) }),
    answer: priceStats,
  }),
  operation({
    name: 'prices.candles',
    path: '/prices/get-price-candles',
    summary: 'Get candles of a token.',
    schema: (config) =>
      requestObject({
        token: addressSchema(config.address_format),
        interval: intervalSchema,
        from: v.optional(timeSchema),
        to: v.optional(timeSchema),
        count: v.optional(candleCountSchema),
        fill: v.optional(v.boolean()),
      }),
    answer: candles,
  }),
  operation({
    name: 'prices.history',
    path: '/prices/get-price-history',
    summary: 'Get prices of tokens at regular instants.',
    schema: (config) =>
      requestObject({
        tokens: addressesSchema(config.address_format, 100),
        from: timeSchema,
        to: v.optional(timeSchema),
        interval: intervalSchema,
      }),
    answer: priceHistory,
  }),
  operation({
    name: 'portfolios.get',
    path: '/portfolios/get-portfolio',
    reads: 'look-ups',
    summary: 'Get what a wallet holds.',
    schema: (config) => requestObject({ wallet: addressSchema(config.address_format) }),
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
