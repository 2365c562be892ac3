import { type Arithmetic, numbers } from '../records/arithmetic.ts';

/** Part of cost or proceeds below which a result is rounding, and 0. */
const BREAK_EVEN_PART = 1e-9;

/** What a sell made of its cost and proceeds; unknown of a trade that has none. */
export function resultIn<T>(m: Arithmetic<T>, cost: T, proceeds: T): T {
  const result = m.minus(proceeds, cost);
  const rounding = m.times(m.number(BREAK_EVEN_PART), m.ifAtLeast(cost, proceeds, cost, proceeds));
  return m.ifAtLeast(rounding, m.abs(result), m.number(0), result);
}

export function resultOf(cost: number, proceeds: number): number {
  return resultIn(numbers, cost, proceeds);
}
