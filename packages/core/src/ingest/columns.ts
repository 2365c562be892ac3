import type {
  OptionalNumberField,
  OptionalTextField,
  RequiredNumberField,
  RequiredTextField,
  SwapFieldName,
} from '../records/swap-fields.ts';

/**
 * One swap as a caller hands it in: a plain object with the interface's field names, each of which docs/reference/swap-fields.md explains.
 *
 * - A missing optional field and `null` mean the same: the feed does not say.
 * - (tx_hash, swap_index) identifies the swap; `swap_index` is its place in its transaction.
 * - The wallet gives `token_in` and receives `token_out`.
 * - Amounts and balances are whole tokens (decimals applied), prices USD per token, times Unix seconds; `ingest` takes a `Date` as well (`SwapInput<Date>`). The
 *   fraction of a time orders swaps of one second, and is served nowhere.
 */
export type SwapInput<Time extends number | Date = number> = { readonly [N in RequiredTextField]: string } & {
  readonly [N in RequiredNumberField]: N extends 'block_time' ? Time : number;
} & { readonly [N in OptionalTextField]?: string | null } & { readonly [N in OptionalNumberField]?: number | null };

/** A swap with any of the times that `ingest` takes. */
export type GivenSwap = SwapInput<number | Date>;

/** Texts by id. An id of -1 is a missing value. Entries that no row uses, and equal entries, are allowed. */
export interface DictionaryColumn {
  readonly dictionary: readonly string[];
  readonly ids: Int32Array;
}

/** One text a row, `null` if it is missing, or ids into a dictionary. */
export type TextColumn = readonly (string | null)[] | DictionaryColumn;

/** One number a row; `NaN` if it is missing. */
export type NumberColumn = Float64Array | Int32Array;

/**
 * A batch of swaps as columns of equal length: the fast way in, without an object a row.
 *
 * - An optional column that is absent is missing in every row.
 * - Meaning and units of the fields: docs/reference/swap-fields.md.
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
  } & { readonly [N in Exclude<RequiredTextField, 'tx_hash'>]: TextColumn } & {
    readonly [N in RequiredNumberField]: NumberColumn;
  } & { readonly [N in OptionalTextField]?: TextColumn } & { readonly [N in OptionalNumberField]?: NumberColumn };
  /**
   * The file that the rows are of: rejects and conflicts name it. Where `ingest` keeps the order of files (`keepOrder`), another name begins
   * another file.
   */
  readonly file?: string | undefined;
  /** The number in the file of each row; of the first one, if they follow each other. */
  readonly numbers?: Float64Array | number | undefined;
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
