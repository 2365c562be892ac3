import type { Trade } from '@swapfold/core';
import { formatTime } from '@swapfold/core/host';
import { shortAddress } from '../text/address.ts';
import { formatCompact, formatPercent, formatUsd } from '../text/numbers.ts';
import { tableLines } from '../text/table.ts';

const titles = ['amount', 'price', 'value', 'realized pnl', 'roi'] as const;

/** Trades, one a line. */
export function tradeLines(trades: readonly Trade[]): string[] {
  if (trades.length === 0) return ['No trade.'];
  const columns = [
    { title: 'time', align: 'left' },
    { title: 'wallet', align: 'left' },
    { title: '', align: 'left' },
    { title: 'token', align: 'left' },
    ...titles.map((title) => ({ title, align: 'right' }) as const),
    { title: 'transaction', align: 'left' },
  ] as const;
  const rows = trades.map((trade) => [
    formatTime(trade.block_time),
    trade.wallet,
    trade.direction,
    trade.token_symbol ?? shortAddress(trade.token),
    formatCompact(trade.token_amount),
    formatUsd(trade.token_price),
    formatUsd(trade.usd_amount),
    formatUsd(trade.realized_pnl_usd),
    formatPercent(trade.realized_roi),
    shortAddress(trade.tx_hash),
  ]);
  return tableLines(columns, rows);
}
