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

/** The compounded return of the series (percent), in percent. */
export function compounded(returns: Float64Array): number {
  let level = 1;
  for (let i = 0; i < returns.length; i++) level *= Math.max(0, 1 + returns[i]! / 100);
  return (level - 1) * 100;
}

/** The normal distribution holds 95 % between -z and z. */
const Z_95 = 1.959963984540054;

/**
 * Lower bound of the 95 % interval of a share of `count` that `hits` of them have, percent: Wilson (1927). Exactly 0 without a hit, `null`
 * over nothing.
 */
export function wilsonLow(hits: number, count: number): number | null {
  if (count === 0) return null;
  return hits === 0 ? 0 : wilson(hits, count, -1);
}

/** The upper bound to `wilsonLow`: exactly 100 where all are hits. */
export function wilsonHigh(hits: number, count: number): number | null {
  if (count === 0) return null;
  return hits === count ? 100 : wilson(hits, count, 1);
}

function wilson(hits: number, count: number, side: -1 | 1): number {
  const share = hits / count;
  const z2 = Z_95 * Z_95;
  const half = Z_95 * Math.sqrt((share * (1 - share) + z2 / (4 * count)) / count);
  return ((share + z2 / (2 * count) + side * half) / (1 + z2 / count)) * 100;
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
