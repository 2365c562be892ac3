import type { FileReject } from '../files/table-builder.ts';

/** What became of the rows of a batch that were not rejected, by name: `{ added: 9, duplicate: 1 }`. */
export type Counts = Readonly<Record<string, number>>;

export interface Outcome {
  readonly counts: Counts;
  readonly rejects: readonly FileReject[];
  /** Rows that are not stored because the store has another row of their identity. */
  readonly conflicts: readonly FileReject[];
}

/** Some rows of a file, read and not yet stored. */
export interface FileBatch {
  readonly rows: number;
  /** Part of the file that ends with this batch. */
  readonly fraction: number;
  /** Columns of the file that hold no field, as they are told. */
  readonly unused: readonly string[];
  /** Stores the rows in one transaction. */
  readonly store: () => Promise<Outcome>;
}
