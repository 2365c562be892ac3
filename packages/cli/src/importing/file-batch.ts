import type { Config, Swapfold } from '@swapfold/core';
import type { FileReject } from '@swapfold/files';
import type { BulkIngest } from './bulk-ingest.ts';

/** What became of the rows of a batch that were not rejected, by name: `{ added: 9, duplicate: 1 }`. */
export type Counts = Readonly<Record<string, number>>;

export interface Outcome {
  readonly counts: Counts;
  readonly rejects: readonly FileReject[];
  /** Rows that wrap a token, as far as they are known before all is stored. */
  readonly passedOver?: number;
  /** Rows that are not stored because the store has another row of their identity. */
  readonly conflicts: readonly FileReject[];
}

/** Some rows of a file, read and not yet stored. */
export interface FileBatch {
  readonly rows: number;
  /** Part of the file that ends with this batch; 0 if nobody knows. */
  readonly fraction: number;
  /** Columns of the file that hold no field, as the import reports them. */
  readonly unused: readonly string[];
  /** How many rows were passed over because they are no swaps, by reason. */
  readonly passed: ReadonlyMap<string, number>;
  /** The preset that the file is read with, if one is. */
  readonly preset?: string | undefined;
  /** The list of a JSON document that holds the rows, if they are in one within it. */
  readonly records?: string | undefined;
  /** The format of the file's addresses, if its preset says so. */
  readonly addresses?: Config['address_format'] | undefined;
  /** Whether a time without a zone was read, as UTC. */
  readonly isZoneless: boolean;
  /** Stores the rows; swaps by way of `swaps`, which tells their counts and conflicts at its end. `file` is where they come from. */
  readonly store: (dex: Swapfold, swaps: BulkIngest, file: string) => Promise<Outcome>;
  /** What storing into an empty store would give. `most`: only the first rows. */
  readonly check: (config: Config, most?: number) => Promise<Outcome>;
}
