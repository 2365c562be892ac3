interface BucketSum {
  readonly from: number;
  readonly to: number;
  readonly sums: Float64Array;
}

/**
 * What the trades of whole buckets of one entity add up to, by the bucket's number. They hold as long as their rows stay where they are: rows
 * come and go at the end only.
 */
export class BucketSums {
  readonly #sums = new Map<number, BucketSum>();

  get size(): number {
    return this.#sums.size;
  }

  /** The bucket, if it is rows `from` or later to `to`. */
  find(number: number, from: number, to: number): BucketSum | undefined {
    const bucket = this.#sums.get(number);
    return bucket !== undefined && bucket.to === to && bucket.from >= from ? bucket : undefined;
  }

  /** Stores what the rows `from` to `to`, all of a bucket, add up to. */
  put(number: number, from: number, to: number, sums: Float64Array): void {
    this.#sums.set(number, { from, to, sums: sums.slice() });
  }

  /** Drops the buckets that go beyond so many rows. */
  cut(rows: number): void {
    for (const [number, { to }] of this.#sums) if (to > rows) this.#sums.delete(number);
  }
}
