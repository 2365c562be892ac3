import type { profileWindows } from '../bag/windows.ts';
import type { TokenMetricName, WalletMetricName } from '../metrics/names.ts';
import type { FieldType, ProfileKind } from '../profiles/fields.ts';
import { objectPaths } from '../profiles/sections/sections.ts';

/** The type of each path that does not depend on the metrics. */
export const fixedPaths = {
  tokens: {
    updated_at: 'date',
    synced_at: 'date',
    token_address: 'text',
    labels: 'labels',
    ...objectPaths('tokens'),
  },
  wallets: {
    updated_at: 'date',
    synced_at: 'date',
    wallet_address: 'text',
    labels: 'labels',
    ...objectPaths('wallets'),
  },
} as const satisfies Record<ProfileKind, Record<string, FieldType>>;

interface Equality<V> {
  readonly $eq?: V | null;
  readonly $ne?: V | null;
  readonly $in?: readonly (V | null)[];
  readonly $nin?: readonly (V | null)[];
  readonly $exists?: boolean;
}

interface Ordering<V> {
  readonly $gt?: V;
  readonly $gte?: V;
  readonly $lt?: V;
  readonly $lte?: V;
}

interface TextMatching {
  readonly $contains?: string;
  readonly $startsWith?: string;
}

interface Membership {
  readonly $all?: readonly string[];
}

/** What a field of each type may be asked: a value (equality), or an object of operators. */
export interface ConditionByType {
  number: number | null | (Equality<number> & Ordering<number>);
  text: string | null | (Equality<string> & Ordering<string> & TextMatching);
  /** RFC 3339 times, or `Date`s. */
  date: string | Date | null | (Equality<string | Date> & Ordering<string | Date>);
  boolean: boolean | null | Equality<boolean>;
  labels: string | null | (Equality<string> & Membership);
}

/** A filter over fields of these types: every key must hold. */
export type Filter<Fields extends Record<string, FieldType>> = {
  readonly [Path in keyof Fields]?: ConditionByType[Fields[Path]];
} & {
  readonly $and?: readonly [Filter<Fields>, ...Filter<Fields>[]];
  readonly $or?: readonly [Filter<Fields>, ...Filter<Fields>[]];
  readonly $nor?: readonly [Filter<Fields>, ...Filter<Fields>[]];
  readonly $not?: Filter<Fields>;
};

type MetricPaths<Window extends string, Metrics extends string> = Record<
  `metrics.${Window}.${Metrics | 'cumulative_pnl'}`,
  'number'
>;

type TokenFields<Metrics extends string> = (typeof fixedPaths)['tokens'] &
  MetricPaths<(typeof profileWindows)['tokens'][number], Metrics>;
type WalletFields<Metrics extends string> = (typeof fixedPaths)['wallets'] &
  MetricPaths<(typeof profileWindows)['wallets'][number], Metrics>;

/**
 * A filter of token profiles. A path that does not exist, or an operator that does not suit its type, is a compile error.
 *
 * @example
 * const filter: TokenFilter = { 'market.liquidity': { $gt: 10_000 }, 'metadata.verified': true, labels: { $all: ['hot'] } };
 */
export type TokenFilter<Metrics extends string = TokenMetricName> = Filter<TokenFields<Metrics>>;

/** A filter of wallet profiles; see `TokenFilter`. With metrics of your own: `WalletFilter<WalletMetricName | 'my_metric'>`. */
export type WalletFilter<Metrics extends string = WalletMetricName> = Filter<WalletFields<Metrics>>;

/** Paths that a search can sort by. */
export type TokenSortField<Metrics extends string = TokenMetricName> = SortableOf<TokenFields<Metrics>>;
export type WalletSortField<Metrics extends string = WalletMetricName> = SortableOf<WalletFields<Metrics>>;

type SortableOf<Fields> = {
  [Path in keyof Fields]: Fields[Path] extends 'number' | 'text' | 'date' ? Path : never;
}[keyof Fields] &
  string;
