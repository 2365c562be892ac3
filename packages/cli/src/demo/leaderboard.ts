import type { Swapfold, WalletProfile } from '@swapfold/core';
import { shortAddress } from '../text/address.ts';
import { metricText } from '../text/metric.ts';
import { tableLines } from '../text/table.ts';

const ROWS = 10;
const metrics = ['pnl', 'roi', 'winrate', 'trade_count', 'volume'] as const;

/** The wallets that earned most in a week, of those that traded ten times and more. */
export async function topWallets(dex: Swapfold): Promise<readonly WalletProfile[]> {
  const { data } = await dex.wallets.search({
    filter: { 'metrics.7d.trade_count': { $gte: 10 } },
    sort: { field: 'metrics.7d.pnl', direction: 'desc' },
    limit: ROWS,
  });
  return data;
}

export function leaderboardLines(wallets: readonly WalletProfile[]): string[] {
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
    ...metrics.map((name) => metricText('wallets', name, wallet.metrics?.['7d']?.[name] ?? null)),
  ]);
  return tableLines(columns, rows);
}
