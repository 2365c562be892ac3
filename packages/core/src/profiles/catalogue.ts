import * as v from 'valibot';
import { profileWindows } from '../bag/windows.ts';
import { type Metric, metricPath } from '../metrics/metric.ts';
import {
  dateOrNull,
  described,
  flagOrNull,
  integer,
  integerOrNull,
  numberOrNull,
  text,
  textOrNull,
} from '../response.ts';
import type { ProfileField, ProfileKind } from './fields.ts';

/** Labels that the interface names; rules may add others. */
export const knownLabels = {
  tokens: ['trending', 'hot', 'new', 'popular'],
  wallets: ['kol', 'trencher', 'conviction', 'smart', 'whale', 'degen', 'sniper', 'swing', 'holder'],
} as const;

/** The field that holds a profile's address, and breaks ties of every sort. */
export const addressField = { tokens: 'token_address', wallets: 'wallet_address' } as const;

type FieldKind = Omit<ProfileField, 'path' | 'meaning'>;

const kinds = {
  text: { type: 'text', column: 'text', response: textOrNull },
  address: { type: 'text', column: 'text', response: text },
  date: { type: 'date', column: 'long', response: dateOrNull },
  boolean: { type: 'boolean', column: 'long', response: flagOrNull },
  number: { type: 'number', column: 'double', response: numberOrNull },
  count: { type: 'number', column: 'double', response: integer },
  countOrNull: { type: 'number', column: 'double', response: integerOrNull },
} as const satisfies Readonly<Record<string, FieldKind>>;

const field = (path: string, kind: keyof typeof kinds, meaning: string): ProfileField => ({
  path,
  meaning,
  ...kinds[kind],
});

const commonFields = [
  field('updated_at', 'date', 'Block time of the newest swap that the data reflects.'),
  field('synced_at', 'date', 'When the profile was stored.'),
] as const satisfies readonly ProfileField[];

const metadataFields = {
  tokens: [
    field('metadata.last_trade_at', 'date', 'Block time of the newest trade.'),
    field('metadata.created_at', 'date', "The token's creation, from the registry."),
    field('metadata.symbol', 'text', 'From the registry, else of the newest swap that names one.'),
    field('metadata.name', 'text', 'From the registry.'),
    field('metadata.image', 'text', 'From the registry.'),
    field('metadata.verified', 'boolean', 'From the registry.'),
    field('metadata.creator_address', 'text', 'From the registry.'),
    field('metadata.twitter', 'text', 'From the registry.'),
    field('metadata.discord', 'text', 'From the registry.'),
    field('metadata.website', 'text', 'From the registry.'),
    field('metadata.telegram', 'text', 'From the registry.'),
  ],
  wallets: [
    field('metadata.last_trade_at', 'date', 'Block time of the newest trade that counts for the profile.'),
    field('metadata.name', 'text', 'From the registry.'),
    field('metadata.twitter_username', 'text', 'From the registry.'),
    field('metadata.telegram_username', 'text', 'From the registry.'),
  ],
} as const satisfies Record<ProfileKind, readonly ProfileField[]>;

const marketFields = [
  field('market.fdv', 'number', 'USD: price x total_supply.'),
  field('market.market_cap', 'number', 'USD: price x circulating_supply, or else total_supply.'),
  field('market.price', 'number', 'Latest price, USD per token.'),
  field('market.liquidity', 'number', 'USD, from the registry.'),
  field('market.holders', 'count', 'Wallets with a positive balance, unless the registry gives the figure.'),
  field('market.total_supply', 'number', 'Whole tokens, from the registry.'),
  field('market.circulating_supply', 'number', 'Whole tokens, from the registry.'),
  field('market.top_holdings', 'number', 'Percent of total_supply that the 10 largest balances hold.'),
  field('market.dev_holdings', 'number', 'Percent of total_supply that the creator holds.'),
] as const satisfies readonly ProfileField[];

const labels: ProfileField = {
  path: 'labels',
  type: 'labels',
  column: 'text',
  meaning: 'Labels that hold.',
  response: (meaning) => described(v.array(v.string()), meaning),
};

/** Every stored scalar of a profile, in the order of the response. `metadata.age` and `metadata.idle` are computed from dates by the filter. */
export function profileFields(kind: ProfileKind, metrics: readonly Metric[]): readonly ProfileField[] {
  const own = metrics.filter((metric) => metric.of.includes(kind));
  const meanings = own.map(({ sentence, formula, unit }) => `${sentence} Formula: ${formula}. Unit: ${unit}.`);
  return [
    ...commonFields,
    field(addressField[kind], 'address', 'Address.'),
    labels,
    ...metadataFields[kind],
    ...(kind === 'tokens' ? marketFields : []),
    ...profileWindows[kind].flatMap((window) =>
      own.map((metric, i) => field(`metrics.${window}.${metricPath(metric)}`, numberKind(metric), meanings[i]!)),
    ),
  ];
}

function numberKind({ unit, empty }: Metric): keyof typeof kinds {
  if (unit === 'count') return empty === 0 ? 'count' : 'countOrNull';
  return unit === 'seconds' ? 'countOrNull' : 'number';
}
