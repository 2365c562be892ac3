/**
 * What it costs on this machine to read what was not read for some milliseconds: `node --import tsx bench/cold.ts`.
 * The loop of a search, four conditions over 200,000 rows, runs again and again, and with a pause before each time; beside it a loop that
 * reads no memory, which tells whether the processor itself is slower after a pause.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from './timing.ts';

const ROWS = 200_000;
const RUNS = 300;
const PAUSE = 3;

const columns = Array.from({ length: 4 }, () => Float64Array.from({ length: ROWS }, Math.random));
const found = new Int32Array(ROWS);

function search(): number {
  const [a, b, c, d] = columns as [Float64Array, Float64Array, Float64Array, Float64Array];
  let count = 0;
  for (let row = 0; row < ROWS; row++) {
    found[count] = row;
    count += +(a[row]! >= 0.2) & +(b[row]! >= 0.3) & +(c[row]! >= 0.1) & +(d[row]! >= 0.25);
  }
  return count;
}

function calculate(): number {
  let number = 1;
  for (let i = 0; i < 2 * ROWS; i++) number = (Math.imul(number, 1_664_525) + 1_013_904_223) | 0;
  return number;
}

/** Spun, not slept: the processor stays at work. */
function spin(): void {
  const until = performance.now() + PAUSE;
  while (performance.now() < until);
}

let sink = 0;

async function measure(work: () => number, before: () => unknown): Promise<string> {
  const times: number[] = [];
  for (let i = 0; i < RUNS; i++) {
    await before();
    const start = performance.now();
    sink += work();
    times.push(performance.now() - start);
  }
  return [0.25, 0.5, 0.75].map((part) => quantile(times, part).toFixed(2)).join('  ');
}

const works = { 'conditions over four columns': search, 'no memory': calculate };
const pauses = { 'again and again': () => undefined, '3 ms asleep': () => sleep(PAUSE), '3 ms busy elsewhere': spin };
console.log('milliseconds: lower quartile, median, upper quartile');
for (const [name, work] of Object.entries(works)) {
  await measure(work, () => undefined);
  for (const [pause, before] of Object.entries(pauses))
    console.log(`${name}, ${pause}:`.padEnd(52), await measure(work, before));
}
console.log(sink === 0 ? 'nothing was found' : '');
