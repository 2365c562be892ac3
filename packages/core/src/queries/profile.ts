import type { profileWindows } from '../bag/windows.ts';
import type { OwnMetricName, PositionMetrics, TokenMetrics, WalletMetrics, WithOwn } from '../metrics/names.ts';
import type { SectionAnswer } from '../profiles/sections/section.ts';
import type {
  holding,
  market,
  ObjectSections,
  positionMetadata,
  tokenMetadata,
  walletMetadata,
} from '../profiles/sections/sections.ts';
import type { ProfileExplanation } from '../search/explain.ts';

/** What all profiles share. Times are RFC 3339; sections that were not asked for are absent. */
export interface ProfileBase {
  /** Block time of the newest swap that the data reflects. */
  readonly updated_at: string | null;
  /** When the profile was stored. */
  readonly synced_at: string;
  /** The last instant that the profile holds for, where a refresh of the traded ones alone has left it behind the others. */
  readonly as_of?: string;
  readonly labels?: readonly string[];
  /** The names of the rules that held, by label. */
  readonly matched_labels?: Readonly<Record<string, readonly string[]>>;
  /** The labels of the request that hold. */
  readonly dynamic_labels?: readonly string[];
  /** Why the profile was found, clause by clause, where the search asks to `explain`. */
  readonly explain?: ProfileExplanation;
}

/** What the registry and the swaps say of a token. */
export interface TokenMetadata extends SectionAnswer<typeof tokenMetadata> {}

/** USD, tokens, wallets and percent; `null` is unknown. */
export interface TokenMarket extends SectionAnswer<typeof market> {}

/** A token profile as it is served; `Own` are metrics of the embedder. */
export interface TokenProfile<Own extends string = never> extends ProfileBase, ObjectSections<'tokens'> {
  readonly token_address: string;
  /** By window; only those that were asked for. */
  readonly metrics?: Readonly<
    Partial<Record<(typeof profileWindows)['tokens'][number], WithOwn<TokenMetrics, OwnMetricName<'tokens', Own>>>>
  >;
}

/** What the registry and the swaps say of a wallet. */
export interface WalletMetadata extends SectionAnswer<typeof walletMetadata> {}

/** A wallet profile as it is served; `Own` are metrics of the embedder. */
export interface WalletProfile<Own extends string = never> extends ProfileBase, ObjectSections<'wallets'> {
  readonly wallet_address: string;
  /** By window; only those that were asked for. */
  readonly metrics?: Readonly<
    Partial<Record<(typeof profileWindows)['wallets'][number], WithOwn<WalletMetrics, OwnMetricName<'wallets', Own>>>>
  >;
}

/** Times and state of a position. */
export interface PositionMetadata extends SectionAnswer<typeof positionMetadata> {}

/** USD, tokens and percent; `null` is unknown. */
export interface PositionHolding extends SectionAnswer<typeof holding> {}

/** What one wallet holds of one token and has made of it, as it is served; `Own` are metrics of the embedder. */
export interface PositionProfile<Own extends string = never> extends ProfileBase, ObjectSections<'positions'> {
  /** Id of the wallet-token pair, as trades have it in `position`. */
  readonly position_address: string;
  readonly wallet_address: string;
  readonly token_address: string;
  /** By window; only those that were asked for. Own metrics are there if the request names the window. */
  readonly metrics?: Readonly<
    Partial<
      Record<
        (typeof profileWindows)['positions'][number],
        PositionMetrics & Partial<WithOwn<object, OwnMetricName<'positions', Own>>>
      >
    >
  >;
}
