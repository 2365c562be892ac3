import { type Batch, takeRows } from '../records/columns.ts';
import type { swapsTable } from '../records/tables.ts';
import { formatTime } from '../time.ts';
import { type ChainKeys, takeKeys } from './chain-keys.ts';
import type { Reject } from './result.ts';

/**
 * Swaps that passed the checks, in the shape of the swaps table. Text ids are local: places in `texts`.
 *
 * - `seq` and `tx` of the swaps are not set yet; `keys` say where each belongs in chain order.
 * - `rows` says which input row each came from.
 */
export interface ValidSwaps {
  readonly swaps: Batch<typeof swapsTable>;
  readonly keys: ChainKeys;
  readonly rows: Float64Array;
  readonly texts: readonly string[];
}

/** Those of the valid swaps at `rows`. */
export function takeValid({ swaps, keys, rows: inputRows, texts }: ValidSwaps, rows: ArrayLike<number>): ValidSwaps {
  const inputs = Float64Array.from(rows, (row) => inputRows[row]!);
  return { swaps: takeRows(swaps, rows), keys: takeKeys(keys, rows), rows: inputs, texts };
}

/** Leaves out, and rejects, the swaps that are later than `latest`: a single one would move the windows of every profile. */
export function rejectAhead(validSwaps: ValidSwaps, latest: number, reject: (reject: Reject) => void): ValidSwaps {
  return rejectTimes(validSwaps, reject, (time) =>
    time <= latest
      ? undefined
      : `must be at most ${formatTime(latest)}, the time of now and what may be ahead of it, not ${formatTime(time)}`,
  );
}

/** Leaves out, and rejects, swaps by their time. `reasonOf`: why one of a time is rejected, if it is. */
export function rejectTimes(
  validSwaps: ValidSwaps,
  reject: (reject: Reject) => void,
  reasonOf: (time: number) => string | undefined,
): ValidSwaps {
  const { time } = validSwaps.keys;
  const taken: number[] = [];
  for (let row = 0; row < time.length; row++) {
    const reason = reasonOf(time[row]!);
    if (reason === undefined) taken.push(row);
    else reject({ row: validSwaps.rows[row]!, field: 'block_time', reason });
  }
  return taken.length === time.length ? validSwaps : takeValid(validSwaps, taken);
}
