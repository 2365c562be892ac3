import { type Batch, takeRows } from '../records/columns.ts';
import type { swapsTable } from '../records/tables.ts';
import { type ChainKeys, takeKeys } from './chain-keys.ts';

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
