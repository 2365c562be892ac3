import type { Swapfold } from '@swapfold/core';

/** A question of each kind about many wallets and tokens, those that a search lists first. */
export async function questionKinds(
  dex: Swapfold,
  subjects: number,
): Promise<Readonly<Record<string, (i: number) => Promise<unknown>>>> {
  const wallets = (await dex.wallets.search({ limit: subjects })).data.map((row) => row.wallet_address);
  const tokens = (await dex.tokens.search({ limit: subjects })).data.map((row) => row.token_address);
  const wallet = (i: number): string => wallets[i % wallets.length]!;
  const token = (i: number): string => tokens[i % tokens.length]!;
  return {
    search: (i) =>
      dex.wallets.search({
        filter: { 'metrics.30d.trade_count': { $gte: i } },
        sort: { field: 'metrics.30d.pnl' },
        limit: 20,
      }),
    profile: (i) => dex.wallets.get({ wallet: wallet(i), options: { include_metrics: ['30d', '7d', '1d'] } }),
    'swaps of a wallet': (i) => dex.swaps.list({ wallet: wallet(i) }),
    'trades of a token': (i) => dex.trades.list({ token: token(i) }),
    'candles of a token': (i) => dex.prices.candles({ token: token(i), interval: 3600, count: 300 }),
    portfolio: (i) => dex.portfolios.get({ wallet: wallet(i) }),
  };
}
