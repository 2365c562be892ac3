import type { Swapfold } from '@swapfold/core';
import { type Named, pick, type Samples, searchRequest, tokensFrom } from '../samples.ts';

export type Call = (i: number) => Promise<unknown>;

/** How many tokens a question for prices or statistics names, where the market has so many. */
export const MANY = 1000;

const addresses = (tokens: readonly Named[]): string[] => tokens.map(({ address }) => address);

/** The calls of the serving part that every version of the library has; `i` varies what is asked about. */
export function callsTo(dex: Swapfold, samples: Samples) {
  const { hottest } = samples;
  const from = new Date(hourOf(samples.lastTime - 30 * 86_400) * 1000).toISOString();
  const walletOf = (i: number): string => pick(samples.wallets, i).address;
  return {
    search: (i) => dex.wallets.search(searchRequest(i)),
    profile: (i) => dex.wallets.get({ wallet: walletOf(i) }),
    price: (i) => dex.prices.latest({ tokens: [pick(samples.tokens, i).address] }),
    prices: (i) => dex.prices.latest({ tokens: addresses(tokensFrom(samples, i, MANY)) }),
    stats: (i) => dex.prices.stats({ tokens: addresses(tokensFrom(samples, i, MANY)) }),
    candles: () => dex.prices.candles({ token: hottest.address, interval: 3600, from }),
    walletSwaps: (i) => dex.swaps.list({ wallet: walletOf(i) }),
    tokenSwaps: () => dex.swaps.list({ token: hottest.address }),
    walletTrades: (i) => dex.trades.list({ wallet: walletOf(i) }),
    tokenTrades: () => dex.trades.list({ token: hottest.address }),
    portfolio: (i) => dex.portfolios.get({ wallet: pick(samples.collectors, i).address }),
  } as const satisfies Record<string, Call>;
}

function hourOf(time: number): number {
  return time - (time % 3600);
}
