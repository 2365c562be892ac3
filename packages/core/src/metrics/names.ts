import type { roiBuckets } from '../bag/bag.ts';
import type { BuiltInMetric } from './built-in.ts';

type OfKind<Kind extends string> = BuiltInMetric extends infer M
  ? M extends { readonly of: readonly (infer K)[] }
    ? Kind extends K
      ? M
      : never
    : never
  : never;

type PathOf<M> = M extends { readonly group: infer Group extends string; readonly name: infer Name extends string }
  ? `${Group}.${Name}`
  : M extends { readonly name: infer Name extends string }
    ? Name
    : never;

/** Paths of the built-in metrics below their window: `pnl`, `wallet_roi_distribution.gt_500`. */
export type TokenMetricName = PathOf<OfKind<'tokens'>>;
/** Paths of the built-in metrics below their window: `pnl`, `token_roi_distribution.gt_500`. */
export type WalletMetricName = PathOf<OfKind<'wallets'>>;

/** Paths of the built-in metrics below their window, of one wallet's trades of one token: `pnl`. */
export type PositionMetricName = PathOf<OfKind<'positions'>>;

/** The metrics of positions that are stored: the others are folded, when they are asked for, from the trades of the positions on a page. */
export const storedOfPositions = [
  'pnl',
  'roi',
  'volume',
  'trade_count',
  'winrate',
] as const satisfies readonly PositionMetricName[];

/**
 * A metric that an embedder gives to `Swapfold.open`, as the types of the store name it: `wallets.my_metric`. Of a metric without a
 * literal name, such as one declared as `Metric` instead of by `defineMetric`, they know nothing.
 */
export type OwnMetric<M> = M extends { readonly of: readonly (infer Kind extends string)[] }
  ? string extends PathOf<M>
    ? never
    : `${Kind}.${PathOf<M>}`
  : never;

/** Paths of own metrics of a kind of profile below their window: `my_metric`, `my_group.my_metric`. */
export type OwnMetricName<Kind extends string, Own extends string> = Own extends `${Kind}.${infer Path}` ? Path : never;

/** Numbers of profiles by ROI bucket. */
export type RoiDistribution = Readonly<Record<(typeof roiBuckets)[number], number>>;

type Plain<Name extends string> = Name extends `${string}.${string}` ? never : Name;

type CountOf<M> = M extends { readonly unit: 'count' } ? PathOf<M> : never;
type Numbers<Name extends string, Count extends string> = Readonly<
  Record<Exclude<Plain<Name>, Count>, number | null> & Record<Plain<Name> & Count, number>
>;

/** Own metrics as a window of a profile carries them, groups as objects. */
type OwnMetrics<Name extends string> = Readonly<Record<Plain<Name>, number | null>> & {
  readonly [Group in Name extends `${infer G}.${string}` ? G : never]: Readonly<
    Record<Name extends `${Group}.${infer Key}` ? Key : never, number | null>
  >;
};

/** The metrics of one window of a profile, with own ones of these names. */
export type WithOwn<Metrics, Name extends string> = [Name] extends [never] ? Metrics : Metrics & OwnMetrics<Name>;

/** The metrics of one window of a token profile; `null` is undefined. An embedder's own metrics stand beside these. */
export type TokenMetrics = Numbers<TokenMetricName, CountOf<OfKind<'tokens'>>> & {
  readonly wallet_roi_distribution: RoiDistribution;
};
/** The metrics of one window of a wallet profile; `null` is undefined. An embedder's own metrics stand beside these. */
export type WalletMetrics = Numbers<WalletMetricName, CountOf<OfKind<'wallets'>>> & {
  readonly token_roi_distribution: RoiDistribution;
};
type StoredOfPositions = (typeof storedOfPositions)[number];

/**
 * The metrics of one window of a position profile; `null` is undefined. All of them if the request names the window, else those that are
 * stored. An embedder's own metrics stand beside these.
 */
export type PositionMetrics = Numbers<StoredOfPositions, CountOf<OfKind<'positions'>>> &
  Partial<Numbers<Exclude<PositionMetricName, StoredOfPositions>, CountOf<OfKind<'positions'>>>>;
