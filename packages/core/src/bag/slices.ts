interface KeptSlice {
  readonly from: number;
  readonly to: number;
  readonly sums: Float64Array;
}

/**
 * What the trades of whole slices of one entity add up to, by the slice's number. They hold as long as their rows stay where they are: rows
 * come and go at the end only.
 */
export class KeptSlices {
  readonly #slices = new Map<number, KeptSlice>();

  get size(): number {
    return this.#slices.size;
  }

  /** The slice, if it is rows `from` or later to `to`. */
  find(number: number, from: number, to: number): KeptSlice | undefined {
    const slice = this.#slices.get(number);
    return slice !== undefined && slice.to === to && slice.from >= from ? slice : undefined;
  }

  /** Keeps what the rows `from` to `to`, all of a slice, add up to. */
  keep(number: number, from: number, to: number, sums: Float64Array): void {
    this.#slices.set(number, { from, to, sums: sums.slice() });
  }

  /** Forgets the slices that go beyond so many rows. */
  cut(rows: number): void {
    for (const [number, { to }] of this.#slices) if (to > rows) this.#slices.delete(number);
  }
}
