const written =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?: ?(Z|z|UTC)|([+-])(\d{2})(?::?(\d{2}))?)?$/;

/** From here on a number is milliseconds, not seconds. As seconds it is the year 5138, as milliseconds 1973. */
const LEAST_MILLIS = 1e11;
/** From here on a number is microseconds. */
const LEAST_MICROS = 1e14;

/** Unix seconds of a time in seconds, milliseconds or microseconds; `NaN` of none. */
export function secondsOf(time: number): number {
  return Math.floor(time < LEAST_MILLIS ? time : time < LEAST_MICROS ? time / 1e3 : time / 1e6);
}

/**
 * Reads the times of a column that are texts.
 *
 * - Forms: RFC 3339 and what databases write: a space for the `T`, a zone such as ` UTC`, `+00:00`, `+00` or `+0000`, or none.
 * - A time without a zone is UTC, never local time: `isZoneless` then says that one was read.
 */
export class TimeTexts {
  isZoneless = false;
  private last = '';
  private lastSeconds = Number.NaN;

  /** Unix seconds, rounded down; `NaN` if the text is no time (2023-02-30 is none). */
  secondsOf(text: string): number {
    if (text !== this.last) {
      this.last = text;
      this.lastSeconds = this.parse(text);
    }
    return this.lastSeconds;
  }

  private parse(text: string): number {
    const match = written.exec(text);
    if (match === null) return Number.NaN;
    const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    const [, , , , , , , name, sign, hours, minutes] = match;
    if (hour > 23 || minute > 59 || second > 59 || month < 1 || month > 12 || year < 1000) return Number.NaN;
    if (day < 1 || day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return Number.NaN;
    if (name === undefined && sign === undefined) this.isZoneless = true;
    if (Number(hours ?? 0) > 23 || Number(minutes ?? 0) > 59) return Number.NaN;
    const ahead = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60;
    return Date.UTC(year, month - 1, day, hour, minute, second) / 1000 - (sign === '-' ? -ahead : ahead);
  }
}

/** The number a text stands for in decimal notation, spaces around it aside; `NaN` if it is none. "0x10", "Infinity" and "1,000" are none. */
export function parseNumber(text: string): number {
  const trimmed = text.trim();
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(trimmed) ? Number(trimmed) : Number.NaN;
}
