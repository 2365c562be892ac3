import type {
  OptionalNumberField,
  OptionalTextField,
  RequiredNumberField,
  RequiredTextField,
  SwapFieldName,
} from '../records/swap-fields.ts';
import type { TransferNumberField, TransferTextField } from '../records/transfer-fields.ts';

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

/**
 * One transfer as a caller hands it in: a plain object with the field names that docs/reference/transfer-fields.md explains.
 *
 * - A missing optional field and `null` mean the same: the feed does not say.
 * - (tx_hash, transfer_index) identifies the transfer. A row without an index gets one, made of its token, wallets and amount.
 * - `from` or `to` must be there. Without one, or with the zero address, the tokens were burnt or minted.
 * - Amounts are whole tokens, `cost_usd` USD, times Unix seconds; `transfers.ingest` takes a `Date` as well (`TransferInput<Date>`).
 */
export interface TransferInput<Time extends number | Date = number> {
  readonly tx_hash: string;
  readonly transfer_index?: number | null;
  readonly block_time: Time;
  readonly block_slot?: number | null;
  readonly tx_index?: number | null;
  readonly token: string;
  readonly token_amount: number;
  readonly from?: string | null;
  readonly to?: string | null;
  readonly cost_usd?: number | null;
  readonly kind?: string | null;
  readonly includes_swaps?: boolean | null;
}

/** A transfer with any of the times that `transfers.ingest` takes. */
export type GivenTransfer = TransferInput<number | Date>;

/**
 * A batch of transfers as columns of equal length, as `SwapColumns` of swaps. `includes_swaps` is 1, 0 or `NaN` in a row.
 *
 * - Equal rows without an index are counted by `file`: the same row in two files is one transfer, twice in one file it is two.
 */
export interface TransferColumns {
  readonly length: number;
  readonly columns: { readonly tx_hash: readonly string[] } & Readonly<Record<'token', TextColumn>> &
    Readonly<Record<'block_time' | 'token_amount', NumberColumn>> & {
      readonly [N in Exclude<TransferTextField, 'tx_hash' | 'token'>]?: TextColumn;
    } & { readonly [N in Exclude<TransferNumberField, 'block_time' | 'token_amount'>]?: NumberColumn };
  /** The file that the rows are of: rejects and conflicts name it. */
  readonly file?: string | undefined;
  /** As in `SwapColumns`. */
  readonly numbers?: Float64Array | number | undefined;
}
