import type { SwapFieldName } from '../records/swap-fields.ts';

export type RowError = readonly [field: SwapFieldName, reason: string];

/** The first error of each row of a batch. A batch is checked column by column, in the order in which errors count. */
export class RowErrors {
  count = 0;
  /** By row: the number of the check that the row failed first, from 1; 0 for a row without an error. */
  readonly #failed: Uint8Array;
  readonly #checks: (readonly [field: SwapFieldName, reasonOf: (row: number) => string])[] = [];

  constructor(rows: number) {
    this.#failed = new Uint8Array(rows);
  }

  /** The number of a new check. `reasonOf` says why a row fails it, and is asked of failing rows only. */
  add(field: SwapFieldName, reasonOf: (row: number) => string): number {
    return this.#checks.push([field, reasonOf]);
  }

  mark(row: number, check: number): void {
    if (this.#failed[row] !== 0) return;
    this.#failed[row] = check;
    this.count++;
  }

  /** What is wrong with the row, if anything. */
  of(row: number): RowError | undefined {
    const check = this.#checks[this.#failed[row]! - 1];
    return check && [check[0], check[1](row)];
  }

  /** The rows without an error, in order. */
  passed(): Uint32Array {
    const rows = new Uint32Array(this.#failed.length - this.count);
    let at = 0;
    for (let row = 0; row < this.#failed.length; row++) if (this.#failed[row] === 0) rows[at++] = row;
    return rows;
  }
}
