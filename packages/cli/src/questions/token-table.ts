import type { TokenProfile } from '@swapfold/core';
import { metricText } from '../text/metric.ts';
import { formatCompact, formatUsd } from '../text/numbers.ts';
import { tableLines } from '../text/table.ts';

const metrics = ['volume', 'trade_count', 'makers_count'] as const;
const titles = ['price', 'market cap', 'liquidity', 'holders', 'volume', 'trades', 'makers'] as const;

/** Tokens with their markets now, and what was traded of them in a window, one a line. */
export function tokenListLines(tokens: readonly TokenProfile[], window: string): string[] {
  if (tokens.length === 0) return ['No token.'];
  const columns = [
    { title: '#', align: 'right' },
    { title: 'token', align: 'left' },
    { title: 'address', align: 'left' },
    ...titles.map((title) => ({ title, align: 'right' }) as const),
  ] as const;
  const rows = tokens.map(({ token_address: address, metadata, market, metrics: held }, i) => {
    const values = (held as Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined)?.[window] ?? {};
    return [
      String(i + 1),
      metadata?.symbol ?? '',
      address,
      formatUsd(market?.price ?? null),
      formatUsd(market?.market_cap ?? null),
      formatUsd(market?.liquidity ?? null),
      formatCompact(market?.holders ?? null),
      ...metrics.map((name) => metricText('tokens', name, (values[name] as number | null | undefined) ?? null)),
    ];
  });
  return [`metrics of ${window}`, ...tableLines(columns, rows)];
}
