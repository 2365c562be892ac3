import { type SwapColumns, SwapfoldError } from '@swapfold/core';
import type { FileReject } from '../batches.ts';
import { isOfUnknownChain } from '../chains.ts';
import { isWithoutColumns } from '../fields.ts';
import type { SwapFileOptions } from '../options.ts';
import { batchesOfParts, readParts } from '../read-swap-file.ts';
import { linesOf } from '../record-paths.ts';
import { type RowsName, rowKinds } from '../row-kinds.ts';

/** How the rows of what is followed are read. */
export interface RowOptions extends Pick<SwapFileOptions, 'map' | 'rowIds' | 'presets' | 'chain'> {
  /** What the rows are. Default `swaps`. */
  readonly kind?: RowsName | undefined;
  /** Called with rows that could not be read. */
  readonly onUnread?: ((rejects: readonly FileReject[], source: string) => void) | undefined;
}

/** Rows of one transaction. */
const MOST_ROWS = 50_000;

/** Where the complete lines of some bytes end. */
export const endOfLines = (bytes: Buffer): number => bytes.lastIndexOf(0x0a) + 1;

/** Reads the lines of one source, piece by piece. All rows have the shape of its first rows. */
export class LineReader {
  readonly #name: string;
  readonly #options: RowOptions;
  #preset: string | undefined;

  constructor(name: string, options: RowOptions) {
    this.#name = name;
    this.#options = options;
  }

  /**
   * The rows of complete lines, of NDJSON or of CSV with its head; those that cannot be read are reported.
   *
   * - Errors: `invalid-input` if the first lines have no known shape, unless they are NDJSON and presets are named: a feed begins with
   *   what it says of itself. Others without it are reported.
   */
  async rowsOf(lines: Buffer, head?: Buffer): Promise<readonly SwapColumns[]> {
    if (linesOf(lines).next().done) return [];
    const { onUnread, kind = 'swaps', ...options } = this.#options;
    const chunks = (async function* () {
      yield head === undefined ? lines : Buffer.concat([head, lines]);
    })();
    // A preset of one's own stays as it was given: its name tells it from no other.
    const presets = options.presets ?? (this.#preset === undefined ? undefined : [this.#preset]);
    const read = { ...options, presets, batchRows: MOST_ROWS };
    const batches: SwapColumns[] = [];
    try {
      // A line of a log among them must not make NDJSON look like CSV.
      const format = head === undefined ? 'ndjson' : 'csv';
      const parts = readParts({ name: this.#name, format, chunks }, read, rowKinds[kind]);
      for await (const { batch, rejects, preset } of batchesOfParts(parts)) {
        if (rejects.length > 0) onUnread?.(rejects, this.#name);
        if (batch.length === 0) continue;
        this.#preset = preset;
        batches.push(batch);
      }
    } catch (error) {
      const isOfRows = error instanceof SwapfoldError && error.code === 'invalid-input';
      if (
        !isOfRows ||
        isOfUnknownChain(error) ||
        (this.#preset === undefined && (head !== undefined || options.presets === undefined))
      )
        throw error;
      // Of lines of another shape none is read; else it is the last record.
      const count = isWithoutColumns(error) ? [...linesOf(lines)].length : 1;
      onUnread?.(Array(count).fill({ row: 0, field: '', reason: error.message }), this.#name);
    }
    return batches;
  }
}
