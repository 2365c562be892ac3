import type { SwapInput } from './swap-input.ts';

export const requiredTextColumns = ['tx_hash', 'wallet', 'token_in', 'token_out'] as const;
export const optionalTextColumns = ['protocol', 'token_symbol_in', 'token_symbol_out'] as const;
export const requiredNumberColumns = ['swap_index', 'block_time', 'token_amount_in', 'token_amount_out'] as const;
export const optionalNumberColumns = [
  'block_slot',
  'tx_index',
  'token_price_in',
  'token_price_out',
  'pre_token_balance_in',
  'pre_token_balance_out',
  'post_token_balance_in',
  'post_token_balance_out',
  'usd_amount_in',
  'usd_amount_out',
] as const;

/** Every field of a swap. */
export const swapFieldNames = [
  ...requiredTextColumns,
  ...requiredNumberColumns,
  ...optionalTextColumns,
  ...optionalNumberColumns,
] as const satisfies readonly (keyof SwapInput)[];

export type SwapFieldName = (typeof swapFieldNames)[number];

/** Texts by id. An id of -1 is a missing value. Entries that no row uses, and equal entries, are allowed. */
export interface DictionaryColumn {
  readonly dictionary: readonly string[];
  readonly ids: Int32Array;
}

/** One text a row, `null` where it is missing, or ids into a dictionary. */
export type TextColumn = readonly (string | null)[] | DictionaryColumn;

/** One number a row; `NaN` where it is missing. */
export type NumberColumn = Float64Array | Int32Array;

/**
 * A batch of swaps as columns of equal length: the fast way in, without an object a row.
 *
 * - An optional column that is absent is missing in every row.
 * - Meaning and units of the fields: `SwapInput`.
 *
 * ```ts
 * const batch: SwapColumns = {
 *   length: 2,
 *   columns: {
 *     tx_hash: ['5h...', '3k...'],
 *     swap_index: Int32Array.of(0, 0),
 *     block_time: Float64Array.of(1704412823, 1704412824),
 *     wallet: { dictionary: ['9x...'], ids: Int32Array.of(0, 0) },
 *     ...
 *   },
 * };
 * ```
 */
export interface SwapColumns {
  readonly length: number;
  readonly columns: {
    readonly tx_hash: readonly string[];
  } & { readonly [K in Exclude<(typeof requiredTextColumns)[number], 'tx_hash'>]: TextColumn } & {
    readonly [K in (typeof requiredNumberColumns)[number]]: NumberColumn;
  } & { readonly [K in (typeof optionalTextColumns)[number]]?: TextColumn } & {
    readonly [K in (typeof optionalNumberColumns)[number]]?: NumberColumn;
  };
}

/** The rows of a batch as plain objects, missing values as `null`. For tests, small batches and writers: it costs an object a row. */
export function* columnsToObjects(batch: SwapColumns): Iterable<SwapInput> {
  const entries = Object.entries(batch.columns) as [SwapFieldName, TextColumn | NumberColumn][];
  const readers = entries.map(([name, column]) => [name, readerOf(column)] as const);
  for (let row = 0; row < batch.length; row++) {
    const swap: Record<string, string | number | null> = {};
    for (const [name, read] of readers) swap[name] = read(row);
    yield swap as unknown as SwapInput;
  }
}

function readerOf(column: TextColumn | NumberColumn): (row: number) => string | number | null {
  if (column instanceof Float64Array || column instanceof Int32Array) {
    return (row) => {
      const value = column[row]!;
      return Number.isNaN(value) ? null : value;
    };
  }
  if ('dictionary' in column) return (row) => column.dictionary[column.ids[row]!] ?? null;
  return (row) => column[row] ?? null;
}
