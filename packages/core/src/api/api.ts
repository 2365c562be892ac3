import type { Candle } from '../market-data/candle.ts';
import type { OwnMetricName, TokenMetricName, WalletMetricName } from '../metrics/names.ts';
import type { CandlesRequest } from '../queries/candles.ts';
import type { PriceHistory } from '../queries/history.ts';
import type { Portfolio } from '../queries/portfolio.ts';
import type { LatestPrice, PriceStats } from '../queries/prices.ts';
import type { TokenProfile, WalletProfile } from '../queries/profile.ts';
import type { SearchAnswer } from '../queries/profiles.ts';
import type { ProfileOptions } from '../queries/serve-profile.ts';
import type { Swap } from '../queries/swap.ts';
import type { Page } from '../queries/swaps.ts';
import type { Trade } from '../queries/trades.ts';
import type { TokenSearch, WalletSearch } from '../search/types.ts';
import type { CallOptions } from '../storage/abortable.ts';
import type { TimeInput } from '../time.ts';
import type { Share } from '../turns.ts';

/** How a single question is asked. */
export interface QueryOptions extends CallOptions {
  /** The answer is as if no later swap had happened; registries are today's. Default: the configured clock. */
  readonly asOf?: TimeInput | undefined;
  /** Who asks: those who share the thread have turns by what each has worked (`newShare`). Default: the process itself. */
  readonly share?: Share | undefined;
}

export interface ListCall {
  readonly wallet?: string;
  readonly token?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

/** As `CandlesRequest`, with RFC 3339 times or `Date`s. */
export type CandlesCall = Omit<CandlesRequest, 'from' | 'to'> & {
  readonly from?: string | Date;
  readonly to?: string | Date;
};

export interface HistoryCall {
  readonly tokens: readonly string[];
  readonly from: string | Date;
  readonly to?: string | Date;
  readonly interval: number;
}

type Ask<Request, Answer> = (request: Request, options?: QueryOptions) => Promise<Answer>;

/**
 * The eleven operations as methods: requests and answers are those of the HTTP routes. `Own` are metrics of the embedder, such as
 * `wallets.my_metric`.
 */
export interface Api<Own extends string = never> {
  readonly tokens: {
    /** One page of the stored profiles that match. */
    readonly search: (
      request?: TokenSearch<TokenMetricName | OwnMetricName<'tokens', Own>> & { readonly options?: ProfileOptions },
      options?: CallOptions,
    ) => Promise<SearchAnswer<TokenProfile<Own>>>;
    readonly get: Ask<{ readonly token: string; readonly options?: ProfileOptions }, TokenProfile<Own>>;
  };
  readonly wallets: {
    /** One page of the stored profiles that match. */
    readonly search: (
      request?: WalletSearch<WalletMetricName | OwnMetricName<'wallets', Own>> & { readonly options?: ProfileOptions },
      options?: CallOptions,
    ) => Promise<SearchAnswer<WalletProfile<Own>>>;
    readonly get: Ask<{ readonly wallet: string; readonly options?: ProfileOptions }, WalletProfile<Own>>;
  };
  readonly swaps: { readonly list: (request?: ListCall, options?: QueryOptions) => Promise<Page<Swap>> };
  readonly trades: { readonly list: (request?: ListCall, options?: QueryOptions) => Promise<Page<Trade>> };
  readonly prices: {
    readonly latest: Ask<{ readonly tokens: readonly string[] }, readonly LatestPrice[]>;
    readonly stats: Ask<{ readonly tokens: readonly string[] }, readonly PriceStats[]>;
    readonly candles: Ask<CandlesCall, readonly Candle[]>;
    readonly history: Ask<HistoryCall, readonly PriceHistory[]>;
  };
  readonly portfolios: { readonly get: Ask<{ readonly wallet: string }, Portfolio> };
}

/** The operations as methods over `call`, which answers one by name. */
export function apiOver<Own extends string = never>(
  call: (name: string, request: unknown, options?: QueryOptions) => Promise<unknown>,
): Api<Own> {
  const ask =
    <T>(name: string) =>
    (request: object = {}, options: QueryOptions = {}) =>
      call(name, request, options) as Promise<T>;
  return {
    tokens: { search: ask('tokens.search'), get: ask('tokens.get') },
    wallets: { search: ask('wallets.search'), get: ask('wallets.get') },
    swaps: { list: ask('swaps.list') },
    trades: { list: ask('trades.list') },
    prices: {
      latest: ask('prices.latest'),
      stats: ask('prices.stats'),
      candles: ask('prices.candles'),
      history: ask('prices.history'),
    },
    portfolios: { get: ask('portfolios.get') },
  };
}
