import { summary, type Times } from './timing.ts';

const ROWS = 200_000;
const RUNS = 200;

const columns = Array.from({ length: 4 }, () => Float64Array.from({ length: ROWS }, Math.random));
const [a, b, c, d] = columns as [Float64Array, Float64Array, Float64Array, Float64Array];
const found = new Int32Array(ROWS);

/** The least that a search of four conditions over 200,000 rows has to do: how long it takes stands for the machine's speed at that time. */
function fourConditions(): number {
  let count = 0;
  for (let row = 0; row < ROWS; row++) {
    found[count] = row;
    count += +(a[row]! >= 0.2) & +(b[row]! >= 0.3) & +(c[row]! >= 0.1) & +(d[row]! >= 0.25);
  }
  return count;
}

/** How long that takes, over and over. */
export function yardstick(): Times {
  const times: number[] = [];
  let sum = 0;
  for (let i = 0; i < RUNS; i++) {
    const start = performance.now();
    sum += fourConditions();
    times.push(performance.now() - start);
  }
  if (sum === 0) throw new Error('The work found nothing: it may have been left out.');
  return summary(times);
}
