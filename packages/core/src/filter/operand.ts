import { show } from '../nearest.ts';
import type { FieldType } from '../profiles/fields.ts';
import { isTime, rfc3339Millis } from '../time.ts';

/** A value of a filter as a column holds it. A time between two seconds is the earlier one plus a half. */
export type Value = number | string | null;

/** What a field of each type takes, as a message says it. */
export const expected: Record<FieldType, string> = {
  number: 'a finite number',
  text: 'a text (without NUL and lone surrogates)',
  date: 'an RFC 3339 time such as "2024-01-05T00:00:00Z"',
  boolean: 'true or false',
  labels: 'a label (a text without NUL and lone surrogates)',
};

/** The value that `given` stands for, or `undefined` where a field of `type` cannot hold it. */
export function readValue(type: FieldType, given: unknown): Exclude<Value, null> | undefined {
  switch (type) {
    case 'number':
      return typeof given === 'number' && Number.isFinite(given) ? given : undefined;
    case 'text':
    case 'labels':
      return isText(given) ? given : undefined;
    case 'date':
      if (isTime(given)) return readInstant(given.toISOString());
      return typeof given === 'string' ? readInstant(given) : undefined;
    case 'boolean':
      return typeof given === 'boolean' ? Number(given) : undefined;
  }
}

/** Text that every engine can store and compare. */
export function isText(given: unknown): given is string {
  return typeof given === 'string' && !/[\0\p{Surrogate}]/u.test(given);
}

/** A received value for a message; structures are not spelled out, because they can be of any size and depth. */
export function showOperand(given: unknown): string {
  if (Array.isArray(given)) return `an array of ${given.length}`;
  if (given instanceof Date && !isTime(given)) return show(given);
  if (typeof given === 'object' && given !== null) return 'an object';
  if (typeof given === 'number') return String(given);
  if (typeof given === 'bigint') return `${given}n`;
  return show(typeof given === 'string' ? given.slice(0, 100) : given);
}

function readInstant(text: string): number | undefined {
  if (text.length > 64 || rfc3339Millis(text) === undefined) return undefined;
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? '';
  const seconds = rfc3339Millis(text.replace(/\.\d+/, ''))! / 1000;
  return /[1-9]/.test(fraction) ? seconds + 0.5 : seconds;
}
