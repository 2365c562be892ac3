import { MAX_TIME, rfc3339Millis, show } from '@swapfold/core/host';

/** Microseconds since 1970, a whole number: a double holds them for every time that a store takes. */
export interface Instant {
  readonly micros: number;
  /** Microseconds of the unit that the time was given in. */
  readonly unit: number;
}

const MICROS = 1e6;
/** As seconds the year 5138, as milliseconds 1973; and so on for the next. */
const LEAST_MILLIS = 1e11;
const LEAST_MICROS = 1e14;

/** A number of seconds, milliseconds (from 1e11 on) or microseconds (from 1e14 on); `undefined` if it is no time that a store takes. */
export function instantOf(time: number): Instant | undefined {
  if (!(time >= 0)) return undefined;
  const unit = time < LEAST_MILLIS ? MICROS : time < LEAST_MICROS ? 1000 : 1;
  const micros = Math.ceil(time * unit);
  return micros <= MAX_TIME * MICROS ? { micros, unit } : undefined;
}

/** The first whole second at or after. */
export function secondFrom(micros: number): number {
  const rest = micros % MICROS;
  return (micros - rest) / MICROS + (rest > 0 ? 1 : 0);
}

/**
 * The first whole second at or after a written time.
 *
 * - Forms: a number as `instantOf` takes it, RFC 3339, and what databases write: a space for the `T`, ` UTC`, `+00` or nothing for the zone.
 * - A time without a zone is UTC.
 * - A text that is no time: `undefined`.
 */
export function secondOfText(text: string): number | undefined {
  if (/^\d+(?:\.\d+)?$/.test(text)) {
    const instant = instantOf(Number(text));
    return instant && secondFrom(instant.micros);
  }
  const [, written, fraction, zone] = /^(\S+[Tt ]\d\d:\d\d:\d\d)(\.\d+)?\s?(\S*)$/.exec(text) ?? [];
  if (written === undefined) return undefined;
  const millis = rfc3339Millis(written + zoneOf(zone!));
  if (millis === undefined || millis < 0) return undefined;
  return millis / 1000 + (/[1-9]/.test(fraction ?? '') ? 1 : 0);
}

/** A zone as RFC 3339 writes it. */
function zoneOf(zone: string): string {
  if (zone === '' || zone.toUpperCase() === 'UTC') return 'Z';
  const [, hours, minutes = '00'] = /^([+-]\d\d)(?::?(\d\d))?$/.exec(zone) ?? [];
  return hours === undefined ? zone : `${hours}:${minutes}`;
}

/** Why a time of a file is none. */
export function noTime(received: unknown): string {
  return `expected Unix seconds, milliseconds, microseconds or an RFC 3339 time, received ${show(received)}`;
}
