import type { Portfolio, WalletProfile } from '@swapfold/core';
import { shortAddress } from '../text/address.ts';
import { metricTable } from '../text/metric-table.ts';
import { formatCompact, formatCount, formatPercent, formatUsd } from '../text/numbers.ts';
import { shownText } from '../text/shown-text.ts';
import { tableLines } from '../text/table.ts';

const windows = ['1d', '7d', '30d'] as const;
const metrics = [
  'pnl',
  'pnl_native',
  'roi',
  'roi_native',
  'winrate',
  'trade_count',
  'volume',
  'volume_native',
  'buy_volume',
  'sell_volume',
  'unmatched_proceeds',
  'avg_holding_duration',
  'largest_win',
  'largest_loss',
  'profit_factor',
  'sharpe_ratio',
  'max_drawdown',
] as const;
const HOLDINGS = 5;

/** What is known of one wallet: its metrics by window, in USD and in the token of symbol `native`, and what it holds. */
export function walletLines(profile: WalletProfile, portfolio: Portfolio, native: string | undefined): string[] {
  const { wallet_address: address, metadata, labels = [] } = profile;
  const record = recordOf(profile);
  return [
    shownText([metadata?.name, address].filter((part) => part != null).join('  ')),
    `labels ${labels.length === 0 ? 'none' : labels.join(', ')}; last trade ${metadata?.last_trade_at ?? 'never'}`,
    ...(record === undefined ? [] : [record]),
    '',
    ...metricTable({ kind: 'wallets', names: metrics, windows, metrics: profile.metrics, native }),
    '',
    `It holds ${portfolio.tokens.length} ${portfolio.tokens.length === 1 ? 'token' : 'tokens'}${worthOf(portfolio)}:`,
    ...holdingLines(portfolio),
  ];
}

/** What its results rest on, of a profile with the record. */
function recordOf({ lifetime, holding }: WalletProfile): string | undefined {
  if (lifetime == null || holding == null) return undefined;
  const { since, trade_count: trades, days_active: days, unmatched_share: unmatched } = lifetime;
  if (since === null || !trades || days === null) return undefined;
  // Without a value in USD sums are 0 by name alone.
  const results = lifetime.volume
    ? [`${formatUsd(lifetime.realized_pnl)} realised`, `${formatUsd(holding.floor_pnl)} if no gain on paper comes true`]
    : [];
  const parts = [
    `${counted(trades, 'trade')} on ${counted(days, 'day')} since ${since.slice(0, 10)}`,
    ...results,
    ...(unmatched === null ? [] : [`${formatPercent(unmatched)} of its sales without a known cost`]),
  ];
  return `record ${parts.join(', ')}`;
}

const counted = (count: number, noun: string): string => `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;

function worthOf({ tokens, value }: Portfolio): string {
  const unknown = tokens.filter((token) => token.value === null).length;
  if (unknown === 0) return ` worth ${formatUsd(value)}`;
  return unknown === tokens.length
    ? ', none of which has a price'
    : `, worth ${formatUsd(value)} without the ${unknown} that have no price`;
}

function holdingLines({ tokens }: Portfolio): string[] {
  const columns = [
    { title: 'token', align: 'left' },
    { title: 'balance', align: 'right' },
    { title: 'value', align: 'right' },
    { title: 'cost', align: 'right' },
    { title: 'unrealized pnl', align: 'right' },
    { title: 'no known cost', align: 'right' },
  ] as const;
  const rows = tokens
    .slice(0, HOLDINGS)
    .map(({ token, symbol, balance, value, cost_basis: cost, unrealized_pnl: pnl, unmatched_amount: unmatched }) => [
      symbol ?? shortAddress(token),
      formatCompact(balance),
      formatUsd(value),
      formatUsd(cost),
      formatUsd(pnl),
      unmatched === 0 ? '' : `${formatCompact(unmatched)} of them`,
    ]);
  return rows.length === 0 ? [] : tableLines(columns, rows);
}
