import { quote } from '@swapfold/core';

/** The tables of one database, by name as SQL has it. */
export interface Names {
  readonly database: string;
  /** What was written: one row a write begun, committed or undone, and one a table created. */
  readonly log: string;
  /** One row a row that was removed. */
  readonly removed: string;
  of(physical: string): string;
}

export const LOG = 'swapfold_log';
export const REMOVED = 'swapfold_removed';

/** The first row number of a write; those of all writes before are less. */
export function rowsBefore(write: number): bigint {
  return BigInt(write) << 32n;
}

export function createNames(database: string): Names {
  const of = (name: string): string => `${quote(database)}.${quote(name)}`;
  return { database, of, log: of(LOG), removed: of(REMOVED) };
}
