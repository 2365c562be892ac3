import type { Config } from '../config.ts';
import { checkSwaps } from './batch-validator.ts';
import type { SwapColumns } from './columns.ts';
import type { Reject } from './result.ts';

/**
 * Checks a column batch as `ingest` does, without a store.
 *
 * - Returns how many rows could be stored. Whether a swap is stored already only a store can say.
 * - `config`: a complete configuration (`parseConfig`), for its address format.
 * - `onReject`: takes the rows that could not, in order; `row` counts from 0.
 * - Errors: `invalid-input` for a column that is missing, unknown or of another length.
 */
export async function inspectSwaps(
  batch: SwapColumns,
  config: Config,
  onReject: (reject: Reject) => void = () => undefined,
): Promise<number> {
  const { swaps } = await checkSwaps(batch, config, 0, onReject);
  return swaps.length;
}
