import { type Arithmetic, percentOf } from '../records/arithmetic.ts';
import type { PositionPath } from './sections/sections.ts';
import type { PositionColumn } from './shape.ts';

/** A field that follows from other columns of its row by arithmetic: `of` are what `value` takes, in that order. */
export interface PositionRule {
  readonly of: readonly PositionColumn[];
  readonly value: <T>(m: Arithmetic<T>, ...of: T[]) => T;
}

/** What lots are worth at a mark, less their cost. */
export function resultAtMark<T>(m: Arithmetic<T>, amount: T, price: T, cost: T): T {
  return m.minus(m.times(amount, price), cost);
}

/** A result, if it is a loss; else 0. */
export function lossIn<T>(m: Arithmetic<T>, result: T): T {
  return m.ifAtLeast(result, m.number(0), m.number(0), result);
}

/** What is less than this part of the sums is what their rounding leaves. */
const ROUNDING = 1e-9;

/** The fields of positions that answers compute and a view restates. */
export const positionRules = {
  'holding.value': { of: ['holding.balance', 'holding.price'], value: (m, balance, price) => m.times(balance, price) },
  'holding.unrealized_pnl': {
    of: ['lot_amount', 'holding.price', 'holding.cost_basis'],
    value: resultAtMark,
  },
  'holding.unrealized_roi': { of: ['holding.unrealized_pnl', 'holding.cost_basis'], value: percentOf },
  'holding.unmatched_proceeds': {
    of: ['holding.sold_usd', 'holding.realized_pnl', 'matched_cost'],
    value: (m, sold, pnl, cost) => {
      // SQLite stores whole numbers as integers, whose difference is one: the factor makes it a real number.
      const rest = m.minus(m.minus(m.times(sold, m.number(1)), pnl), cost);
      const turnover = m.minus(sold, m.times(cost, m.number(-1)));
      const nothing = m.ifAtLeast(m.abs(rest), m.number(0), m.number(0), m.unknown);
      return m.ifAtLeast(rest, m.times(turnover, m.number(ROUNDING)), rest, nothing);
    },
  },
  'holding.realized_roi_native': { of: ['holding.realized_pnl_native', 'matched_cost_native'], value: percentOf },
} as const satisfies Partial<Readonly<Record<PositionPath<'query'>, PositionRule>>>;
