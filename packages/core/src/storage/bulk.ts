import { type Batch, type ColumnName, defineTable, type Table } from '../records/columns.ts';
import { swapFieldColumns } from '../records/swap-fields.ts';

/** Swaps that may be stored, with ids of texts as the store will have them. `row` is the number of the input row. */
export const stagedTable = defineTable({
  name: 'staged',
  columns: {
    row: 'long',
    tx_hash: 'text',
    block_time: 'long',
    block_slot: 'long',
    tx_index: 'long',
    ...swapFieldColumns,
  },
  key: ['row'],
  indexes: [],
  derived: true,
});

/** Batches of swaps that wait for their places. */
export type StagedSwaps = Batch<typeof stagedTable>;

/** Staged swaps in chain order. `tx_hash` is null in a row that has the hash of the row before. */
export const orderedColumns = [
  'tx_hash',
  'block_time',
  ...(Object.keys(swapFieldColumns) as (keyof typeof swapFieldColumns)[]),
] as const;

/** Batches of staged swaps in chain order. */
export type OrderedSwaps = Batch<typeof stagedTable, (typeof orderedColumns)[number]>;

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
 * The legs of a load that do not stand as expected (`records/standing.ts`): the engine makes the legs by itself, a print as `EXPECTED`, and
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
  readonly name: ColumnName<typeof stagedTable>;
  /** The file's column. */
  readonly column: string;
  /** Text with ids of its kind; the hash; or numbers from 0 to `most`. */
  readonly holds:
    | { readonly kind: 'text'; readonly of: string }
    | { readonly kind: 'hash'; readonly isEvm: boolean }
    | { readonly kind: 'number'; readonly most: number; readonly isWhole: boolean };
  readonly isRequired: boolean;
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
}

/**
 * Fills an empty store: swaps are staged, and put into chain order, for what follows from them.
 */
export interface BulkLoad {
  stage(swaps: StagedSwaps): Promise<void>;
  /**
   * Stages the rows of a Parquet file without handing them over, if each may be stored; gives how many it has, with those left out. `undefined`, and nothing staged, if
   * a row has to be looked at.
   *
   * - `idsOf`: the ids of distinct texts of a kind; `undefined` if one of them is at fault.
   */
  stageParquet?(
    file: ParquetSwaps,
    idsOf: (kind: string, texts: readonly string[]) => Promise<Int32Array | undefined>,
  ): Promise<number | undefined>;
  /** The staged swaps of each transaction hash that has a swap twice, or differs in time, slot or index: by hash, then row. */
  repeated(): AsyncIterable<StagedSwaps>;
  /** The staged swaps of each second that are more than `most`, the last of the input. */
  overfull(most: number): Promise<Batch<typeof stagedTable, 'row' | 'block_time'>>;
  leaveOut(rows: Float64Array): Promise<void>;
  /**
   * Puts the staged swaps into chain order, and writes them and their transactions as `placesOf` says. It is called for one run of whole
   * seconds after the other, and gives the places of its swaps in their order, in pieces of any size.
   */
  place(placesOf: (swaps: AsyncIterable<OrderedSwaps>) => AsyncIterable<Places>): Promise<void>;
  /** Adds rows of a table that follows from the swaps: by `seq` if its key begins with it, else in any order. */
  append<T extends Table>(table: T, rows: Batch<T>): Promise<void>;
  /** Makes the legs of the placed swaps, of which `standingsTable` has those that do not stand as expected, puts what was appended into the order of its tables, and makes what the engine has beside them. */
  settle(dustUsd: number): Promise<void>;
}
