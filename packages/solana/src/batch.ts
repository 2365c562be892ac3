import type { TokenInput } from '@swapfold/core';
import type { SourceRows } from '@swapfold/core/host';
import type { Read } from './block-reader.ts';
import type { Metadata } from './metadata.ts';
import { type SwapRow, toColumns } from './rows.ts';
import { addUndecoded, noneUndecoded, type Undecoded } from './undecoded.ts';

/**
 * Swaps up to which blocks that are there already are stored at once: larger ones keep other writes waiting longer and are no faster.
 */
const MOST_SWAPS = 20_000;

/** What was read since the last item of a source. */
export class Batch {
  readonly #total: Undecoded;
  readonly #metadata: Metadata | undefined;
  #rows: SwapRow[] = [];
  #tokens: TokenInput[] = [];
  #undecoded = noneUndecoded();
  #reads = 0;

  /** `total` counts what became no swap, once the item is given. */
  constructor(total: Undecoded, metadata: Metadata | undefined) {
    this.#total = total;
    this.#metadata = metadata;
  }

  add({ rows, tokens, undecoded }: Read): void {
    this.#reads++;
    for (const row of rows) this.#rows.push(row);
    this.#tokens.push(...tokens);
    addUndecoded(this.#undecoded, undecoded);
  }

  get isEmpty(): boolean {
    return this.#reads === 0;
  }

  get isFull(): boolean {
    return this.#rows.length >= MOST_SWAPS;
  }

  /** All of it as an item, after which the batch is empty. */
  async take(place: string, more: boolean): Promise<SourceRows> {
    const [rows, tokens, undecoded] = [this.#rows, this.#tokens, this.#undecoded];
    this.#rows = [];
    this.#tokens = [];
    this.#undecoded = noneUndecoded();
    this.#reads = 0;
    const named = this.#metadata === undefined ? [] : await this.#metadata.of(rows);
    addUndecoded(this.#total, undecoded);
    return { rows: toColumns(rows), tokens: [...tokens, ...named], place, more };
  }
}
