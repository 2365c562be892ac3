import type { Field, Fields, Fits } from './fields.ts';

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const WRITTEN = /^[1-9]\d{3}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?: ?(?:Z|z|UTC)|[+-]\d{2}:?\d{2})?$/;
const IDENTIFIER = /^[!-~]{1,128}$/;

/** The times that blocks have, Unix seconds: 2009-01-03, before which there was no chain, to 2100. */
const [FIRST_BLOCK, LAST_BLOCK] = [1_230_940_800, 4_102_444_800];

/** Amounts above it are rejected. */
const MOST = 1e200;

/** Checks columns by the first rows of a file. `valuesOf`: their values of a column. */
export function fitsOf(fields: Fields, valuesOf: (column: string) => readonly unknown[]): Fits {
  return (column, name) => {
    const field = fields[name];
    return field === undefined || valuesOf(column).every((value) => isFitting(value, field));
  };
}

/** Stricter than an import: a hint that is missing costs less than a wrong one. */
function isFitting(value: unknown, { kind, isNeeded, isWhole = false }: Field): boolean {
  if (value === undefined || value === null || value === '' || value === '<nil>' || value === '\\N') return !isNeeded;
  if (typeof value === 'boolean') return kind === 'boolean';
  if (kind === 'list') return typeof value === 'string' || Array.isArray(value);
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  const text = String(value);
  const number = NUMBER.test(text) ? Number(text) : Number.NaN;
  switch (kind) {
    case 'number':
      return isWhole ? Number.isSafeInteger(number) && number >= 0 : number >= 0 && number <= MOST;
    case 'boolean':
      return /^(?:true|false|[01])$/i.test(text);
    case 'instant':
    case 'time':
      return isBlockTime(Number.isNaN(number) ? writtenTime(text) : inSeconds(number));
    case 'hex':
      return Number.isNaN(number) && typeof value === 'string' && IDENTIFIER.test(text);
    case 'text':
      return typeof value === 'string' && text.length <= 256;
  }
}

const isBlockTime = (seconds: number): boolean => seconds >= FIRST_BLOCK && seconds <= LAST_BLOCK;

/** Of milliseconds, and of microseconds. */
function inSeconds(number: number): number {
  if (number < 1e11) return number;
  return number < 1e14 ? number / 1e3 : number / 1e6;
}

/** `NaN` of what is no time. A day that its month does not have is none. */
function writtenTime(text: string): number {
  if (!WRITTEN.test(text)) return Number.NaN;
  const seconds = Date.parse(`${text.slice(0, 10)}T${text.slice(11, 19)}Z`) / 1000;
  return Number.isNaN(seconds) || !new Date(seconds * 1000).toISOString().startsWith(text.slice(0, 10))
    ? Number.NaN
    : seconds;
}
