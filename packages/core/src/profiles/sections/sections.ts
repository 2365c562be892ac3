import * as v from 'valibot';
import { profileWindows } from '../../bag/windows.ts';
import { type Config, labelName } from '../../config.ts';
import { labelNamesOf } from '../../labels/rules.ts';
import { type Metric, metricPath } from '../../metrics/metric.ts';
import { storedOfPositions } from '../../metrics/names.ts';
import type { FieldSource, ProfileField, ProfileKind } from '../../records/profile-fields.ts';
import { described, named } from '../../response.ts';
import { hasStored, nodeSchema, type ProfileNode } from '../tree.ts';
import { launch, rolesSchema, sniperEntriesSchema } from './launch.ts';
import { walletHolding, walletLifetime } from './record.ts';
import {
  base,
  type FieldKindName,
  type FlagSection,
  field,
  flagSection,
  type Section,
  type SectionAnswer,
} from './section.ts';

/** Who the wallet is: what its metadata has from the registry, alone. */
const identity = flagSection(
  'identity',
  {
    name: field('text', { path: 'metadata.name' }, 'Name, from the registry.'),
    twitter_username: field('text', { path: 'metadata.twitter_username' }, 'Account on Twitter, from the registry.'),
    telegram_username: field('text', { path: 'metadata.telegram_username' }, 'Account on Telegram, from the registry.'),
  },
  'name',
  'twitter_username',
  'telegram_username',
);

export const market = flagSection('market', {
  fdv: field('number', 'fold', 'USD: price x total_supply.'),
  market_cap: field('number', 'fold', 'USD: price x circulating_supply, or total_supply if that is 0 or unknown.'),
  price: field('number', 'fold', 'Latest price, USD per token.'),
  liquidity: field('number', 'registry', 'USD, from the registry.'),
  holders: field('count', 'registry', 'Wallets with a positive balance, unless the registry gives the figure.'),
  total_supply: field('number', 'registry', 'Whole tokens, from the registry.'),
  circulating_supply: field('number', 'registry', 'Whole tokens, from the registry.'),
  top_holdings: field('number', 'fold', 'Percent of total_supply that the 10 largest balances hold.'),
  dev_holdings: field('number', 'fold', 'Percent of total_supply that the creator holds.'),
});

export const tokenMetadata = flagSection(
  'metadata',
  {
    last_trade_at: field('date', 'fold', 'Block time of the newest trade.'),
    created_at: field('date', 'registry', "The token's creation, from the registry."),
    age: field('number', { since: 'metadata.created_at' }, "Seconds since the token's creation."),
    idle: field('number', { since: 'metadata.last_trade_at' }, 'Seconds since the newest trade.'),
    symbol: field('text', 'registry', 'Symbol, from the registry, else of the newest swap that names one.'),
    name: field('text', 'registry', 'Name, from the registry.'),
    image: field('text', 'registry', 'Address of its image, from the registry.'),
    verified: field('boolean', 'registry', 'Whether the registry vouches for it.'),
    creator_address: field('addressOrNull', 'registry', 'Wallet that created it, from the registry.'),
    twitter: field('text', 'registry', 'Account on Twitter, from the registry.'),
    discord: field('text', 'registry', 'Discord, from the registry.'),
    website: field('text', 'registry', 'Address of its website, from the registry.'),
    telegram: field('text', 'registry', 'Telegram, from the registry.'),
  },
  'name',
  'symbol',
);

export const walletMetadata = flagSection(
  'metadata',
  {
    last_trade_at: field('date', 'fold', 'Block time of the newest trade that counts for the profile.'),
    idle: field('number', { since: 'metadata.last_trade_at' }, 'Seconds since the newest trade.'),
    name: field('text', 'registry', 'Name, from the registry.'),
    twitter_username: field('text', 'registry', 'Account on Twitter, from the registry.'),
    telegram_username: field('text', 'registry', 'Account on Telegram, from the registry.'),
  },
  'name',
  'twitter_username',
  'telegram_username',
);

