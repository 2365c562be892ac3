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

/** Numbers of profiles by ROI bucket. */
export type RoiDistribution = Readonly<Record<(typeof roiBuckets)[number], number>>;

type Plain<Name extends string> = Name extends `${string}.${string}` ? never : Name;

type CountOf<M> = M extends { readonly unit: 'count' } ? PathOf<M> : never;
type Numbers<Name extends string, Count extends string> = Readonly<
  Record<Exclude<Plain<Name>, Count>, number | null> & Record<Plain<Name> & Count, number>
>;

/** The metrics of one window of a token profile; `null` is undefined. An embedder's own metrics stand beside these. */
export type TokenMetrics = Numbers<TokenMetricName, CountOf<OfKind<'tokens'>>> & {
  readonly wallet_roi_distribution: RoiDistribution;
};
/** The metrics of one window of a wallet profile; `null` is undefined. An embedder's own metrics stand beside these. */
export type WalletMetrics = Numbers<WalletMetricName, CountOf<OfKind<'wallets'>>> & {
  readonly token_roi_distribution: RoiDistribution;
};
