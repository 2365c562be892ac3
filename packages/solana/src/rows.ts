import type { SwapColumns } from '@swapfold/core';

/** A swap as it is stored, one row; `NaN` of what is not known. */
export interface SwapRow {
  readonly protocol: string;
  readonly wallet: string;
  readonly token_in: string;
  readonly token_out: string;
  readonly token_amount_in: number;
  readonly token_amount_out: number;
  /** What arrived at the pool and what it sent, if it is not what the wallet gave and got. */
  readonly pool_amount_in: number;
  readonly pool_amount_out: number;
  readonly pre_token_balance_in: number;
  readonly pre_token_balance_out: number;
  readonly post_token_balance_in: number;
  readonly post_token_balance_out: number;
  readonly block_slot: number;
  readonly block_time: number;
  readonly tx_hash: string;
  readonly tx_index: number;
  readonly swap_index: number;
  readonly pool: string | null;
  /** SOL that the wallet paid for the transaction. */
  readonly fee_native: number;
}

const texts = ['protocol', 'wallet', 'token_in', 'token_out', 'pool'] as const;
const numbers = [
  'token_amount_in',
  'token_amount_out',
  'pool_amount_in',
  'pool_amount_out',
  'pre_token_balance_in',
  'pre_token_balance_out',
  'post_token_balance_in',
  'post_token_balance_out',
  'block_slot',
  'block_time',
  'tx_index',
  'swap_index',
  'fee_native',
] as const;

/** Rows as a batch of columns, the fast way into a store. */
export function toColumns(rows: readonly SwapRow[]): SwapColumns {
  const columns: Record<string, unknown> = { tx_hash: rows.map((row) => row.tx_hash) };
  for (const name of numbers) columns[name] = Float64Array.from(rows, (row) => row[name]);
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
