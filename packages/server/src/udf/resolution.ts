import { SwapfoldError } from '@swapfold/core';
import { show } from '@swapfold/core/host';

/** What the library may ask for by itself; it makes weeks and months from days, because months of candles would not begin on firsts. */
export const multipliers = {
  seconds: ['1', '5', '15', '30'],
  minutes: ['1', '5', '15', '30', '60', '120', '240', '720'],
  days: ['1'],
} as const;

/** The resolutions that a user can choose. */
export const resolutions: readonly string[] = [
  ...multipliers.seconds.map((count) => `${count}S`),
  ...multipliers.minutes,
  '1D',
  '1W',
  '1M',
];

const units: Readonly<Record<string, number>> = { S: 1, '': 60, D: 86_400 };

/**
 * Seconds of a bar of a resolution: `5` is minutes, `15S` seconds, `D` and `1D` a day.
 *
 * - Errors: `invalid-request`, also for weeks and months, whose bars are no multiple of seconds from 1970.
 */
export function secondsOf(resolution: string): number {
  const [, count = '', unit = ''] = /^(\d{0,4})([SD]?)$/.exec(resolution) ?? [];
  const seconds = (count === '' && unit !== '' ? 1 : Number(count)) * units[unit]!;
  if (seconds > 0 && seconds <= MAX_SECONDS) return seconds;
  const message = `expected minutes such as "5", seconds such as "15S" or days such as "1D", received ${show(resolution)}`;
  throw new SwapfoldError('invalid-request', `"resolution": ${message}.`, {
    details: [{ path: 'resolution', message }],
  });
}

/** The bars of a chart. */
export interface Bars {
  /** The start of the bar that a second is in. */
  readonly startOf: (time: number) => number;
  /** Seconds of the longest. */
  readonly length: number;
}

const DAY = 86_400;
const WEEK = 7 * DAY;
/** The first Monday of 1970, from which candles of whole weeks count. */
const MONDAY = 4 * DAY;

/** The bars of a resolution, also of weeks, which begin on Mondays, and months. Errors: those of `secondsOf`. */
export function barsOf(resolution: string): Bars {
  if (/^1?M$/.test(resolution)) {
    const firstOf = (date: Date): number => Date.UTC(date.getUTCFullYear(), date.getUTCMonth()) / 1000;
    return { startOf: (time) => firstOf(new Date(time * 1000)), length: 31 * DAY };
  }
  const seconds = /^1?W$/.test(resolution) ? WEEK : secondsOf(resolution);
  const origin = seconds % WEEK === 0 ? MONDAY : 0;
  return { startOf: (time) => Math.floor((time - origin) / seconds) * seconds + origin, length: seconds };
}

/** The longest interval of a candle. */
const MAX_SECONDS = 2_592_000;
