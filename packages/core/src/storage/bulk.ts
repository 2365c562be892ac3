import { type Batch, type ColumnName, defineTable, type Table } from '../records/columns.ts';
import { swapFieldColumns } from '../records/swap-fields.ts';

/** Swaps that may be stored, with ids of texts as the store will have them. `row` is the number of the input row; `moment` is 0 in rows without one. */
export const stagedTable = defineTable({
  name: 'staged',
  columns: {
    row: 'long',
    tx_hash: 'text',
    block_time: 'long',
    block_slot: 'long',
    tx_index: 'long',
    moment: 'long',
    ...swapFieldColumns,
  },
  key: ['row'],
  indexes: [],
  derived: true,
});

/** Batches of swaps that wait for their places. */
export type StagedSwaps = Batch<typeof stagedTable>;

/** Staged swaps in chain order, with `moment` and `file_place` as the table of transactions has them. `tx_hash` is null in a row that has the hash of the row before. */
export const orderedTable = defineTable({
  ...stagedTable,
  name: 'ordered',
  columns: {
    tx_hash: 'text',
    block_time: 'long',
    block_slot: 'long',
    tx_index: 'long',
    moment: 'long',
    file_place: 'long',
    ...swapFieldColumns,
  },
});

/** Batches of staged swaps in chain order. */
export type OrderedSwaps = Batch<typeof orderedTable>;

/** Where swaps stand, and their values. `tx_key` is null but in the first swap of a transaction. */
export const placesTable = defineTable({
  name: 'places',
  columns: {
    seq: 'long',
    tx: 'id',
    tx_key: 'long',
    usd_amount_in: 'double',
    usd_amount_out: 'double',
    valued_by: 'id',
  },
  key: ['seq'],
  indexes: [],
  derived: true,
});

/**
 * The legs of a load that do not stand as expected (`records/standing.ts`): the engine makes the legs by itself, a print as `VOTE`, and
 * any other leg as 0.
 */
export const standingsTable = defineTable({
  name: 'standings',
  columns: { token: 'id', seq: 'long', standing: 'id' },
  key: ['token', 'seq'],
  indexes: [],
  derived: true,
});

/** Batches of the places of swaps in chain order. */
export type Places = Batch<typeof placesTable>;

/** A field of swaps as a Parquet file has it. */
export interface ParquetField {
  readonly name: ColumnName<typeof stagedTable> | 'log_index';
  /** The file's column. */
  readonly column: string;
  /** Text with ids of its kind; the hash; or numbers from `least` to `most`. */
  readonly holds:
    | { readonly kind: 'text'; readonly of: string }
    | { readonly kind: 'hash'; readonly isEvm: boolean }
    | { readonly kind: 'number'; readonly least: number; readonly most: number; readonly isWhole: boolean };
  readonly isRequired: boolean;
}

/** A file of the input whose order is kept: the number of its first row, and how many such files came before it. */
export interface RowFile {
  readonly from: number;
  readonly file: number;
}

/** How staged swaps are put into order. */
export interface PlaceOptions {
  /** The files whose order is kept. */
  readonly files?: readonly RowFile[] | undefined;
  /** Called with the number of swaps that hashes alone put in order; `quotes`: the ids of the quote tokens. */
  readonly unordered?: { readonly quotes: readonly number[]; readonly on: (swaps: number) => void } | undefined;
}

/** A Parquet file whose columns have the types of their fields. */
export interface ParquetSwaps {
  readonly path: string;
  /** A column that holds a text in the rows that are left out, if it has one. */
  readonly leftOut?: string | undefined;
  readonly fields: readonly ParquetField[];
  /** Pairs of fields whose product has a bound. */
  readonly products: readonly (readonly [ColumnName<typeof stagedTable>, ColumnName<typeof stagedTable>])[];
  readonly mostProduct: number;
  /** Number of its first row in the input. */
  readonly firstRow: number;
  /** Whether a row of one id for the same id, with these texts, exchanges nothing and is left out. */
  readonly isWrap: (given: string, received: string) => boolean;
}

/** What was staged of a file. */
export interface StagedFile {
  /** Its rows, with those left out. */
  readonly rows: number;
  /** Rows that wrap a token: they are not staged. */
  readonly passedOver: number;
  /** Rows, those passed over included, whose hash has not the form of an EVM chain's, if the fields say that it should. */
  readonly oddHashes: number;
}

/**
 * Fills an empty store: swaps are staged, and put into chain order, for what follows from them.
 */
export interface BulkLoad {
  stage(swaps: StagedSwaps): Promise<void>;
  /**
   * Stages the rows of a Parquet file without handing them over, if each may be stored, but for those that wrap a token. `undefined`, and
   * nothing staged, if a row has to be looked at.
   *
   * - `idsOf`: the ids of distinct texts of a kind; `undefined` if one of them is at fault.
   */
  stageParquet?(
    file: ParquetSwaps,
    idsOf: (kind: string, texts: readonly string[]) => Promise<Int32Array | undefined>,
  ): Promise<StagedFile | undefined>;
  /** The staged swaps of each transaction hash that has a swap twice, or differs in time, slot or index: by hash, then row. */
  repeated(): AsyncIterable<StagedSwaps>;
  /** The staged swaps of each second that are more than `most`, the last of the input. */
  overfull(most: number): Promise<Batch<typeof stagedTable, 'row' | 'block_time'>>;
  leaveOut(rows: Float64Array): Promise<void>;
  /**
   * Puts the staged swaps into chain order, and writes them and their transactions as `placesOf` says. It is called for one run of whole
   * seconds after the other, and gives the places of its swaps in their order, in pieces of any size.
   */
  place(placesOf: (swaps: AsyncIterable<OrderedSwaps>) => AsyncIterable<Places>, options?: PlaceOptions): Promise<void>;
  /** Adds rows of a table that follows from the swaps: by `seq` if its key begins with it, else in any order. */
  append<T extends Table>(table: T, rows: Batch<T>): Promise<void>;
  /** Makes the legs of the placed swaps, of which `standingsTable` has those that do not stand as expected, puts what was appended into the order of its tables, and makes what the engine has beside them. */
  settle(dustUsd: number): Promise<void>;
}
