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

/** Unix seconds of an RFC 3339 time or of Unix seconds. */
export function parseAsOf(text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text);
  const millis = rfc3339Millis(text);
  if (millis === undefined)
    throw new InvalidArgumentError('Give an RFC 3339 time such as 2024-01-05T00:00:00Z, or Unix seconds.');
  return Math.floor(millis / 1000);
}
