import { profileWindows } from '../bag/windows.ts';
import { type Metric, metricPath } from '../metrics/metric.ts';
import type { ProfileField, ProfileKind } from './fields.ts';

/** Labels that the interface names; rules may add others. */
export const knownLabels = {
  tokens: ['trending', 'hot', 'new', 'popular'],
  wallets: ['kol', 'trencher', 'conviction', 'smart', 'whale', 'degen', 'sniper', 'swing', 'holder'],
} as const;

/** The field that holds a profile's address, and breaks ties of every sort. */
export const addressField = { tokens: 'token_address', wallets: 'wallet_address' } as const;

const text = (path: string, meaning: string): ProfileField => ({ path, type: 'text', column: 'text', meaning });
const date = (path: string, meaning: string): ProfileField => ({ path, type: 'date', column: 'long', meaning });
const number = (path: string, meaning: string): ProfileField => ({ path, type: 'number', column: 'double', meaning });

const commonFields = [
  date('updated_at', 'Block time of the newest swap that the data reflects.'),
  date('synced_at', 'When the profile was stored.'),
  { path: 'labels', type: 'labels', column: 'text', meaning: 'Labels that hold.' },
] as const satisfies readonly ProfileField[];

const metadataFields = {
  tokens: [
    date('metadata.last_trade_at', 'Block time of the newest trade.'),
    date('metadata.created_at', "The token's creation, from the registry."),
    text('metadata.symbol', 'From the registry, else of the newest swap that names one.'),
    text('metadata.name', 'From the registry.'),
    text('metadata.image', 'From the registry.'),
    { path: 'metadata.verified', type: 'boolean', column: 'long', meaning: 'From the registry.' },
    text('metadata.creator_address', 'From the registry.'),
    text('metadata.twitter', 'From the registry.'),
    text('metadata.discord', 'From the registry.'),
    text('metadata.website', 'From the registry.'),
    text('metadata.telegram', 'From the registry.'),
  ],
  wallets: [
    date('metadata.last_trade_at', 'Block time of the newest trade that counts for the profile.'),
    text('metadata.name', 'From the registry.'),
    text('metadata.twitter_username', 'From the registry.'),
    text('metadata.telegram_username', 'From the registry.'),
  ],
} as const satisfies Record<ProfileKind, readonly ProfileField[]>;

const marketFields = [
  number('market.fdv', 'price x total_supply, USD.'),
  number('market.market_cap', 'price x circulating_supply, or else total_supply, USD.'),
  number('market.price', 'Latest price, USD per token.'),
  number('market.liquidity', 'From the registry, USD.'),
  number('market.holders', 'Wallets with a positive balance, unless the registry gives the figure.'),
  number('market.total_supply', 'From the registry, tokens.'),
  number('market.circulating_supply', 'From the registry, tokens.'),
  number('market.top_holdings', 'The 10 largest balances / total_supply, percent.'),
  number('market.dev_holdings', "The creator's balance / total_supply, percent."),
] as const satisfies readonly ProfileField[];

/** Every stored scalar of a profile, in the order of the response. `metadata.age` and `metadata.idle` are computed from dates by the filter. */
export function profileFields(kind: ProfileKind, metrics: readonly Metric[]): readonly ProfileField[] {
  return [
    commonFields[0],
    commonFields[1],
    text(addressField[kind], 'The address.'),
    commonFields[2],
    ...metadataFields[kind],
    ...(kind === 'tokens' ? marketFields : []),
    ...profileWindows[kind].flatMap((window) =>
      metrics
        .filter((metric) => metric.of.includes(kind))
        .map((metric) => number(`metrics.${window}.${metricPath(metric)}`, metric.sentence)),
    ),
  ];
}
