import { type Batch, enlarged, newBatch, sliceRows } from '../records/columns.ts';
import { lotsTable, REPORTED } from '../records/tables.ts';

export type Lots = Batch<typeof lotsTable>;

/** A lot of a pair, or the part of it that is here or away. */
export interface Lot {
  ordinal: number;
  amount: number;
  /** USD, and native tokens, a token; NaN if unknown. */
  unitCost: number;
  unitNative: number;
  time: number;
}

/** Part of what a pair ever received below which a computed balance is rounding, and 0. */
const EMPTY_PART = 1e-9;

/** Of rows of the lots of a pair, by ordinal, the first that is here: those before it are away. `to` if none is. */
export function firstHere(bought: Float64Array, from: number, to: number): number {
  let row = from;
  while (row < to && Number.isNaN(bought[row]!)) row++;
  return row;
}

export class LotRows {
  #lots = newBatch(lotsTable, 256);
  #length = 0;

  /** Longer than what was collected. */
  get columns(): Lots['columns'] {
    return this.#lots.columns;
  }

  newRow(): number {
    if (this.#length === this.#lots.length) this.#lots = enlarged(lotsTable, this.#lots, this.#length * 2);
    return this.#length++;
  }

  collected(): Lots {
    return sliceRows(this.#lots, 0, this.#length);
  }
}

/** The balance as it is shown: a computed one is nothing where it is the rounding of what was ever received. `flags`: as the tables have them. */
export function settledBalance(balance: number, received: number, flags: number): number {
  return (flags & REPORTED) === 0 && balance <= EMPTY_PART * received ? 0 : balance;
}
