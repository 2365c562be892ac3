import { type Metric, type ProfileKind, profileWindows, type TokenMarket } from '@swapfold/core';
import {
  arrayOf,
  type FieldSchemas,
  integer,
  integerOrNull,
  type JsonSchema,
  numberOrNull,
  objectOf,
  ref,
  text,
  textOrNull,
} from './json-schema.ts';
import { nounOf } from './search.ts';

const dateOrNull = (description: string) => ({ ...textOrNull(description), format: 'date-time' }) as const;

const metadata = {
  tokens: {
    last_trade_at: dateOrNull('Block time of the newest trade.'),
    created_at: dateOrNull("The token's creation."),
    symbol: textOrNull('From the registry, else of the newest swap that names one.'),
    name: textOrNull('From the registry.'),
    image: textOrNull('From the registry.'),
    verified: { type: ['boolean', 'null'], description: 'From the registry.' },
    creator_address: textOrNull('From the registry.'),
    twitter: textOrNull('From the registry.'),
    discord: textOrNull('From the registry.'),
    website: textOrNull('From the registry.'),
    telegram: textOrNull('From the registry.'),
  },
  wallets: {
    last_trade_at: dateOrNull('Block time of the newest trade that counts for the profile.'),
    name: textOrNull('From the registry.'),
    twitter_username: textOrNull('From the registry.'),
    telegram_username: textOrNull('From the registry.'),
  },
} as const satisfies Record<ProfileKind, Readonly<Record<string, JsonSchema>>>;

const market: FieldSchemas<TokenMarket> = {
  fdv: numberOrNull('USD: price x total_supply.'),
  market_cap: numberOrNull('USD: price x circulating_supply, or else total_supply.'),
  price: numberOrNull('USD per token.'),
  liquidity: numberOrNull('USD.'),
  holders: integer('Wallets with a positive balance, unless the registry gives the figure.'),
  total_supply: numberOrNull('Whole tokens.'),
  circulating_supply: numberOrNull('Whole tokens.'),
  top_holdings: numberOrNull('Percent of total_supply that the 10 largest balances hold.'),
  dev_holdings: numberOrNull('Percent of total_supply that the creator holds.'),
};

/** What profiles look like in answers: sections that were not asked for are absent. */
export function profileSchemas(metrics: readonly Metric[]): Readonly<Record<string, JsonSchema>> {
  return {
    TokenProfile: profileSchema('tokens', 'TokenMetrics'),
    TokenMetrics: metricsSchema(metrics.filter((metric) => metric.of.includes('tokens'))),
    WalletProfile: profileSchema('wallets', 'WalletMetrics'),
    WalletMetrics: metricsSchema(metrics.filter((metric) => metric.of.includes('wallets'))),
  };
}

function profileSchema(kind: ProfileKind, metricsName: string): JsonSchema {
  const windows = profileWindows[kind].map((window) => [window, { $ref: `#/components/schemas/${metricsName}` }]);
  const sections = {
    as_of: {
      ...text(
        'The last instant that the profile holds for, where a refresh of what was traded has left it behind the others.',
      ),
      format: 'date-time',
    },
    labels: {
      ...arrayOf(ref(`${nounOf[kind]}Label`)),
      description: 'Labels that hold.',
    },
    matched_labels: {
      type: 'object',
      description: 'By label, the names of the rules that matched.',
      propertyNames: ref(`${nounOf[kind]}Label`),
      additionalProperties: arrayOf({ type: 'string' }),
    },
    dynamic_labels: { ...arrayOf({ type: 'string' }), description: 'Labels of the request that hold.' },
    explain: ref('ProfileExplanation'),
    metadata: objectOf(metadata[kind]),
    ...(kind === 'tokens' ? { market: objectOf(market) } : {}),
    metrics: { ...objectOf(Object.fromEntries(windows), profileWindows[kind]), description: 'Metrics by window.' },
  };
  return objectOf(
    {
      updated_at: dateOrNull('Block time of the newest swap that the data reflects.'),
      synced_at: dateOrNull('When the profile was stored.'),
      [kind === 'tokens' ? 'token_address' : 'wallet_address']: text('Address.'),
      ...sections,
    },
    Object.keys(sections),
  );
}

function metricsSchema(metrics: readonly Metric[]): JsonSchema {
  const groups = new Map<string, Record<string, JsonSchema>>();
  const fields: Record<string, JsonSchema> = {};
  for (const metric of metrics) {
    const { group } = metric;
    if (group === undefined) {
      fields[metric.name] = metricSchema(metric);
      continue;
    }
    const members = groups.get(group) ?? {};
    members[metric.name] = metricSchema(metric);
    groups.set(group, members);
    fields[group] = objectOf(members);
  }
  return objectOf(fields);
}

function metricSchema({ unit, sentence, formula, empty }: Metric): JsonSchema {
  const description = `${sentence} Formula: ${formula}. Unit: ${unit}.`;
  if (unit === 'count') return empty === 0 ? integer(description) : integerOrNull(description);
  return unit === 'seconds' ? integerOrNull(description) : numberOrNull(description);
}
