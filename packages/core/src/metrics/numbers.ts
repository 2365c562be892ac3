/** Periods that must hold something before a series says anything. */
export const MIN_PERIODS = 3;

/** Spread below this part of the largest value is rounding: a constant series is constant on every engine. */
const CONSTANT_PART = 1e-12;

/** `a / b`, or `null` where b is 0. */
export function ratio(a: number, b: number): number | null {
  return b === 0 ? null : a / b;
}

export function percent(a: number, b: number): number | null {
  return b === 0 ? null : (a / b) * 100;
}

export function mean(series: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < series.length; i++) sum += series[i]!;
  return sum / series.length;
}

/** Sample standard deviation (n - 1); 0 for a constant series, `NaN` under two values. */
export function deviation(series: Float64Array): number {
  if (series.length < 2) return Number.NaN;
  const average = mean(series);
  const largest = largestOf(series);
  const unit = unitFor(largest);
  let squares = 0;
  for (let i = 0; i < series.length; i++) squares += ((series[i]! - average) / unit) ** 2;
  const result = Math.sqrt(squares / (series.length - 1)) * unit;
  return result <= CONSTANT_PART * largest ? 0 : result;
}

function largestOf(series: Float64Array): number {
  let largest = 0;
  for (let i = 0; i < series.length; i++) largest = Math.max(largest, Math.abs(series[i]!));
  return largest;
}

/** What values are divided by before they are squared: 1, unless their squares would overflow or vanish. */
function unitFor(largest: number): number {
  return largest === 0 || (largest > 1e-100 && largest < 1e100) ? 1 : largest;
}

/** Volatility of a series that has enough periods, else `null`. */
export function volatility(series: Float64Array, periods: number): number | null {
  return periods < MIN_PERIODS ? null : deviation(series);
}

/** |mean| / (|mean| + volatility), in [0, 1]; `null` where both are 0 or the series is too little. */
export function stability(series: Float64Array, periods: number): number | null {
  if (periods < MIN_PERIODS) return null;
  const level = Math.abs(mean(series));
  return ratio(level, level + deviation(series));
}

/** Sharpe (1994), risk-free rate 0; `null` when the deviation is 0 or the series is too little. */
export function sharpe(series: Float64Array, periods: number, scale: number): number | null {
  if (periods < MIN_PERIODS) return null;
  const result = ratio(mean(series), deviation(series));
  return result === null ? null : result * scale;
}

/** Sortino & Price (1994), target 0; `null` when no period is negative or the series is too little. */
export function sortino(series: Float64Array, periods: number, scale: number): number | null {
  if (periods < MIN_PERIODS || series.length === 0) return null;
  const unit = unitFor(largestOf(series));
  let squares = 0;
  for (let i = 0; i < series.length; i++) squares += (Math.min(series[i]!, 0) / unit) ** 2;
  const result = ratio(mean(series), Math.sqrt(squares / series.length) * unit);
  return result === null ? null : result * scale;
}

/** Largest fall from a running peak of the curve that starts at 1 and compounds the returns (percent), in percent. */
export function compoundedFall(returns: Float64Array): number {
  let level = 1;
  let peak = 1;
  let fall = 0;
  for (let i = 0; i < returns.length; i++) {
    level *= 1 + returns[i]! / 100;
    if (level > peak) peak = level;
    fall = Math.max(fall, (1 - level / peak) * 100);
  }
  return fall;
}

/** The compounded return of the series (percent), in percent. */
export function compounded(returns: Float64Array): number {
  let level = 1;
  for (let i = 0; i < returns.length; i++) level *= 1 + returns[i]! / 100;
  return (level - 1) * 100;
}

/**
 * Adjustment coefficient of a walk that gains `b` with chance `p` and loses 1 otherwise: the root z > 0 of
 * p (exp(-z b) - 1) + (1 - p)(exp(z) - 1) = 0, for a walk that drifts upwards (Cramer-Lundberg; Feller, vol. 2, ch. XII).
 */
export function adjustmentCoefficient(p: number, b: number): number {
  let z = -Math.log1p(-p);
  // Convex and not below 0 at the start: Newton's steps fall towards the root from the right until rounding stops them.
  for (let i = 0; i < 200; i++) {
    const next =
      z - (p * Math.expm1(-z * b) + (1 - p) * Math.expm1(z)) / ((1 - p) * Math.exp(z) - p * b * Math.exp(-z * b));
    if (!(next < z && next > 0)) break;
    z = next;
  }
  return z;
}

/** Mean of parts by weight; a `null` part drops out with its weight; `null` where all do. */
export function weightedMean(parts: readonly (readonly [value: number | null, weight: number])[]): number | null {
  let sum = 0;
  let weights = 0;
  for (const [value, weight] of parts) {
    if (value === null || !Number.isFinite(value)) continue;
    sum += value * weight;
    weights += weight;
  }
  return ratio(sum, weights);
}

/** A defined value times a factor. */
export function scaled(value: number | null, factor: number): number | null {
  return value === null ? null : value * factor;
}