const positionBase = {
  key: 'position_address',
  fields: () =>
    [
      {
        path: 'updated_at',
        ...field('date', 'fold', "Block time of the newest of the wallet's swaps that touches the token."),
      },
      { path: 'synced_at', ...field('date', 'fold', 'When the profile was stored.') },
      {
        path: 'position_address',
        ...field('textAlways', 'query', 'Id of the wallet-token pair, as trades have it in `position`.'),
      },
      { path: 'wallet_address', ...field('address', 'fold', 'Address of the wallet.') },
      { path: 'token_address', ...field('token', 'fold', 'Address of the token.') },
    ] as const,
  queried: [],
} as const satisfies Section;

/** When a position was traded, opened and closed. */
const storedPositionMetadata = flagSection('metadata', {
  symbol: field('text', 'query', "The token's: from the registry, else of the newest swap that names one."),
  first_trade_at: field('date', 'fold', 'Block time of the first trade.'),
  last_trade_at: field('date', 'fold', 'Block time of the newest trade.'),
  opened_at: field(
    'date',
    'fold',
    'When the position was opened that is open now, or was last open: by its first lot, or by lots that came back.',
  ),
  closed_at: field(
    'date',
    'fold',
    'When that one was closed: none of its lots was here any more; `null` while it is open.',
  ),
  held: field('countOrNull', 'fold', 'Seconds from `opened_at` to `closed_at`; `null` while it is open.'),
  age: field('number', { since: 'metadata.opened_at' }, 'Seconds since `opened_at`.'),
  idle: field('number', { since: 'metadata.last_trade_at' }, 'Seconds since the newest trade.'),
  state: field(
    'textAlways',
    'fold',
    '`open` with lots that are here, `closed` once opened and none here, `unknown` where the token was never bought.',
  ),
});

/** With the roles at the launch, for requests that ask for them. */
export const positionMetadata = {
  ...storedPositionMetadata,
  response: ([metadata]: readonly ProfileNode[]) => ({
    metadata: v.strictObject({
      ...Object.fromEntries(metadata!.of!.map((node) => [node.key, nodeSchema(node)])),
      roles: v.exactOptional(rolesSchema),
    }),
  }),
};

/** What the wallet holds of the token, and what came of it so far: of the whole history. */
export const holding = flagSection('holding', {
  balance: field('number', 'fold', 'Whole tokens.'),
  cost_basis: field('number', 'fold', 'USD, of the lots of known cost that are here.'),
  avg_entry_price: field(
    'number',
    'fold',
    'USD per token: cost_basis / tokens in the lots of known cost that are here.',
  ),
  realized_pnl: field('number', 'fold', 'USD, of all realised and small sells.'),
  realized_roi: field('number', 'fold', 'Percent: realized_pnl / cost of what was sold x 100.'),
  cost_basis_native: field('number', 'fold', 'Native tokens, of the lots of known cost in them that are here.'),
  realized_pnl_native: field('number', 'fold', 'Native tokens, of all sells that have a result in them.'),
  realized_roi_native: field(
    'number',
    'query',
    'Percent: realized_pnl_native / cost of what was sold, in native tokens, x 100.',
  ),
  bought_usd: field('number', 'fold', 'USD, of all buys of known value.'),
  sold_usd: field('number', 'fold', 'USD, of all sells of known value.'),
  unmatched_proceeds: field(
    'number',
    'query',
    'USD, the part of sold_usd that has no known cost: sold_usd - realized_pnl - cost of what was sold.',
  ),
  buy_count: field('count', 'fold', 'Buys.'),
  sell_count: field('count', 'fold', 'Sells.'),
  arrived_amount: field(
    'number',
    'fold',
    'Whole tokens of the balance beyond the lots that are here: they came without a known cost.',
  ),
  away_amount: field('number', 'fold', 'Whole tokens in lots that left without a sell, and may come back.'),
  away_cost: field(
    'number',
    'fold',
    'USD, of the lots of known cost that are away; `null` if only lots of unknown cost are.',
  ),
  spent_cost: field('number', 'fold', 'USD, of lots of a quote token that were spent on other tokens.'),
  price: field('number', 'query', 'Latest price of the token, USD.'),
  value: field('number', 'query', 'USD: balance x price.'),
  unrealized_pnl: field('number', 'query', 'USD: tokens in the lots of known cost that are here x price - cost_basis.'),
  unrealized_pnl_native: field(
    'number',
    'query',
    'Native tokens: tokens in the lots of known cost in them that are here x native price of the token - cost_basis_native.',
  ),
  unrealized_roi: field('number', 'query', 'Percent: unrealized_pnl / cost_basis x 100.'),
  price_age: field(
    'countOrNull',
    'query',
    'Seconds from the print, or the reference price, that `price` is of to the as-of time.',
  ),
});

