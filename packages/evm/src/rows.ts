import type { SwapColumns, TransferColumns } from '@swapfold/core';

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

/** A transfer as it is stored, one row. */
export interface TransferRow {
  readonly tx_hash: string;
  readonly transfer_index: number;
  readonly block_time: number;
  readonly block_slot: number;
  readonly tx_index: number;
  readonly token: string;
  readonly token_amount: number;
  readonly from: string;
  readonly to: string;
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
] as const;
const poolAmounts = ['pool_amount_in', 'pool_amount_out'] as const;

/** Rows as a batch of columns, the fast way into a store. */
export function toColumns(rows: readonly SwapRow[]): SwapColumns {
  const isBeside = rows.some((row) => row.pool_amount_in !== null);
  const columns = { ...numbersOf(rows, isBeside ? [...numbers, ...poolAmounts] : numbers), ...textsOf(rows, texts) };
  const all = { tx_hash: rows.map((row) => row.tx_hash), ...columns };
  return { length: rows.length, columns: all as unknown as SwapColumns['columns'] };
}

/** Transfers as a batch of columns. They are all logs of a token in their transactions, those of swaps among them. */
export function transferColumns(rows: readonly TransferRow[]): TransferColumns {
  const columns = {
    tx_hash: rows.map((row) => row.tx_hash),
    ...numbersOf(rows, ['transfer_index', 'block_time', 'block_slot', 'tx_index', 'token_amount']),
    ...textsOf(rows, ['token', 'from', 'to']),
    includes_swaps: new Float64Array(rows.length).fill(1),
  };
  return { length: rows.length, columns: columns as unknown as TransferColumns['columns'] };
}

const numbersOf = <Name extends string>(
  rows: readonly Readonly<Record<Name, number | null>>[],
  names: readonly Name[],
): Record<string, Float64Array> =>
  Object.fromEntries(
    names.map((name) => {
      // `Float64Array.from` takes three times as long, by an iterator.
      const column = new Float64Array(rows.length);
      for (let i = 0; i < rows.length; i++) column[i] = rows[i]![name] ?? Number.NaN;
      return [name, column];
    }),
  );

function textsOf<Name extends string>(
  rows: readonly Readonly<Record<Name, string | null>>[],
  names: readonly Name[],
): Record<string, { readonly dictionary: readonly string[]; readonly ids: Int32Array }> {
  return Object.fromEntries(
    names.map((name) => {
      const ids = new Map<string, number>();
      const column = new Int32Array(rows.length);
      for (let i = 0; i < rows.length; i++) {
        const text = rows[i]![name];
        if (text === null) column[i] = -1;
        else {
          const id = ids.get(text) ?? ids.size;
          if (id === ids.size) ids.set(text, id);
          column[i] = id;
        }
      }
      return [name, { dictionary: [...ids.keys()], ids: column }];
    }),
  );
}
