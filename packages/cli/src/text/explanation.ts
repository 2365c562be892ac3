import type { MetricExplanation } from '@swapfold/core';
import { formatTime } from '@swapfold/core/host';
import { shortAddress } from './address.ts';
import { unitText } from './metric.ts';
import { formatCompact, formatCount, formatUsd } from './numbers.ts';
import { tableLines } from './table.ts';

const left = (title: string) => ({ title, align: 'left' }) as const;
const right = (title: string) => ({ title, align: 'right' }) as const;

const tradeColumns = [left('time'), left('token'), left('trade'), right('value'), right('adds')];

/** A metric with its formula, its terms, what the newest trades add to it, and what moved lots between them. */
export function explanationLines(explained: MetricExplanation, native = ''): string[] {
  const { metric, value, formula, unit, terms, count, trades, moves, parts = [] } = explained;
  const textOf = (amount: number | null, of = unit): string => unitText(of, amount, native);
  const termLines = terms.map(({ name, value: term, unit: of, meaning }) => [
    name,
    typeof term === 'number' || term === null ? textOf(term, of) : `${formatCount(term.length)} values`,
    meaning,
  ]);
  // What is no sum, as a ratio, has no parts.
  const isSum = trades.some(({ part }) => part !== null);
  const tradeLines = trades.map(
    ({ block_time: time, token, token_symbol: symbol, direction, usd_amount: usd, part }) => [
      formatTime(time),
      symbol ?? shortAddress(token),
      direction,
      formatUsd(usd),
      ...(isSum ? [textOf(part)] : []),
    ],
  );
  const moveLines = moves.map((move) => [
    formatTime(move.block_time),
    shortAddress(move.token),
    `${move.by} ${move.direction}`,
    formatCompact(move.token_amount),
    formatUsd(move.away_cost),
    formatUsd(move.returned_cost),
    formatUsd(move.spent_cost),
  ]);
  const moved = [
    left('time'),
    left('token'),
    left('by'),
    right('amount'),
    right('away'),
    right('back'),
    right('spent'),
  ];
  const adds = parts.some(({ part }) => part !== null);
  const partLines = parts.map(({ token, part, realized_pnl, cost_basis, away_cost, price }) => [
    shortAddress(token),
    ...(adds ? [textOf(part)] : []),
    formatUsd(realized_pnl),
    formatUsd(cost_basis),
    formatUsd(away_cost),
    formatUsd(price),
  ]);
  const held = ['realized', 'cost of lots', 'cost away', 'price'].map(right);
  return [
    `${metric} ${textOf(value)} = ${formula}`,
    ...(terms.length === 0 ? [] : ['', ...tableLines([left('term'), right('value'), left('meaning')], termLines)]),
    ...(parts.length === 0
      ? []
      : ['', 'Token by token:', ...tableLines([left('token'), ...(adds ? [right('adds')] : []), ...held], partLines)]),
    '',
    count === 0
      ? 'No trade enters.'
      : trades.length < count
        ? `The newest of the ${formatCount(count)} trades that enter:`
        : 'The trades that enter, newest first:',
    ...(count === 0 ? [] : tableLines(tradeColumns.slice(0, isSum ? 5 : 4), tradeLines)),
    ...(moves.length === 0
      ? []
      : ['', 'What moved their lots beside them, by its cost:', ...tableLines(moved, moveLines)]),
  ];
}
