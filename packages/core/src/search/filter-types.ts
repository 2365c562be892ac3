import type { profileWindows } from '../bag/windows.ts';
import type { operatorsByType } from '../filter/operators.ts';
import type { PositionMetricName, TokenMetricName, WalletMetricName } from '../metrics/names.ts';
import { objectPaths } from '../profiles/sections/sections.ts';
import type { FieldType, ProfileKind } from '../records/profile-fields.ts';

const ofAll = { updated_at: 'date', synced_at: 'date', labels: 'labels' } as const;

/** The type of each path that does not depend on the metrics. */
export const fixedPaths = {
  tokens: { ...ofAll, token_address: 'text', ...objectPaths('tokens') },
  wallets: { ...ofAll, wallet_address: 'text', ...objectPaths('wallets') },
  positions: {
    ...ofAll,
    position_address: 'text',
    wallet_address: 'text',
    token_address: 'text',
    ...objectPaths('positions'),
  },
} as const satisfies Record<ProfileKind, Record<string, FieldType>>;

/** The operands that are not one value of the field. */
interface Operands<V> {
  $eq: V | null;
  $ne: V | null;
  $in: readonly (V | null)[];
  $nin: readonly (V | null)[];
  $exists: boolean;
  $all: readonly V[];
}

/** A value, which means equality, or an object of the operators that suit the type. */
type ConditionOf<Type extends FieldType, V> =
  | V
  | null
  | { readonly [O in (typeof operatorsByType)[Type][number]]?: O extends keyof Operands<V> ? Operands<V>[O] : V };

/** What a field of each type may be asked: a value (equality), or an object of operators. */
export interface ConditionByType {
  number: ConditionOf<'number', number>;
  text: ConditionOf<'text', string>;
  /** RFC 3339 times, or `Date`s. */
  date: ConditionOf<'date', string | Date>;
  boolean: ConditionOf<'boolean', boolean>;
  labels: ConditionOf<'labels', string>;
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

/** The fields of a kind of profile that a filter may name, with their types: the fixed ones, and metrics below their windows. */
export type FieldsOf<Kind extends ProfileKind, Metrics extends string> = (typeof fixedPaths)[Kind] &
  Record<`metrics.${(typeof profileWindows)[Kind][number]}.${Metrics | 'cumulative_pnl'}`, 'number'>;

/**
 * A filter of token profiles. A path that does not exist, or an operator that does not suit its type, is a compile error.
 *
 * @example
 * const filter: TokenFilter = { 'market.liquidity': { $gt: 10_000 }, 'metadata.verified': true, labels: { $all: ['hot'] } };
 */
export type TokenFilter<Metrics extends string = TokenMetricName> = Filter<FieldsOf<'tokens', Metrics>>;

/** A filter of wallet profiles; see `TokenFilter`. With metrics of your own: `WalletFilter<WalletMetricName | 'my_metric'>`. */
export type WalletFilter<Metrics extends string = WalletMetricName> = Filter<FieldsOf<'wallets', Metrics>>;

/** A filter of position profiles; see `TokenFilter`. */
export type PositionFilter<Metrics extends string = PositionMetricName> = Filter<FieldsOf<'positions', Metrics>>;

/** Paths that a search can sort by. */
export type TokenSortField<Metrics extends string = TokenMetricName> = SortableOf<FieldsOf<'tokens', Metrics>>;
/** A path that wallets can be sorted by. */
export type WalletSortField<Metrics extends string = WalletMetricName> = SortableOf<FieldsOf<'wallets', Metrics>>;
/** A path that positions can be sorted by. */
export type PositionSortField<Metrics extends string = PositionMetricName> = SortableOf<FieldsOf<'positions', Metrics>>;

type SortableOf<Fields> = {
  [Path in keyof Fields]: Fields[Path] extends 'number' | 'text' | 'date' ? Path : never;
}[keyof Fields] &
  string;
