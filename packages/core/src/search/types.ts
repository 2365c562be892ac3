import type { PositionMetricName, TokenMetricName, WalletMetricName } from '../metrics/names.ts';
import type { queryFields } from '../profiles/sections/sections.ts';
import type { ProfileKind } from '../records/profile-fields.ts';
import type {
  PositionFilter,
  PositionSortField,
  TokenFilter,
  TokenSortField,
  WalletFilter,
  WalletSortField,
} from './filter-types.ts';

/** A text query over profiles of a kind. */
export interface TextQueryInput<Kind extends ProfileKind> {
  /** 1 to 200 characters. */
  readonly text: string;
  /** Default: all. */
  readonly fields?: readonly (typeof queryFields)[Kind][number][];
  /** Match the beginnings of words. Default `false`. */
  readonly autocomplete?: boolean;
  /** Forgive small typos. Default `false`. */
  readonly fuzzy?: boolean;
}

/** A field to sort by, and the direction. */
export interface SortInput<Field extends string> {
  readonly field: Field;
  /** Default `desc`. */
  readonly direction?: 'asc' | 'desc';
}

/** A search without a text query. */
export interface SearchInput<Filter, Field extends string> {
  readonly filter?: Filter;
  /** One key, or up to four. */
  readonly sort?: SortInput<Field> | readonly SortInput<Field>[];
  /** Filters by label: `dynamic_labels` of a profile names those that hold. */
  readonly dynamic_labels?: Readonly<Record<string, Filter>>;
  /** 1 to 100. Default 20. */
  readonly limit?: number;
  readonly cursor?: string;
  /** Say of each profile why it was found. Default `false`. */
  readonly explain?: boolean;
}

/** A search of profiles that have text fields. */
export interface TextSearchInput<Kind extends ProfileKind, Filter, Field extends string>
  extends SearchInput<Filter, Field> {
  readonly query?: TextQueryInput<Kind>;
}

/** A search of token profiles as an embedder writes it: a wrong path or operator is a compile error. */
export type TokenSearch<Metrics extends string = TokenMetricName> = TextSearchInput<
  'tokens',
  TokenFilter<Metrics>,
  TokenSortField<Metrics>
>;

/** A search of wallet profiles; see `TokenSearch`. */
export type WalletSearch<Metrics extends string = WalletMetricName> = TextSearchInput<
  'wallets',
  WalletFilter<Metrics>,
  WalletSortField<Metrics>
>;

/** A search of positions; see `TokenSearch`. Fields that are not stored have a bound on the positions that may be left (docs/guides/search.md). */
export type PositionSearch<Metrics extends string = PositionMetricName> = SearchInput<
  PositionFilter<Metrics>,
  PositionSortField<Metrics>
>;
