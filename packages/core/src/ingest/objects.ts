import { isTextField, type SwapFieldName, swapFieldNames } from '../records/swap-fields.ts';
import { isTime } from '../time.ts';
import { yielder } from '../yielder.ts';
import type { GivenSwap, SwapColumns } from './columns.ts';

/** Stands for a text field that held something else: no address, hash or symbol contains it, so the row is rejected. */
const WRONG_TEXT = '\u0000';

/**
 * Swap objects as a column batch. A value of the wrong type becomes one that the checks reject. Other work of the process has its turn
 * meanwhile.
 */
export async function objectsToColumns(swaps: readonly GivenSwap[]): Promise<SwapColumns> {
  const rows = swaps.slice();
  const pause = yielder();
  const columns: Record<string, (string | null)[] | Float64Array> = {};
  for (const name of swapFieldNames) {
    columns[name] = isTextField(name) ? texts(rows, name) : numbers(rows, name);
    await pause.yieldIfDue();
  }
  return { length: rows.length, columns } as unknown as SwapColumns;
}

function texts(swaps: readonly GivenSwap[], name: SwapFieldName): (string | null)[] {
  return swaps.map((swap) => {
    const value: unknown = swap?.[name];
    return typeof value === 'string' ? value : value === null || value === undefined ? null : WRONG_TEXT;
  });
}

function numbers(swaps: readonly GivenSwap[], name: SwapFieldName): Float64Array {
  return Float64Array.from(swaps, (swap) => {
    const value: unknown = swap?.[name];
    if (value === null || value === undefined) return Number.NaN;
    if (name === 'block_time' && isTime(value)) return Math.floor(value.getTime() / 1000);
    return typeof value === 'number' && !Number.isNaN(value) ? value : Number.POSITIVE_INFINITY;
  });
}
