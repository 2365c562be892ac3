/** Work that stops wherever others may have their turn, after so little of it that nobody need look at the clock more often. */
export type Work<R> = Generator<void, R, void>;

/** Work done to its end without a pause. */
export function finish<R>(work: Work<R>): R {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** Does `each` with one piece of the rows after another, `size` rows long. */
export function* inPieces(rows: Int32Array, size: number, each: (piece: Int32Array) => void): Work<void> {
  for (let at = 0; at < rows.length; at += size) {
    each(rows.subarray(at, at + size));
    yield;
  }
}
