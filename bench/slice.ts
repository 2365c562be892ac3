import type { SwapColumns } from '@swapfold/core';

/** Rows [from, to) of a batch. */
export function slice({ columns }: SwapColumns, from: number, to: number): SwapColumns {
  const cut = Object.entries(columns).map(([name, column]) => [
    name,
    'dictionary' in column ? { ...column, ids: column.ids.slice(from, to) } : column.slice(from, to),
  ]);
  return { length: to - from, columns: Object.fromEntries(cut) } as SwapColumns;
}
