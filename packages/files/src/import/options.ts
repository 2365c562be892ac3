import type { ImportKind } from './books.ts';
import type { PriceImportOptions } from './import-prices.ts';
import type { RecordImportOptions } from './import-records.ts';
import type { RowImportOptions } from './import-rows.ts';

/** How files are imported. What goes with another kind is not looked at. */
export interface ImportFilesOptions extends RowImportOptions, RecordImportOptions, PriceImportOptions {
  /** What the files hold. Default `swaps`. */
  readonly kind?: ImportKind | undefined;
  /**
   * Follows files of swaps or of transfers as they grow, folders as files come, FIFOs and standard input (docs/guides/live.md), until the signal aborts. The
   * place in a file is stored with its rows: the next call goes on there. Of the other options, `presets`, `map` and `rowIds` count.
   */
  readonly follow?: boolean | undefined;
  /** Ends the import after the batch at hand: it fails with `aborted`, and what was stored stays. Prices are all stored, or none. */
  readonly signal?: AbortSignal | undefined;
  /** The path of a file that gets every row that is left out: NDJSON of row, field, reason and file. */
  readonly rejects?: string | undefined;
}
