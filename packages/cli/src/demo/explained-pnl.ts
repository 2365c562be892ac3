import type { MetricExplanation, PositionProfile } from '@swapfold/core';
import { formatCount, formatUsd } from '../text/numbers.ts';
import { tableLines } from '../text/table.ts';

const TRADES = 6;

/** A question for what the pnl of a position in 30 days is made of. */
export function whyPnl({ wallet_address: wallet, token_address: token }: PositionProfile) {
  return { wallet, token, metric: 'pnl', window: '30d', limit: TRADES } as const;
}

/** A value in USD with its formula, its terms, and what the newest trades add to it. */
export function explanationLines({ metric, value, formula, terms, count, trades }: MetricExplanation): string[] {
  const columns = [
    { title: 'time', align: 'left' },
    { title: 'trade', align: 'left' },
    { title: 'value', align: 'right' },
    { title: 'adds', align: 'right' },
  ] as const;
  const rows = trades.map(({ block_time: time, direction, usd_amount: usd, part }) => [
    `${new Date(time * 1000).toISOString().slice(0, 19)}Z`,
    direction,
    formatUsd(usd),
    formatUsd(part),
  ]);
  return [
    `${metric} ${formatUsd(value)} = ${formula}`,
    ...terms.map((term) => `${term.name}: ${term.meaning}`),
    '',
    `The newest of the ${formatCount(count)} trades that enter:`,
    ...tableLines(columns, rows),
  ];
}
