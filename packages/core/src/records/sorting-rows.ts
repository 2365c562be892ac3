import type { Work } from '../work.ts';

/** Rows that are put in order at once: below a millisecond. */
const RUN = 1024;

/** The rows in an order, in which equal ones keep theirs. Others may have their turn meanwhile, however many there are. */
export function* sortingRows<T>(rows: readonly T[], compare: (a: T, b: T) => number): Work<readonly T[]> {
  let runs: (readonly T[])[] = [];
  for (let from = 0; from < rows.length; from += RUN) {
    runs.push(rows.slice(from, from + RUN).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = [];
    for (let i = 0; i < runs.length; i += 2) merged.push(yield* merging(runs[i]!, runs[i + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merging<T>(a: readonly T[], b: readonly T[], compare: (a: T, b: T) => number): Work<readonly T[]> {
  const all: T[] = [];
  for (let [i, j] = [0, 0]; i < a.length || j < b.length; ) {
    const isFirst = j === b.length || (i < a.length && compare(a[i]!, b[j]!) <= 0);
    all.push(isFirst ? a[i++]! : b[j++]!);
    if (all.length % RUN === 0) yield;
  }
  return all;
}
