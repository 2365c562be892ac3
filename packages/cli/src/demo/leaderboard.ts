import type { Swapfold, WalletProfile } from '@swapfold/core';
import { shortAddress } from '../text/address.ts';
import { metricText } from '../text/metric.ts';
import { tableLines } from '../text/table.ts';

const ROWS = 10;
const metrics = ['pnl', 'roi', 'winrate', 'trade_count', 'volume'] as const;

/** The windows of leaderboards, and how many trades a wallet has to have in each. */
const leastTrades = { '7d': 10, '1d': 2 } as const;
type Window = keyof typeof leastTrades;

/** The wallets that earned most in a week, of those that traded ten times and more; or in a day, twice and more. */
export async function topWallets(dex: Swapfold, window: Window = '7d'): Promise<readonly WalletProfile[]> {
  const { data } = await dex.wallets.search({
    filter: { [`metrics.${window}.trade_count`]: { $gte: leastTrades[window] } },
    sort: { field: `metrics.${window}.pnl`, direction: 'desc' },
    limit: ROWS,
  });
  return data;
}

export function leaderboardLines(wallets: readonly WalletProfile[], window: Window = '7d'): string[] {
  const columns = [
    { title: '#', align: 'right' },
    { title: 'wallet', align: 'left' },
    { title: 'name', align: 'left' },
    ...metrics.map((title) => ({ title, align: 'right' }) as const),
  ] as const;
  const rows = wallets.map((wallet, i) => [
    String(i + 1),
    shortAddress(wallet.wallet_address),
    wallet.metadata?.name ?? '',
    ...metrics.map((name) => metricText('wallets', name, wallet.metrics?.[window]?.[name] ?? null)),
  ]);
  return tableLines(columns, rows);
}
