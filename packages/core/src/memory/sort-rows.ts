import type { Work } from '../work.ts';
import type { RowOrder } from './column.ts';

/** Rows sorted, and then merged, before others may have their turn. */
const RUN = 2048;

/** The rows in order, equal ones as they came: a new list, or the list itself if it is in order. */
export function* sortRows(rows: Int32Array, order: RowOrder): Work<Int32Array> {
  if (yield* isSorted(rows, order)) return rows;
  let [from, to] = [rows.slice(), new Int32Array(rows.length)];
  for (let at = 0; at < rows.length; at += RUN) {
    from.subarray(at, at + RUN).sort(order);
    yield;
  }
  for (let width = RUN; width < rows.length; width *= 2) {
    for (let at = 0; at < rows.length; at += 2 * width) yield* merge(from, to, at, width, order);
    [from, to] = [to, from];
  }
  return from;
}

/** Merges the two runs of `width` rows that begin at `at`. */
function* merge(from: Int32Array, to: Int32Array, at: number, width: number, order: RowOrder): Work<void> {
  const middle = Math.min(at + width, from.length);
  const end = Math.min(middle + width, from.length);
  let [left, right] = [at, middle];
  for (let next = at; next < end; next++) {
    if (next % RUN === 0) yield;
    const isLeft = left < middle && (right === end || order(from[left]!, from[right]!) <= 0);
    to[next] = from[isLeft ? left++ : right++]!;
  }
}

function* isSorted(rows: Int32Array, order: RowOrder): Work<boolean> {
  for (let i = 1; i < rows.length; i++) {
    if (order(rows[i - 1]!, rows[i]!) > 0) return false;
    if (i % RUN === 0) yield;
  }
  return true;
}
