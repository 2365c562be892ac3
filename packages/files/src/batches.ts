import type { SwapColumns } from '@swapfold/core';
import type { SwapFile } from '@swapfold/core/host';
import type { Preset } from './presets.ts';

/** A row of a file that could not be read. */
export interface FileReject {
  /** Counts the file's data rows from 1. */
  readonly row: number;
  /** The field at fault; empty where the row as a whole is. */
  readonly field: string;
  readonly reason: string;
  /** The file whose rows are counted, if several are read as one. */
  readonly file?: string;
}

/** A Parquet file that an engine can read by itself. */
export interface PlainFile extends Omit<SwapFile, 'batches'> {
  /** Its rows, with those that are left out. */
  readonly rows: number;
}

/** What is known of a part of a file of swaps before its rows are read. */
export interface PartInfo {
  /** The rows that could not be read since the part before. */
  readonly rejects: readonly FileReject[];
  /** How many rows were passed over since the part before because they are no swaps, by reason. */
  readonly passed: ReadonlyMap<string, number>;
  /** The name of the preset that the file is read with; `swapfold` for Swapfold's own columns, `sql` for a SELECT of one's own. */
  readonly preset: string;
  /** The format of the file's addresses, if its preset says so. */
  readonly addresses?: Preset['addresses'];
  /** The SELECT that gives the fields, from `input`. */
  readonly sql: string;
  /** The list of a JSON document that holds the rows, if they are in one within it. */
  readonly records?: string | undefined;
  /** Columns of the file that hold no field, as the import reports them. */
  readonly unused: readonly string[];
  /** True if a time without a zone was read, as UTC. */
  readonly isZoneless: boolean;
  /** How many rows got a `swap_index` since the part before, because they have a `tx_hash` and none of their own. */
  readonly unindexed: number;
  /** How far into the file, in bytes on disk. */
  readonly bytesRead: number;
  /** `NaN` of a stream. */
  readonly bytesTotal: number;
}

/** What is known of a part before it is converted. */
export type FileInfo = Omit<PartInfo, 'rejects' | 'passed' | 'isZoneless' | 'unindexed'>;

/** A part of a file of swaps, converted: rows that an engine can read by itself, or that come as columns. */
export interface SwapPart extends PartInfo {
  /** Rows of the file, with those rejected and passed over. */
  readonly rows: number;
  /** The part as a file for an engine, if it can be one. */
  readonly file?: PlainFile | undefined;
  /** The converted rows, which the column `leftOut` tells from those that are left out. Absent if there are none. */
  readonly converted?: PlainFile | undefined;
  /** The swaps as columns, with the file and the numbers there of their rows. */
  readonly batches: () => AsyncGenerator<SwapColumns>;
}
