import type { OnProgress } from './bytes.ts';
import type { ColumnMap } from './fields.ts';
import type { Preset } from './presets.ts';

/** How a file of swaps is read. */
export interface SwapFileOptions {
  /** Most rows of a batch. Default 32768. */
  readonly batchRows?: number | undefined;
  /** Hands out what was read after each piece of the input, instead of waiting until there is more: for input that goes on. */
  readonly isEager?: boolean | undefined;
  readonly onProgress?: OnProgress | undefined;
  /** Column names of the file by the field they hold: `{ their_name: 'our_name' }`. */
  readonly map?: ColumnMap | undefined;
  /** Derives `tx_hash` from the row's content if it is missing, with `swap_index` 0. Without, such rows are rejected. */
  readonly rowIds?: boolean | undefined;
  /**
   * The shapes that the file may have: names of built-in presets, presets of your own, and `swapfold` for Swapfold's own columns. Default: all
   * that come with Swapfold. A file with Swapfold's own columns is read as such if it may; else the one preset whose columns it has is taken.
   */
  readonly presets?: readonly (string | Preset)[] | undefined;
  /** Keys that lead to the list of a JSON document that holds the rows: `data.items`. */
  readonly records?: string | undefined;
  /** The chain of the store, as its configuration names it. Rows that a preset's column says are of another are passed over. Default: all are taken. */
  readonly chain?: string | undefined;
  /** Constants, for files that do not name their token: `getvariable('name')` in a SELECT. */
  readonly set?: Readonly<Record<string, string>> | undefined;
  /** `ignore` takes no balances of wallets, for a feed whose balances are wrong. Default: they are taken. */
  readonly balances?: 'ignore' | undefined;
}

/** How a file of swaps or of transfers is read. */
export interface RowFileOptions extends SwapFileOptions {
  /** Rejects the last row of CSV if its line has no end: a file that is still written, or was cut off, may lack digits there. Default false. */
  readonly wholeLines?: boolean | undefined;
  /** The symbols of tokens that the store knows, by their addresses in lower case. */
  readonly symbols?: ReadonlyMap<string, string> | undefined;
  /** Of transfers: takes what a preset's source says of their value as what they cost. */
  readonly valueArrivals?: boolean | undefined;
}
