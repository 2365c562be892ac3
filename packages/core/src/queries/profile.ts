import type { profileWindows } from '../bag/windows.ts';
import type { OwnMetricName, TokenMetrics, WalletMetrics, WithOwn } from '../metrics/names.ts';
import type { ProfileExplanation } from '../search/explain.ts';

/** What token and wallet profiles share. Times are RFC 3339; sections that were not asked for are absent. */
interface ProfileBase {
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

export interface TokenMetadata {
  readonly last_trade_at: string | null;
  readonly created_at: string | null;
  readonly symbol: string | null;
  readonly name: string | null;
  readonly image: string | null;
  readonly verified: boolean | null;
  readonly creator_address: string | null;
  readonly twitter: string | null;
  readonly discord: string | null;
  readonly website: string | null;
  readonly telegram: string | null;
}

/** USD, tokens, wallets and percent; `null` is unknown. */
export interface TokenMarket {
  readonly fdv: number | null;
  readonly market_cap: number | null;
  readonly price: number | null;
  readonly liquidity: number | null;
  readonly holders: number;
  readonly total_supply: number | null;
  readonly circulating_supply: number | null;
  readonly top_holdings: number | null;
  readonly dev_holdings: number | null;
}

/** A token profile as it is served; `Own` are metrics of the embedder. */
export interface TokenProfile<Own extends string = never> extends ProfileBase {
  readonly token_address: string;
  readonly metadata?: TokenMetadata;
  readonly market?: TokenMarket;
  /** By window; only those that were asked for. */
  readonly metrics?: Readonly<
    Partial<Record<(typeof profileWindows)['tokens'][number], WithOwn<TokenMetrics, OwnMetricName<'tokens', Own>>>>
  >;
}

export interface WalletMetadata {
  readonly last_trade_at: string | null;
  readonly name: string | null;
  readonly twitter_username: string | null;
  readonly telegram_username: string | null;
}

/** A wallet profile as it is served; `Own` are metrics of the embedder. */
export interface WalletProfile<Own extends string = never> extends ProfileBase {
  readonly wallet_address: string;
  readonly metadata?: WalletMetadata;
  /** By window; only those that were asked for. */
  readonly metrics?: Readonly<
    Partial<Record<(typeof profileWindows)['wallets'][number], WithOwn<WalletMetrics, OwnMetricName<'wallets', Own>>>>
  >;
}
