import type { Fault } from '../faults.ts';
import { formatTime } from '../time.ts';

/** The fault of a range that ends before it begins. Unix seconds, fractions allowed. */
export function orderFault(from: number, to: number | undefined): Fault | undefined {
  if (to === undefined || from <= to) return undefined;
  const [later, earlier] = [formatTime(Math.floor(from)), formatTime(Math.floor(to))];
  const message = `"from" (${later}) is after "to" (${earlier}); swap them.`;
  return { code: 'invalid-range', path: 'from', message };
}
