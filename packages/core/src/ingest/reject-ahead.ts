import { formatTime } from '../time.ts';
import type { Reject } from './result.ts';
import { takeValid, type ValidSwaps } from './valid-swaps.ts';

/** Leaves out, and rejects, the swaps that are later than `latest`: a single one would move the windows of every profile. */
export function rejectAhead(validSwaps: ValidSwaps, latest: number, reject: (reject: Reject) => void): ValidSwaps {
  const { time } = validSwaps.keys;
  const taken: number[] = [];
  for (let row = 0; row < time.length; row++) {
    if (time[row]! <= latest) taken.push(row);
    else
      reject({
        row: validSwaps.rows[row]!,
        field: 'block_time',
        reason: `must be at most ${formatTime(latest)}, the time of now and what may be ahead of it, not ${formatTime(time[row]!)}`,
      });
  }
  return taken.length === time.length ? validSwaps : takeValid(validSwaps, taken);
}
