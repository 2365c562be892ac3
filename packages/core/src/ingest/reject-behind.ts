import { behindReason } from './carried.ts';
import type { Reject } from './result.ts';
import { takeValid, type ValidSwaps } from './valid-swaps.ts';

/** Leaves out, and rejects, the swaps before the horizon: nobody can say what they would change. */
export function rejectBehind(validSwaps: ValidSwaps, horizon: number, reject: (reject: Reject) => void): ValidSwaps {
  const { time } = validSwaps.keys;
  const taken: number[] = [];
  for (let row = 0; row < time.length; row++) {
    if (time[row]! >= horizon) taken.push(row);
    else reject({ row: validSwaps.rows[row]!, field: 'block_time', reason: behindReason(time[row]!, horizon) });
  }
  return taken.length === time.length ? validSwaps : takeValid(validSwaps, taken);
}
