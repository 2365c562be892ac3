import type { Swapfold, WalletProfile } from '@swapfold/core';
import { shortAddress } from '../text/address.ts';
import { metricText } from '../text/metric.ts';
import { formatUsd } from '../text/numbers.ts';
import { tableLines } from '../text/table.ts';

const ROWS = 10;
const metrics = ['pnl', 'roi', 'winrate', 'trade_count', 'volume'] as const;

/** The windows of leaderboards, and how many trades a wallet has to have in each. */
const leastTrades = { '7d': 10, '1d': 2 } as const;
type Window = keyof typeof leastTrades;

/** The wallets that earned most in a window, of those that traded ten times and more in a week, or twice and more in a day. */
export async function topWallets(dex: Swapfold, window: Window): Promise<readonly WalletProfile[]> {
  const { data } = await dex.wallets.search({
    filter: { [`metrics.${window}.trade_count`]: { $gte: leastTrades[window] } },
    sort: { field: `metrics.${window}.pnl`, direction: 'desc' },
    limit: ROWS,
  });
  return data;
}

/** The wallets that lead, of those that traded ten times and more in a week: by what they realised less every loss on paper. */
export async function leadingWallets(dex: Swapfold): Promise<readonly WalletProfile[]> {
  const { data } = await dex.wallets.search({
    filter: { 'metrics.7d.trade_count': { $gte: leastTrades['7d'] } },
    sort: { field: 'holding.floor_pnl', direction: 'desc' },
    options: {
      include_metadata: true,
      include_labels: true,
      include_holding: true,
      include_metrics: ['30d', '14d', '7d', '3d', '1d'],
    },
    limit: ROWS,
  });
  return data;
}

/** Wallets with metrics of a window; before them what they lead by, if they have it. */
export function leaderboardLines(wallets: readonly WalletProfile[], window: Window): string[] {
  const hasFloor = wallets.some(({ holding }) => holding !== undefined);
  const columns = [
    { title: '#', align: 'right' },
    { title: 'wallet', align: 'left' },
    { title: 'name', align: 'left' },
    ...(hasFloor ? [{ title: 'floor', align: 'right' } as const] : []),
    ...metrics.map((title) => ({ title, align: 'right' }) as const),
  ] as const;
  const rows = wallets.map((wallet, i) => [
    String(i + 1),
    shortAddress(wallet.wallet_address),
    wallet.metadata?.name ?? '',
    ...(hasFloor ? [formatUsd(wallet.holding?.floor_pnl ?? null)] : []),
    ...metrics.map((name) => metricText('wallets', name, wallet.metrics?.[window]?.[name] ?? null)),
  ]);
  return tableLines(columns, rows);
}