const meaning = 'Labels that hold.';

/** Labels of positions depend on a price, which moves without them: they are computed when they are asked for. */
const fieldOf = (kind: ProfileKind): ProfileField => ({
  path: 'labels',
  type: 'labels',
  column: 'text',
  source: kind === 'positions' ? 'query' : 'fold',
  meaning,
  response: () => described(v.array(v.string()), meaning),
});

/** Labels, and the names of the rules that gave them. */
function labels(kind: ProfileKind) {
  const field = fieldOf(kind);
  return {
    key: 'labels',
    option: 'flag',
    fields: () => [field],
    queried: [],
    beside: { key: 'matched_labels', column: 'matched_labels', read: (stored) => JSON.parse(stored ?? '{}') },
    response(_, { config }) {
      const label = labelSchema(kind, config);
      const rules = 'By label, the names of the rules that matched.';
      return {
        labels: described(v.array(label), meaning),
        matched_labels: described(v.record(label, v.array(v.string())), rules),
      };
    },
  } as const satisfies Section;
}

/** The label of a token or position is one that the interface or a rule names; the registry may give wallets others. */
function labelSchema(kind: ProfileKind, config: Config) {
  const known = v.picklist(labelNamesOf(config)[kind]);
  if (kind !== 'wallets') {
    const name = kind === 'tokens' ? 'TokenLabel' : 'PositionLabel';
    return named(name, described(known, 'A label of the interface, or of a rule of this server.'));
  }
  const meaning = 'A label of the interface, of a rule of this server, or of its registry of wallets.';
  return named('WalletLabel', described(v.union([known, labelName]), meaning));
}

/** The metrics of a kind of profile, by window. */
function metrics(kind: ProfileKind) {
  return {
    key: 'metrics',
    option: 'windows',
    fields(all) {
      const own = all
        .filter((metric) => metric.of.includes(kind))
        .map((metric) => {
          const meaning = `${metric.sentence} Formula: ${metric.formula}. Unit: ${metric.unit}.`;
          return { path: metricPath(metric), ...field(kindOf(metric), sourceOf(kind, metric), meaning) };
        });
      return profileWindows[kind].flatMap((window) =>
        own.map((member) => ({ ...member, path: `metrics.${window}.${member.path}` })),
      );
    },
    queried: [],
    response: ([metrics]) => ({ metrics: windowsSchema(kind, metrics!) }),
  } as const satisfies Section;
}

const sourceOf = (kind: ProfileKind, metric: Metric): FieldSource =>
  kind === 'positions' && !(storedOfPositions as readonly string[]).includes(metricPath(metric)) ? 'query' : 'fold';

function kindOf({ unit, empty }: Metric): FieldKindName {
  if (unit === 'count') return empty === 0 ? 'count' : 'countOrNull';
  return unit === 'seconds' ? 'countOrNull' : 'number';
}

const names = { tokens: 'TokenMetrics', wallets: 'WalletMetrics', positions: 'PositionMetrics' } as const;

/** Every window has the same metrics; those that are not stored only if the request names the window. */
function windowsSchema(kind: ProfileKind, metrics: ProfileNode): v.GenericSchema {
  const windows = metrics.of ?? [];
  const entries = (windows[0]?.of ?? []).map((node) => {
    const schema = nodeSchema(node);
    return [node.key, hasStored(node) ? schema : v.exactOptional(schema)];
  });
  const asked = kind === 'wallets' ? { sniper_entry_count: v.exactOptional(sniperEntriesSchema) } : {};
  const window = v.exactOptional(named(names[kind], v.strictObject({ ...Object.fromEntries(entries), ...asked })));
  return described(v.strictObject(Object.fromEntries(windows.map(({ key }) => [key, window]))), 'Metrics by window.');
}

