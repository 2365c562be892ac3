import { rfc3339Millis } from '@swapfold/core/host';
import { InvalidArgumentError } from 'commander';

/** Reads a whole number within bounds; `1_000_000` may be written so. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d[\d_]*$/.test(text) ? Number(text.replaceAll('_', '')) : Number.NaN;
    if (!(value >= least && value <= most))
      throw new InvalidArgumentError(`Give a whole number from ${least} to ${most}.`);
    return value;
  };
}

/** Reads a number above 0; fractions will do. */
export function positiveNumber(text: string): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!(value > 0)) throw new InvalidArgumentError('Give a number above 0.');
  return value;
}

/** Reads a number within bounds; fractions will do. */
export function numberBetween(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= least && value <= most)) throw new InvalidArgumentError(`Give a number from ${least} to ${most}.`);
    return value;
  };
}

const TIME =
  'Give a day such as 2024-01-05, which is its beginning in UTC, or an RFC 3339 time such as 2024-01-05T00:00:00Z';

/** Unix seconds of an RFC 3339 time, of a day, or of Unix seconds. */
export function parseAsOf(text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text);
  const millis = rfc3339Millis(dayAsTime(text));
  if (millis === undefined) throw new InvalidArgumentError(`${TIME}, or Unix seconds.`);
  return Math.floor(millis / 1000);
}

/** An RFC 3339 time as it is, and a day as the time of its beginning. */
export function parseTime(text: string): string {
  const time = dayAsTime(text);
  if (rfc3339Millis(time) === undefined) throw new InvalidArgumentError(`${TIME}.`);
  return time;
}

/** The beginning in UTC of what is a day; any other text as it is. */
export function dayAsTime(text: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text;
}
