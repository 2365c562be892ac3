import { type Arithmetic, percentOf } from '../records/arithmetic.ts';
import type { PositionPath } from './sections/sections.ts';
import type { PositionColumn } from './shape.ts';

/** A field that follows from other columns of its row by arithmetic: `of` are what `value` takes, in that order. */
export interface PositionRule {
  readonly of: readonly PositionColumn[];
  readonly value: <T>(m: Arithmetic<T>, ...of: T[]) => T;
}

/** The fields of positions that answers compute and a view restates. */
export const positionRules = {
  'holding.value': { of: ['holding.balance', 'holding.price'], value: (m, balance, price) => m.times(balance, price) },
  'holding.unrealized_pnl': {
    of: ['lot_amount', 'holding.price', 'holding.cost_basis'],
    value: (m, amount, price, basis) => m.minus(m.times(amount, price), basis),
  },
  'holding.unrealized_roi': { of: ['holding.unrealized_pnl', 'holding.cost_basis'], value: percentOf },
  'holding.unmatched_proceeds': {
    of: ['holding.sold_usd', 'holding.realized_pnl', 'matched_cost'],
    value: (m, sold, pnl, cost) => {
      const left = m.minus(m.minus(sold, pnl), cost);
      // Where everything has a cost, sums of many results leave a rest.
      const rounding = m.times(m.number(1e-9), m.ifAtLeast(cost, sold, cost, sold));
      return m.ifAtLeast(left, rounding, left, m.ifAtLeast(rounding, left, m.times(m.number(0), rounding), m.unknown));
    },
  },
  'holding.realized_roi_native': { of: ['holding.realized_pnl_native', 'matched_cost_native'], value: percentOf },
} as const satisfies Partial<Readonly<Record<PositionPath<'query'>, PositionRule>>>;
