import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adjustmentCoefficient, compoundedFall } from '../src/bag/bag.ts';
import {
  compounded,
  deviation,
  percent,
  ratio,
  sharpe,
  sortino,
  stability,
  volatility,
  weightedMean,
} from '../src/metrics/numbers.ts';

const of = (...values: number[]): Float64Array => Float64Array.from(values);

function assertClose(actual: number | null, expected: number | null, what: string): void {
  if (expected === null) assert.equal(actual, null, what);
  else assert.ok(Math.abs(actual! - expected) <= 1e-14 * Math.abs(expected), `${what}: ${actual}, not ${expected}`);
}

test('ratio and percent are null over 0, and 0 over something is 0', () => {
  assert.equal(ratio(0, 0), null);
  assert.equal(ratio(5, 0), null);
  assert.equal(ratio(0, 5), 0);
  assert.equal(percent(1, 8), 12.5);
  assert.equal(percent(1, 0), null);
});

/** Series with their sample deviation, worked by hand. */
const deviations: readonly (readonly [title: string, series: Float64Array, expected: number])[] = [
  ['2 4 4 4 5 5 7 9: squares 32, over 7, not 8', of(2, 4, 4, 4, 5, 5, 7, 9), Math.sqrt(32 / 7)],
  ['two values: the difference over the root of 2', of(1, 4), 3 / Math.SQRT2],
  ['a constant series', of(3, 3, 3), 0],
  ['nothing but zeros', of(0, 0, 0, 0), 0],
  ['a sum of tenths that differs in its last bit is constant', of(0.1 + 0.2, 0.3, 0.3), 0],
  ['a constant series with a spread of 1e-13 of its level', of(1e6, 1e6 + 1e-7, 1e6 - 1e-7), 0],
  ['a spread of 1e-11 of the level is a spread', of(1, 1 + 2 ** -36, 1 - 2 ** -36), 2 ** -36],
  ['idle periods count', of(0, 0, 0, 4), 2],
  ['prices of a fraction of a femtodollar', of(1e-15, 3e-15, 5e-15), 2e-15],
  ['values whose squares overflow', of(1e200, 3e200, 5e200), 2e200],
  ['values whose squares vanish', of(1e-200, 3e-200, 5e-200), 2e-200],
];
for (const [title, series, expected] of deviations) {
  test(`deviation: ${title}`, () => assertClose(deviation(series), expected, title));
}

test('deviation: under two values there is none', () => {
  assert.ok(Number.isNaN(deviation(of())));
  assert.ok(Number.isNaN(deviation(of(1))));
});

test('a series with fewer than 3 periods that hold something has no volatility, stability, sharpe or sortino', () => {
  const series = of(1, -2, 3, 0, 0);
  for (const periods of [0, 1, 2]) {
    assert.equal(volatility(series, periods), null);
    assert.equal(stability(series, periods), null);
    assert.equal(sharpe(series, periods, 1), null);
    assert.equal(sortino(series, periods, 1), null);
  }
  for (const value of [volatility(series, 3), stability(series, 3), sharpe(series, 3, 1), sortino(series, 3, 1)])
    assert.equal(typeof value, 'number');
});

test('stability is |mean| / (|mean| + volatility): 1 for a constant series, null where both are 0, blind to the sign', () => {
  assert.equal(stability(of(5, 5, 5), 3), 1);
  assert.equal(stability(of(-5, -5, -5), 3), 1);
  assert.equal(stability(of(0, 0, 0), 3), null);
  assert.equal(stability(of(-1, 0, 1), 3), 0);
  assertClose(stability(of(1, 2, 3), 3), 2 / 3, 'mean 2, deviation 1');
  assertClose(stability(of(-1, -2, -3), 3), 2 / 3, 'mean -2, deviation 1');
});

test('sharpe is mean over the sample deviation, times the scale; null for a constant series', () => {
  assertClose(sharpe(of(1, 2, 3), 3, 10), 20, 'mean 2, deviation 1');
  assertClose(sharpe(of(-1, -2, -3), 3, 10), -20, 'mean -2, deviation 1');
  assert.equal(sharpe(of(2, 2, 2), 3, 10), null);
  assert.equal(sharpe(of(0.1 + 0.2, 0.3, 0.3), 3, 10), null);
});

test('sortino divides by the falls over all periods, not over the negative ones; null without a fall', () => {
  // Falls 3 and 4 among 4 periods: root of 25 / 4; over the two of them it would be the root of 25 / 2.
  assertClose(sortino(of(-3, -4, 5, 6), 4, 1), 1 / 2.5, 'mean 1, downside 2.5');
  assertClose(sortino(of(-3e200, -4e200, 5e200, 6e200), 4, 1), 1 / 2.5, 'the same, where squares overflow');
  assertClose(sortino(of(-3e-200, -4e-200, 5e-200, 6e-200), 4, 1), 1 / 2.5, 'the same, where squares vanish');
  assert.equal(sortino(of(1, 2, 3), 3, 1), null);
  assert.equal(sortino(of(0, 0, 0), 3, 1), null);
});

