import type { SwapColumns } from '@swapfold/core';

/** A swap as it is stored, one row. */
export interface SwapRow {
  readonly protocol: string;
  readonly wallet: string;
  readonly token_in: string;
  readonly token_out: string;
  readonly token_symbol_in: string | null;
  readonly token_symbol_out: string | null;
  readonly token_amount_in: number;
  readonly token_amount_out: number;
  readonly block_slot: number;
  readonly block_time: number;
  readonly tx_hash: string;
  readonly tx_index: number;
  readonly swap_index: number;
  readonly pool: string;
  /** What the pool received and gave, in whole tokens; `null` if the wallet gave and received the same. */
  readonly pool_amount_in: number | null;
  readonly pool_amount_out: number | null;
  /** What the wallet paid the chain for the transaction, in whole native tokens; `null` if nobody said. */
  readonly fee_native: number | null;
}

const texts = ['protocol', 'wallet', 'token_in', 'token_out', 'token_symbol_in', 'token_symbol_out', 'pool'] as const;
const numbers = [
  'token_amount_in',
  'token_amount_out',
  'block_slot',
  'block_time',
  'tx_index',
  'swap_index',
  'fee_native',
  'pool_amount_in',
  'pool_amount_out',
] as const;

/** Rows as a batch of columns, the fast way into a store. */
export function toColumns(rows: readonly SwapRow[]): SwapColumns {
  const columns: Record<string, unknown> = { tx_hash: rows.map((row) => row.tx_hash) };
  const isBeside = rows.some((row) => row.pool_amount_in !== null);
  for (const name of numbers)
    if (isBeside || !name.startsWith('pool_'))
      columns[name] = Float64Array.from(rows, (row) => row[name] ?? Number.NaN);
  for (const name of texts) {
    const ids = new Map<string, number>();
    const column = new Int32Array(rows.length);
    for (const [i, row] of rows.entries()) {
      const text = row[name];
      if (text === null) column[i] = -1;
      else {
        const id = ids.get(text) ?? ids.size;
        if (id === ids.size) ids.set(text, id);
        column[i] = id;
      }
    }
    columns[name] = { dictionary: [...ids.keys()], ids: column };
  }
  return { length: rows.length, columns: columns as unknown as SwapColumns['columns'] };
}
