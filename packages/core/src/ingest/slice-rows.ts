import type { Swaps } from '../ledger/value.ts';

/** A view of rows: writes go through to the whole. */
export function sliceRows(swaps: Swaps, from: number, to: number): Swaps {
  if (from === 0 && to === swaps.length) return swaps;
  const columns = Object.fromEntries(
    Object.entries(swaps.columns).map(([name, column]) => [name, column.subarray(from, to)]),
  );
  return { length: to - from, columns } as unknown as Swaps;
}
