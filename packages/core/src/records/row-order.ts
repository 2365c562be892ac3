/** The rows 0, 1, 2 ... of a batch. */
export function allRows(length: number): Uint32Array {
  const rows = new Uint32Array(length);
  for (let row = 0; row < length; row++) rows[row] = row;
  return rows;
}

/** Whether no value is less than the one before it. */
export function isAscending(values: ArrayLike<number>, length = values.length): boolean {
  for (let i = 1; i < length; i++) if (values[i]! < values[i - 1]!) return false;
  return true;
}

/** Index of the first of `values[0..length)` (ascending) that is greater than `value`. */
export function firstAfter(values: Float64Array, length: number, value: number): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
