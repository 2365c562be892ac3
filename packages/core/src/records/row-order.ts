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
