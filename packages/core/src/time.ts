import { SwapfoldError } from './errors.ts';
import { show } from './nearest.ts';

/** Window lengths in seconds, by wire name. A window of length w is the half-open interval (A - w, A]. */
export const windowSeconds = {
  '1m': 60,
  '5m': 300,
  '1h': 3600,
  '6h': 21_600,
  '12h': 43_200,
  '1d': 86_400,
  '3d': 259_200,
  '7d': 604_800,
  '14d': 1_209_600,
  '30d': 2_592_000,
} as const;

const WEEK = 604_800;
/** The first Monday of 1970. */
const MONDAY = 345_600;

/** The start of the bucket of so many seconds that a time is in: buckets begin in 1970, whole weeks on its first Monday. Before that Monday it may be negative. */
export function bucketStart(time: number, interval: number): number {
  const origin = interval % WEEK === 0 ? MONDAY : 0;
  return Math.floor((time - origin) / interval) * interval + origin;
}

/** The least start of a bucket that is not before a time. */
export function bucketEnd(time: number, interval: number): number {
  const start = bucketStart(time, interval);
  return start === time ? time : start + interval;
}

/** The greatest Unix second a store accepts (year 2242): chain order packs time and rank into one exact double. */
export const MAX_TIME = 2 ** 33 - 1;

const rfc3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

/** Milliseconds since 1970 of an RFC 3339 time, or `undefined` where the text is none (2023-02-30 is none). */
export function rfc3339Millis(text: string): number | undefined {
  const match = rfc3339.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  if (hour > 23 || minute > 59 || second > 59 || month < 1 || month > 12) return undefined;
  if (day < 1 || day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return undefined;
  const millis = Date.parse(text.replace(' ', 'T').toUpperCase());
  return Number.isNaN(millis) ? undefined : millis;
}

/** A time as an embedder gives it: RFC 3339, Unix seconds, or a `Date`, of which the whole second counts. */
export type TimeInput = string | number | Date;

/** Whether the value is a `Date` that is a time. */
export function isTime(value: unknown): value is Date {
  return value instanceof Date && !Number.isNaN(value.getTime());
}

/** The value with the `Date`s of an object's own fields as RFC 3339 texts, which is how JSON carries them. */
export function datesAsText(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const dates = Object.entries(value).filter(([, held]) => isTime(held));
  if (dates.length === 0) return value;
  return { ...value, ...Object.fromEntries(dates.map(([name, date]) => [name, (date as Date).toISOString()])) };
}

/** Unix seconds (floored) of an RFC 3339 text, as an error of `field` if it is none. */
export function parseTime(text: string, field: string): number {
  const millis = rfc3339Millis(text);
  if (millis === undefined) {
    throw new SwapfoldError(
      'invalid-range',
      `"${field}" must be an RFC 3339 time such as "2024-01-05T00:00:00Z", not ${show(text)}.`,
      {
        details: [{ path: field, message: `expected an RFC 3339 time, received ${show(text)}` }],
      },
    );
  }
  return Math.floor(millis / 1000);
}

/** RFC 3339, UTC, whole seconds, `Z`. */
export function formatTime(seconds: number): string {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime()))
    throw new SwapfoldError('store-damaged', `The store holds a time that is none: ${seconds} seconds.`);
  return date.toISOString().replace('.000Z', 'Z');
}

/** Unix seconds of the machine's clock. */
export function wallClock(): number {
  return Math.floor(Date.now() / 1000);
}

/** Unix seconds of a time as an embedder gives it. Errors: `invalid-range` of `field` if it is none. */
export function parseInstant(given: TimeInput, field: string): number {
  if (isTime(given)) return parseInstant(Math.floor(given.getTime() / 1000), field);
  if (typeof given === 'string') return parseTime(given, field);
  if (typeof given === 'number' && Number.isInteger(given) && given >= 0 && given <= MAX_TIME) return given;
  throw new SwapfoldError(
    'invalid-range',
    `"${field}" must be whole Unix seconds, an RFC 3339 time or a Date, not ${show(given)}.`,
  );
}
