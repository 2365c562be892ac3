// @ts-check
/** @import { KindName, Profile, Request, Window } from '../types/page.ts' */
import { useAnswer } from './answers.js';

/** @type {Readonly<Record<string, readonly [word: string, seconds: number]>>} */
const lengths = { d: ['day', 86_400], h: ['hour', 3600], m: ['minute', 60] };

/** @type {(window: string) => readonly [count: number, word: string, seconds: number]} */
const partsOf = (window) => [Number(window.slice(0, -1)), ...(lengths[window.slice(-1)] ?? ['', Number.NaN])];

/**
 * Seconds of a window: `7d` has 604,800.
 * @param {string} window
 */
export function secondsOf(window) {
  const [number, , seconds] = partsOf(window);
  return number * seconds;
}

/**
 * "30 days", "5 minutes".
 * @param {string} window
 */
export function windowWords(window) {
  const [number, unit] = partsOf(window);
  return number === 1 ? unit : `${number} ${unit}s`;
}

/**
 * About thirty points of a window, as its periods are cut.
 * @type {Record<Window, number>}
 */
const steps = {
  '30d': 86_400,
  '14d': 43_200,
  '7d': 21_600,
  '3d': 10_800,
  '1d': 3600,
  '6h': 900,
  '1h': 120,
  '5m': 10,
  '1m': 2,
};
/** @param {Window} window */
export const stepOf = (window) => steps[window] ?? Math.ceil(secondsOf(window) / 30);

/**
 * The end of the windows of a stored profile, Unix seconds, which the explanation of any of its metrics says; `undefined` until it is known.
 * `profile` is what there is of the profile: nothing is asked before.
 * @param {KindName} kindName
 * @param {object} id
 * @param {Window} window
 * @param {Partial<Pick<Profile, 'updated_at' | 'synced_at'>> | undefined} profile
 */
export function useInstant(kindName, id, window, profile) {
  // Of each kind the id has what its operation takes.
  const body = /** @type {Request<`${KindName}.explain`> | undefined} */ (
    profile && { ...id, metric: 'trade_count', window, limit: 1 }
  );
  const { answer, error } = useAnswer(`${kindName}.explain`, body, { isFixed: true, version: profile?.synced_at });
  if (answer !== undefined) return Date.parse(answer.as_of) / 1000;
  return error !== undefined && profile?.updated_at ? Date.parse(profile.updated_at) / 1000 : undefined;
}

/**
 * Where the candle of a time starts: those of whole weeks on Mondays, of which the first is four days after the beginning of 1970.
 * @param {number} time
 * @param {number} interval
 */
export function bucketStart(time, interval) {
  const origin = interval % 604_800 === 0 ? 345_600 : 0;
  return Math.floor((time - origin) / interval) * interval + origin;
}

/** @param {number} seconds */
const at = (seconds) => new Date(seconds * 1000).toISOString();

/**
 * The range of a window that ends at an instant, in steps.
 * @param {Window} window
 * @param {number} instant
 */
export const rangeOf = (window, instant) => {
  const interval = stepOf(window);
  const count = Math.max(1, Math.round(secondsOf(window) / interval));
  return { interval, from: at(instant - (count - 1) * interval), to: at(instant) };
};

/**
 * The range whose one point is the window before.
 * @param {Window} window
 * @param {number} instant
 */
export const rangeBefore = (window, instant) => {
  const interval = secondsOf(window);
  return { interval, from: at(instant - interval), to: at(instant - interval) };
};

/**
 * @param {number} days
 * @param {number} instant
 */
export const lastDays = (days, instant) => ({
  interval: 86_400,
  from: at(instant - (days - 1) * 86_400),
  to: at(instant),
});
