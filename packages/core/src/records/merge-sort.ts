import type { Work } from '../work.ts';

/**
 * The values in order, equal ones as they came; takes over their array. Runs of `size`, each of which `sortRun` sorts, are merged: others
 * may have their turn after as many values.
 */
export function* mergeSorting<A extends Int32Array | Float64Array>(
  values: A,
  size: number,
  sortRun: (run: A) => void,
  order: (a: number, b: number) => number,
): Work<A> {
  for (let at = 0; at < values.length; at += size) {
    sortRun(values.subarray(at, at + size) as A);
    yield;
  }
  let [from, to]: [A, A] = [values, values.slice() as A];
  for (let width = size; width < values.length; width *= 2) {
    for (let at = 0; at < values.length; at += 2 * width) {
      const middle = Math.min(at + width, values.length);
      const end = Math.min(middle + width, values.length);
      let [left, right] = [at, middle];
      for (let next = at; next < end; next++) {
        if (next % size === 0) yield;
        const isLeft = left < middle && (right === end || order(from[left]!, from[right]!) <= 0);
        to[next] = from[isLeft ? left++ : right++]!;
      }
    }
    [from, to] = [to, from];
  }
  return from;
}
