import type { IngestResult, SwapColumns, Swapfold } from '@swapfold/core';
import type { Reject, SwapFile } from '@swapfold/core/host';
import type { FileReject, PlainFile } from '@swapfold/files';

/** A batch of swaps of a file; `rowNumbers` are the numbers of its rows there. */
export interface LocatedSwaps {
  readonly file: string;
  readonly batch: SwapColumns;
  readonly rowNumbers: Float64Array;
}

const noBatches: AsyncIterable<SwapColumns> = {
  [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }),
};

/** A row that is not stored, and its file. */
export type FoundConflict = FileReject & { readonly file: string };

/** What becomes of swaps that the store has under another index: they are left out, counted, or not looked for. */
type SameSwaps = 'skip' | 'count' | 'ignore';

interface BulkOptions {
  readonly sameSwaps?: SameSwaps;
  readonly keepOrder?: boolean;
}

/** Where the rows of a batch come from: the first of them is number `first` of the input. */
interface Origin {
  readonly first: number;
  readonly file: string;
  /** Of the file's rows; a number if they follow each other. */
  readonly numbers: Float64Array | number;
}

/**
 * All swaps of an import as one ingest, which takes batches as they are read: an engine that can stores them in one step, when `end` is
 * called.
 */
export class BulkIngest {
  readonly #dex: Swapfold;
  readonly #onSwaps: (done: number) => void;
  readonly #origins: Origin[] = [];
  readonly #conflicts: FoundConflict[] = [];
  readonly #lateRejects: FoundConflict[] = [];
  #rows = 0;
  #ingest: Promise<IngestResult> | undefined;
  #hasEnded = false;
  #next: SwapColumns | SwapFile | undefined;
  #wake: () => void = () => undefined;
  #taken: () => void = () => undefined;
  #onReject: ((reject: Reject) => void) | undefined;

  readonly #sameSwaps: SameSwaps;
  readonly #keepOrder: boolean;
  #same = 0;
  #unordered = 0;

  constructor(
    dex: Swapfold,
    onSwaps: (done: number) => void,
    { sameSwaps = 'count', keepOrder = false }: BulkOptions = {},
  ) {
    this.#dex = dex;
    this.#onSwaps = onSwaps;
    this.#sameSwaps = sameSwaps;
    this.#keepOrder = keepOrder;
  }

  /** Hands a batch over, and waits until it is taken. `onReject` gets the rows that are not, by their place in the batch. */
  async add({ file, batch, rowNumbers }: LocatedSwaps, onReject: (reject: Reject) => void): Promise<void> {
    const first = this.#rows;
    const isPlain = rowNumbers.every((number, row) => number === rowNumbers[0]! + row);
    this.#origins.push({ first, file, numbers: isPlain ? rowNumbers[0]! : rowNumbers });
    this.#rows += batch.length;
    this.#onReject = (reject) => {
      // Batches of a file whose order is kept may wait for what the next one says.
      if (reject.row < first) this.#rejectLate(reject);
      else onReject({ ...reject, row: reject.row - first });
    };
    await this.#offer({ ...batch, file });
    this.#onReject = undefined;
  }

  /** Has the engine read rows of a file by itself, whose numbers there are given. False if it does not: their batches are to be added then. */
  async addFile(file: string, plain: PlainFile, numbers: Float64Array | number): Promise<boolean> {
    const { path, columns, rows, leftOut } = plain;
    let isRead = true;
    this.#origins.push({ first: this.#rows, file, numbers });
    await this.#offer({
      parquet: path,
      columns,
      leftOut,
      file,
      batches: () => {
        isRead = false;
        return noBatches;
      },
    });
    if (isRead) this.#rows += rows;
    else this.#origins.pop();
    return isRead;
  }

  /** Hands something over, and waits until it is taken. */
  async #offer(item: SwapColumns | SwapFile): Promise<void> {
    const taken = new Promise<void>((resolve) => {
      this.#taken = resolve;
    });
    this.#next = item;
    this.#wake();
    this.#ingest ??= this.#begin();
    await Promise.race([taken, this.#ingest]);
  }

  /** Stores what is not stored yet. Gives what became of the swaps that were not rejected. */
  async end(): Promise<{
    readonly counts: Readonly<Record<string, number>>;
    readonly conflicts: readonly FoundConflict[];
    /** Rows that were refused after their batch was taken. */
    readonly rejects: readonly FoundConflict[];
    /** New swaps that the store had under another index. */
    readonly same: number;
    readonly passedOver: number;
    readonly oddHashes: number;
    readonly aggregates: number;
    /** Swaps that hashes alone put in order. */
    readonly unordered: number;
  }> {
    this.#hasEnded = true;
    this.#wake();
    const result = await this.#ingest;
    return {
      counts: result === undefined ? {} : countsOf(result),
      conflicts: this.#conflicts,
      rejects: this.#lateRejects,
      same: this.#same,
      passedOver: result?.passed_over ?? 0,
      oddHashes: result?.odd_hashes ?? 0,
      aggregates: result?.aggregates ?? 0,
      unordered: this.#unordered,
    };
  }

  #begin(): Promise<IngestResult> {
    const ingest = this.#dex.ingest(this.#batches(), {
      bulk: true,
      keepOrder: this.#keepOrder,
      onUnordered: (swaps) => {
        this.#unordered += swaps;
      },
      onReject: (reject) => {
        if (this.#onReject === undefined) this.#rejectLate(reject);
        else this.#onReject(reject);
      },
      onConflict: ({ row, reason }) => this.#conflicts.push({ ...this.#origin(row), field: 'tx_hash', reason }),
      ...(this.#sameSwaps === 'ignore'
        ? {}
        : {
            onSame: () => {
              this.#same++;
            },
            skipSame: this.#sameSwaps === 'skip',
          }),
      onSwaps: this.#onSwaps,
    });
    // It is thrown by the `add` that waits for it, or by `end`.
    ingest.catch(() => undefined);
    return ingest;
  }

  #rejectLate({ row, field, reason }: Reject): void {
    this.#lateRejects.push({ ...this.#origin(row), field, reason });
  }

  async *#batches(): AsyncGenerator<SwapColumns | SwapFile> {
    for (;;) {
      while (this.#next === undefined) {
        if (this.#hasEnded) return;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      const batch = this.#next;
      this.#next = undefined;
      yield batch;
      this.#taken();
    }
  }

  /** The file and the number there of a row of the input. */
  #origin(row: number): Pick<FoundConflict, 'file' | 'row'> {
    const { first, file, numbers } = this.#origins.findLast((origin) => origin.first <= row)!;
    return { file, row: typeof numbers === 'number' ? numbers + row - first : numbers[row - first]! };
  }
}

const countsOf = ({ added, duplicate, conflicting }: IngestResult) => ({ added, duplicate, conflicting });
