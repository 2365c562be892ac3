import type { TokenInput } from '@swapfold/core';
import type { SourceRows } from '@swapfold/core/host';
import type { Read } from './block-reader.ts';
import type { Metadata } from './metadata.ts';
import { type SwapRow, type TransferRow, toColumns, toTransferColumns } from './rows.ts';
import { addUndecoded, noneUndecoded, type Undecoded } from './undecoded.ts';

/**
 * Swaps up to which blocks that are there already are stored at once: larger ones keep other writes waiting longer and are no faster.
 */
const MOST_SWAPS = 20_000;
/** As many transfers, of which most are often left out. */
const MOST_TRANSFERS = 100_000;

/** What was read since the last item of a source. */
export class Batch {
  readonly #total: Undecoded;
  readonly #metadata: Metadata | undefined;
  readonly #onlyKnown: boolean;
  #rows: SwapRow[] = [];
  #tokens: TokenInput[] = [];
  #transfers: TransferRow[] = [];
  #undecoded = noneUndecoded();
  #reads = 0;

  /** `total` counts what became no swap, once the item is given. `onlyKnown`: whether transfers are of what the store knows alone. */
  constructor(total: Undecoded, metadata: Metadata | undefined, { onlyKnown }: { readonly onlyKnown: boolean }) {
    this.#total = total;
    this.#metadata = metadata;
    this.#onlyKnown = onlyKnown;
  }

  add({ rows, tokens, transfers, undecoded }: Read): void {
    this.#reads++;
    for (const row of rows) this.#rows.push(row);
    this.#tokens.push(...tokens);
    for (const transfer of transfers) this.#transfers.push(transfer);
    addUndecoded(this.#undecoded, undecoded);
  }

  get isEmpty(): boolean {
    return this.#reads === 0;
  }

  get isFull(): boolean {
    return this.#rows.length >= MOST_SWAPS || this.#transfers.length >= MOST_TRANSFERS;
  }

  /** All of it as an item, after which the batch is empty. */
  async take(place: string, more: boolean): Promise<SourceRows> {
    const [rows, tokens, transfers, undecoded] = [this.#rows, this.#tokens, this.#transfers, this.#undecoded];
    this.#rows = [];
    this.#tokens = [];
    this.#transfers = [];
    this.#undecoded = noneUndecoded();
    this.#reads = 0;
    const named = this.#metadata === undefined ? [] : await this.#metadata.of(rows);
    addUndecoded(this.#total, undecoded);
    const item = { rows: toColumns(rows), tokens: [...tokens, ...named], place, more };
    if (transfers.length === 0) return item;
    return { ...item, transfers: toTransferColumns(transfers), onlyKnown: this.#onlyKnown };
  }
}