test('the curve starts at 1, so that a first fall counts, and a fall to nothing is 100 %', () => {
  assert.equal(compoundedFall(of()), 0);
  assert.equal(compoundedFall(of(10, 0, 20)), 0);
  assert.equal(compoundedFall(of(-25, 10)), 25);
  assert.equal(compoundedFall(of(100, -50, 100, -25)), 50);
  assert.equal(compoundedFall(of(50, -100, 300)), 100);
});

test('returns compound in percent', () => {
  assert.equal(compounded(of()), 0);
  assert.equal(compounded(of(100, -50)), 0);
  assert.equal(compounded(of(50, 50)), 125);
  assert.equal(compounded(of(-100, 900)), -100);
});

test('a weighted mean leaves out what is undefined, with its weight', () => {
  assert.equal(
    weightedMean([
      [1, 1],
      [4, 2],
    ]),
    3,
  );
  assert.equal(
    weightedMean([
      [null, 1],
      [4, 2],
    ]),
    4,
  );
  assert.equal(
    weightedMean([
      [Number.NaN, 1],
      [Number.POSITIVE_INFINITY, 1],
      [4, 2],
    ]),
    4,
  );
  assert.equal(weightedMean([[null, 1]]), null);
  assert.equal(weightedMean([]), null);
});

/** Closed forms of the root: with x = exp(z), or exp(z / 2), the equation is a quadratic. */
const closedForms: readonly (readonly [b: number, root: (p: number, q: number) => number])[] = [
  [1, (p, q) => Math.log(p / q)],
  [2, (p, q) => Math.log((p + Math.sqrt(p * p + 4 * p * q)) / (2 * q))],
  [0.5, (p, q) => 2 * Math.log((Math.sqrt(q * q + 4 * p * q) - q) / (2 * q))],
];
for (const [b, root] of closedForms) {
  test(`the adjustment coefficient at b = ${b} is its closed form`, () => {
    for (let i = 1; i < 400; i++) {
      const p = i / 400;
      // Towards no drift both sides lose digits: the closed forms above all.
      if (p * b <= (1 - p) * 1.01) continue;
      const expected = root(p, 1 - p);
      const actual = adjustmentCoefficient(p, b);
      assert.ok(Math.abs(actual - expected) <= 1e-12 * expected, `p ${p}: ${actual}, not ${expected}`);
    }
  });
}

test('the adjustment coefficient is the root in 60-digit arithmetic, for odds and sizes of any extreme', (t) => {
  const chances = [1e-6, 0.001, 0.05, 0.2, 1 / 3, 0.45, 0.5, 0.6, 5 / 6, 0.95, 0.999, 1 - 1e-6, 1 - 1e-12];
  const drifts = [1 + 1e-9, 1 + 1e-6, 1.001, 1.1, 2, 10, 1e3, 1e6, 1e9];
  let worst = 0;
  for (const p of chances) {
    for (const drift of drifts) {
      const b = (drift * (1 - p)) / p;
      const expected = rootInDecimals(p, b);
      const actual = adjustmentCoefficient(p, b);
      // What p and b as doubles leave open where gains and losses nearly cancel.
      const conditioning = (p * b + (1 - p)) / Math.abs(p * b - (1 - p));
      const error = Math.abs(actual - expected) / expected / conditioning;
      worst = Math.max(worst, error);
      assert.ok(error <= 4e-15, `p ${p}, b ${b}: ${actual}, not ${expected}`);
    }
  }
  t.diagnostic(`largest error ${worst.toExponential(1)} of the root, times what the drift loses`);
});

const DIGITS = 10n ** 60n;

/** A double as a whole number of 1e-60ths, exact where it has no smaller bits. */
function decimal(value: number): bigint {
  const exponent = Math.max(-1074, Math.floor(Math.log2(Math.abs(value) || 1)) - 52);
  const mantissa = BigInt(value / 2 ** exponent);
  return exponent >= 0 ? mantissa * 2n ** BigInt(exponent) * DIGITS : (mantissa * DIGITS) / 2n ** BigInt(-exponent);
}

/** exp(-x) for x >= 0: the series at x / 2^k, squared k times. */
function expMinus(x: bigint): bigint {
  if (x > 200n * DIGITS) return 0n;
  const halvings = 24n;
  const small = x >> halvings;
  let term = DIGITS;
  let sum = DIGITS;
  for (let n = 1n; term !== 0n; n++) {
    term = (-term * small) / DIGITS / n;
    sum += term;
  }
  for (let i = 0n; i < halvings; i++) sum = (sum * sum) / DIGITS;
  return sum;
}

/** The root by bisection: the function is below 0 between 0 and the root, and above it beyond. */
function rootInDecimals(p: number, b: number): number {
  const [chance, size] = [decimal(p), decimal(b)];
  const other = DIGITS - chance;
  const isBeyond = (z: bigint): boolean => {
    const fall = expMinus((z * size) / DIGITS);
    const rise = (DIGITS * DIGITS) / expMinus(z);
    return (chance * (fall - DIGITS) + other * (rise - DIGITS)) / DIGITS > 0n;
  };
  let low = 0n;
  let high = 60n * DIGITS;
  for (let i = 0; i < 190 && high - low > 1n; i++) {
    const middle = (low + high) / 2n;
    if (isBeyond(middle)) high = middle;
    else low = middle;
  }
  return Number(high) / Number(DIGITS);
}
