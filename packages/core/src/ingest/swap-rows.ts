/** Rows of a transaction that are looked through one by one; beyond, a map is made. */
const FEW = 16;

/** Rows by what identifies a swap: the place of its transaction, and its index in it. */
export class SwapRows {
  readonly #indexes: ArrayLike<number>;
  /** By transaction: the row added last, -1 where there is none. */
  readonly #last: Int32Array;
  /** By row: the row of the same transaction that was added before it, -1 where there is none. */
  readonly #before: Int32Array;
  /** Rows by swap index, of the transactions with many. */
  readonly #many = new Map<number, Map<number, number>>();

  /** `indexes`: the swap index of every row that may be added. */
  constructor(transactions: number, indexes: ArrayLike<number>) {
    this.#indexes = indexes;
    this.#last = new Int32Array(transactions).fill(-1);
    this.#before = new Int32Array(indexes.length);
  }

  /** The row that was added for the swap, -1 where there is none. */
  find(transaction: number, index: number): number {
    let row = this.#last[transaction]!;
    for (let looked = 0; row >= 0 && looked < FEW; looked++) {
      if (this.#indexes[row] === index) return row;
      row = this.#before[row]!;
    }
    return row < 0 ? -1 : (this.#byIndex(transaction).get(index) ?? -1);
  }

  add(transaction: number, row: number): void {
    this.#before[row] = this.#last[transaction]!;
    this.#last[transaction] = row;
    this.#many.get(transaction)?.set(this.#indexes[row]!, row);
  }

  #byIndex(transaction: number): Map<number, number> {
    let rows = this.#many.get(transaction);
    if (rows === undefined) {
      rows = new Map();
      for (let row = this.#last[transaction]!; row >= 0; row = this.#before[row]!) rows.set(this.#indexes[row]!, row);
      this.#many.set(transaction, rows);
    }
    return rows;
  }
}