/** The sections of profiles, in the order of the response. A new one is a file beside these, and a row here. */
export const sections = {
  tokens: [base('tokens'), labels('tokens'), tokenMetadata, market, metrics('tokens'), launch('tokens')],
  wallets: [
    base('wallets'),
    labels('wallets'),
    walletMetadata,
    identity,
    walletLifetime,
    walletHolding,
    metrics('wallets'),
    launch('wallets'),
  ],
  positions: [positionBase, labels('positions'), positionMetadata, holding, metrics('positions'), launch('positions')],
} as const satisfies Readonly<Record<ProfileKind, readonly Section[]>>;

/** A section of a kind of profile, with the types of its declaration. */
type SectionOf<Kind extends ProfileKind> = (typeof sections)[Kind][number];
type ObjectSection<Kind extends ProfileKind> = Extract<SectionOf<Kind>, FlagSection>;

/** The sections of a profile that are objects of fields: a profile lacks those that the request does not want. */
export type ObjectSections<Kind extends ProfileKind> = {
  readonly [S in ObjectSection<Kind> as S['key']]?: SectionAnswer<S>;
};

/** The paths that a section declares by their names, of fields with a source. */
type PathsFrom<Source, S> = S extends FlagSection
  ? {
      [N in keyof S['members'] & string]: S['members'][N]['source'] extends Source ? `${S['key']}.${N}` : never;
    }[keyof S['members'] & string]
  : S extends { readonly fields: () => readonly (infer F)[] }
    ? Extract<F, { readonly source: Source; readonly path: string }>['path']
    : never;

/** The path of a field of positions that no window has, with that source. */
export type PositionPath<Source> = PathsFrom<Source, SectionOf<'positions'>>;

type TypeAt<S, Path extends string> = S extends FlagSection
  ? Path extends `${S['key']}.${infer Name}`
    ? S['members'][Name & keyof S['members']]['type']
    : never
  : never;

export function objectPaths<Kind extends ProfileKind>(
  kind: Kind,
): { readonly [Path in PathsFrom<unknown, ObjectSection<Kind>>]: TypeAt<ObjectSection<Kind>, Path> } {
  const objects = sections[kind].filter((section: Section) => 'members' in section);
  const fields = objects.flatMap((section: Section) => section.fields([]));
  return Object.fromEntries(fields.map(({ path, type }) => [path, type])) as ReturnType<typeof objectPaths<Kind>>;
}

type KeysByOption<Option, S> = S extends {
  readonly key: infer Key extends string;
  readonly option: Option;
}
  ? Key
  : never;

/** Which sections a profile is served with; without options, all but those that are on request. */
export type ProfileOptions<Kind extends ProfileKind = ProfileKind> = {
  readonly [Key in KeysByOption<'flag', SectionOf<Kind>> as `include_${Key}`]?: boolean | undefined;
} & {
  readonly [Key in KeysByOption<'windows', SectionOf<Kind>> as `include_${Key}`]?: readonly string[] | undefined;
};

/** The fields that a text query can match, and does unless it names fewer. */
export const queryFields = {
  tokens: queriedOf(sections.tokens),
  wallets: queriedOf(sections.wallets),
  positions: queriedOf(sections.positions),
};

function queriedOf<const S extends readonly Section[]>(of: S): readonly S[number]['queried'][number][] {
  return of.flatMap(({ queried }) => queried);
}

export { addressField } from './section.ts';

/** The fields that break ties of every sort: together they are unique. */
export const tieFields = {
  tokens: ['token_address'],
  wallets: ['wallet_address'],
  positions: ['wallet_address', 'token_address'],
} as const satisfies Readonly<Record<ProfileKind, readonly string[]>>;

/** Every field of a profile, in the order of the response. */
export function profileFields(kind: ProfileKind, metrics: readonly Metric[]): readonly ProfileField[] {
  return (sections[kind] as readonly Section[]).flatMap((section) => section.fields(metrics));
}
