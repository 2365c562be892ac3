/**
 * What a rule computes with that answers and views share: numbers, of which `NaN` is unknown, or the SQL of numbers, of which null is. What is
 * computed from something unknown is unknown, and nothing can be said of its size.
 */
export interface Arithmetic<T> {
  readonly unknown: T;
  number(value: number): T;
  minus(a: T, b: T): T;
  times(a: T, b: T): T;
  /** Unknown or infinite if `b` is 0. */
  over(a: T, b: T): T;
  abs(a: T): T;
  /** `a`, or `b` if `a` is unknown. */
  or(a: T, b: T): T;
  ifAtLeast(a: T, b: T, then: T, otherwise: T): T;
}

/** An infinite number is an unknown one. */
export const numbers: Arithmetic<number> = {
  unknown: Number.NaN,
  number: (value) => value,
  minus: (a, b) => a - b,
  times: (a, b) => a * b,
  over: (a, b) => a / b,
  abs: Math.abs,
  or: (a, b) => (Number.isFinite(a) ? a : b),
  ifAtLeast: (a, b, then, otherwise) => (a >= b ? then : otherwise),
};

/** Percent that `a` is of `b`. */
export function percentOf<T>(m: Arithmetic<T>, a: T, b: T): T {
  return m.times(m.over(a, b), m.number(100));
}
