import type { Swapfold } from '@swapfold/core';
import { formatTime, type WalletPoint } from '@swapfold/core/host';
import { unitText } from '../text/metric.ts';
import { formatCount, formatPercent, formatUsd } from '../text/numbers.ts';
import { tableLines } from '../text/table.ts';

/** Periods of the calendar, in UTC: their length, and when one begins, Unix seconds. The first Monday was the fifth day. */
const periods = {
  hour: { seconds: 3600, begins: 0 },
  day: { seconds: 86_400, begins: 0 },
  week: { seconds: 604_800, begins: 4 * 86_400 },
} as const;

export type Period = keyof typeof periods;
export const periodNames = Object.keys(periods) as Period[];

/** What a wallet did in one period, and what it had made by its end. `period` is its first second. */
export interface PeriodRow extends Omit<WalletPoint, 'timestamp'> {
  readonly period: string;
}

/**
 * What a wallet made in each hour, day or week in which it traded, oldest first. The last one may not be over.
 *
 * A history has points whose interval begins after the point before, so a point at the last second of a period is of that period.
 *
 * - Errors: `too-many-points` if there are too many periods since its first trade.
 */
export async function periodsOf(dex: Swapfold, wallet: string, period: Period): Promise<readonly PeriodRow[]> {
  const { seconds, begins } = periods[period];
  const { newest_block_time: newest } = await dex.status();
  if (newest === null) return [];
  const now = dex.config.clock === 'wall' ? Math.floor(Date.now() / 1000) : newest;
  const current = Math.floor((now - begins) / seconds) * seconds + begins;
  const timeOf = (time: number): string => new Date(time * 1000).toISOString();
  const whole = await dex.wallets.history({ wallet, interval: seconds, to: timeOf(current - 1) });
  const last = await dex.wallets.history({
    wallet,
    interval: now - current + 1,
    from: timeOf(now),
    to: timeOf(now),
  });
  return [
    ...whole.points.map((point) => ({ ...point, begins: point.timestamp - seconds + 1 })),
    ...last.points.map((point) => ({ ...point, begins: current })),
  ]
    .filter(({ trade_count: count }) => (count ?? 0) > 0)
    .map(({ timestamp: _, begins: first, ...point }) => ({ period: formatTime(first), ...point }));
}

/** A line a period. `native`: the symbol of the native token, if results are shown in it, too. */
export function periodLines(rows: readonly PeriodRow[], period: Period, native: string | undefined): string[] {
  if (rows.length === 0) return ['No trade.'];
  const isNative = native !== undefined && rows.some(({ volume_native: volume }) => (volume ?? 0) > 0);
  const columns = [
    { title: period, align: 'left' },
    ...['pnl', ...(isNative ? [`pnl ${native}`] : []), 'roi', 'winrate', 'trades', 'tokens', 'volume', 'equity'].map(
      (title) => ({ title, align: 'right' }) as const,
    ),
  ] as const;
  return tableLines(
    columns,
    rows.map((row) => [
      period === 'hour' ? row.period : row.period.slice(0, 10),
      formatUsd(row.pnl ?? null),
      ...(isNative ? [unitText('native', row.pnl_native ?? null, '')] : []),
      formatPercent(row.roi ?? null),
      formatPercent(row.winrate ?? null),
      formatCount(row.trade_count ?? 0),
      formatCount(row.position_count ?? 0),
      formatUsd(row.volume ?? null),
      formatUsd(row.equity ?? null),
    ]),
  );
}
