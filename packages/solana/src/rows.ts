import type { SwapColumns, TransferColumns } from '@swapfold/core';

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

/** A transfer as it is stored; `NaN` of what is not known, `null` of nobody. */
export interface TransferRow {
  readonly tx_hash: string;
  readonly transfer_index: number;
  readonly block_time: number;
  readonly block_slot: number;
  readonly tx_index: number;
  readonly token: string;
  readonly token_amount: number;
  readonly from: string | null;
  readonly to: string | null;
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
  const columns = columnsOf(rows, texts, numbers);
  return { length: rows.length, columns: columns as unknown as SwapColumns['columns'] };
}

const transferTexts = ['token', 'from', 'to'] as const;
const transferNumbers = ['transfer_index', 'block_time', 'block_slot', 'tx_index', 'token_amount'] as const;

/** As `toColumns`, of all transfers of transactions, those of swaps among them. */
export function toTransferColumns(rows: readonly TransferRow[]): TransferColumns {
  const includes_swaps = new Float64Array(rows.length).fill(1);
  const columns = { ...columnsOf(rows, transferTexts, transferNumbers), includes_swaps };
  return { length: rows.length, columns: columns as unknown as TransferColumns['columns'] };
}

function columnsOf<Text extends string, Number extends string>(
  rows: readonly ({ readonly tx_hash: string } & { readonly [N in Text]: string | null } & {
    readonly [N in Number]: number;
  })[],
  textNames: readonly Text[],
  numberNames: readonly Number[],
): Record<string, unknown> {
  const columns: Record<string, unknown> = { tx_hash: rows.map((row) => row.tx_hash) };
  for (const name of numberNames) columns[name] = Float64Array.from(rows, (row) => row[name]);
  for (const name of textNames) {
    const ids = new Map<string, number>();
    const column = new Int32Array(rows.length);
    for (const [i, row] of rows.entries()) {
      const text: string | null = row[name];
      if (text === null) column[i] = -1;
      else {
        const id = ids.get(text) ?? ids.size;
        if (id === ids.size) ids.set(text, id);
        column[i] = id;
      }
    }
    columns[name] = { dictionary: [...ids.keys()], ids: column };
  }
  return columns;
}
