import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compoundedFall } from '../src/bag/bag.ts';
import { compounded, deviation, mean, sharpe, sortino } from '../src/metrics/numbers.ts';

/*
 * Series and expectations of empyrical's own tests (Apache-2.0), to the 8 decimals that they promise:
 * https://github.com/quantopian/empyrical/blob/40f61b4f229df10898d46d08f7b1bdc543c0f99c/empyrical/tests/test_stats.py
 * A year has 252 days, 52 weeks, 12 months.
 */
const daily = Math.sqrt(252);
const weekly = Math.sqrt(52);
const monthly = Math.sqrt(12);

/** Returns in percent; `null` is a missing one. */
type Returns = readonly (number | null)[];

const empty: Returns = [];
const one: Returns = [1];
const benchmark: Returns = [0, 1, 0, 1, 0, 1, 0, 1, 0];
const positive: Returns = [1, 2, 1, 1, 1, 1, 1, 1, 1];
const negative: Returns = [0, -6, -7, -1, -9, -2, -6, -8, -5];
const allNegative: Returns = [-2, -6, -7, -1, -9, -2, -6, -8, -5];
const mixed: Returns = [null, 1, 10, -4, 2, 3, 2, 1, -10];
const flat: Returns = [1, 1, 1, 1, 1, 1, 1, 1, 1];
/** The weeks and the months of the source. */
const longer: Returns = [0, 1, 10, -4, 2, 3, 2, 1, -10];

/** The returns less a level, or less another series; what is missing in one of them is left out. */
function excess(returns: Returns, level: number | Returns): Float64Array {
  return Float64Array.from(
    returns.flatMap((value, i) => {
      const other = typeof level === 'number' ? level : level[i]!;
      return value === null || other === null ? [] : [value - other];
    }),
  );
}

/** `null` is where the source has NaN or an infinity: such a metric is undefined here. */
function assertPublished(actual: number | null, expected: number | null, what: string): void {
  if (expected === null) assert.equal(actual, null, what);
  else assert.ok(Math.abs(actual! - expected) < 0.5e-8, `${what}: ${actual}, not ${expected}`);
}

const sharpes: readonly (readonly [
  title: string,
  returns: Returns,
  free: number | Returns,
  expected: number | null,
])[] = [
  ['no returns', empty, 0, null],
  ['one return', one, 0, null],
  ['mixed returns over themselves', mixed, mixed, null],
  ['mixed returns', mixed, 0, 1.7238613961706866],
  ['mixed returns over the benchmark', mixed, benchmark, 0.34111411441060574],
  ['positive returns', positive, 0, 52.915026221291804],
  ['negative returns', negative, 0, -24.406808633910085],
  ['a flat line', flat, 0, null],
];
test('sharpe, annualised over 252 days, gives the published values', () => {
  for (const [title, returns, free, expected] of sharpes) {
    const series = excess(returns, free);
    assertPublished(sharpe(series, series.length, daily), expected, title);
  }
});

type Required = readonly [
  title: string,
  returns: Returns,
  required: number | Returns,
  scale: number,
  expected: number | null,
];
const sortinos: readonly Required[] = [
  ['no returns', empty, 0, daily, null],
  ['one return', one, 0, daily, null],
  ['mixed returns over themselves', mixed, mixed, daily, null],
  ['mixed returns', mixed, 0, daily, 2.605531251673693],
  ['mixed returns over a flat line', mixed, flat, daily, -1.3934779588919977],
  ['positive returns', positive, 0, daily, null],
  ['negative returns', negative, 0, daily, -13.5327430750434],
  ['the benchmark', benchmark, 0, daily, null],
  ['weekly returns', longer, 0, weekly, 1.115890105686644],
  ['monthly returns', longer, 0, monthly, 0.5360562674188976],
];
test('sortino, annualised, gives the published values', () => {
  for (const [title, returns, required, scale, expected] of sortinos) {
    const series = excess(returns, required);
    assertPublished(sortino(series, series.length, scale), expected, title);
  }
});

/** A required return of 10 % is 0.1 in the source. Of one return and of none, `sortino` has no value to take it from. */
const downsideRisks: readonly Required[] = [
  ['mixed returns over themselves', mixed, mixed, daily, 0],
  ['mixed returns', mixed, 0, daily, 0.6044832503882965],
  ['mixed returns over 10 %', mixed, 10, daily, 1.7161730681956295],
  ['weekly returns', longer, 0, weekly, 0.25888650451930134],
  ['weekly returns over 10 %', longer, 10, weekly, 0.7733045971672482],
  ['monthly returns', longer, 0, monthly, 0.1243650540411842],
  ['monthly returns over 10 %', longer, 10, monthly, 0.3714835124201342],
];
test('what sortino divides by is the published downside risk', () => {
  for (const [title, returns, required, scale, expected] of downsideRisks) {
    const series = excess(returns, required);
    const quotient = sortino(series, series.length, 1);
    const downside = quotient === null ? 0 : mean(series) / quotient;
    assertPublished((downside / 100) * scale, expected, title);
  }
});

const volatilities: readonly (readonly [title: string, returns: Returns, scale: number, expected: number])[] = [
  ['mixed returns', mixed, daily, 0.9136465399704637],
  ['weekly returns', longer, weekly, 0.38851569394870583],
  ['monthly returns', longer, monthly, 0.18663690238892558],
];
test('the deviation, annualised, is the published volatility', () => {
  for (const [title, returns, scale, expected] of volatilities)
    assertPublished((deviation(excess(returns, 0)) / 100) * scale, expected, title);
});

/**
 * Of series that only fall, the source takes the product of what each return left. It stood there as a figure once, the one of the
 * negative returns here: https://github.com/quantopian/empyrical/blob/0a9fa5848a3ed519be0f514df9e3a04fb7b37ad3/empyrical/tests/test_stats.py
 */
const NEGATIVE_WHOLE = -0.36590730349873601;
const ALL_NEGATIVE_WHOLE = 0.98 * 0.94 * 0.93 * 0.99 * 0.91 * 0.98 * 0.94 * 0.92 * 0.95 - 1;
const drawdowns: readonly (readonly [title: string, returns: Returns, expected: number])[] = [
  ['no returns, of which the source has none', empty, 0],
  ['one return', one, 0],
  ['the benchmark', benchmark, 0],
  ['mixed returns', mixed, -0.1],
  ['positive returns', positive, 0],
  ['negative returns', negative, NEGATIVE_WHOLE],
  ['nothing but negative returns', allNegative, ALL_NEGATIVE_WHOLE],
];
test('the largest fall is the published maximum drawdown, and 0 over nothing, where empyrical has none', () => {
  for (const [title, returns, expected] of drawdowns)
    assertPublished(-compoundedFall(excess(returns, 0)) / 100, expected, title);
});

test('returns that only fall compound to the published whole', () => {
  assertPublished(compounded(excess(negative, 0)) / 100, NEGATIVE_WHOLE, 'negative returns');
  assertPublished(compounded(excess(allNegative, 0)) / 100, ALL_NEGATIVE_WHOLE, 'nothing but negative returns');
});
