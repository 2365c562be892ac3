/**
 * What it costs on this machine to read what was not read for some milliseconds: `node --import tsx bench/cold.ts`.
 * The loop of a search, four conditions over 200,000 rows, runs again and again, and with a pause before each time; beside it a loop that
 * reads no memory, which tells whether the processor itself is slower after a pause.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { fourConditions, PAUSE, timesOf } from './yardstick.ts';

const STEPS = 400_000;

function calculate(): number {
  let number = 1;
  for (let i = 0; i < STEPS; i++) number = (Math.imul(number, 1_664_525) + 1_013_904_223) | 0;
  return number;
}

/** Spun, not slept: the processor stays at work. */
function spin(): void {
  const until = performance.now() + PAUSE;
  while (performance.now() < until);
}

const works = { 'conditions over four columns': fourConditions, 'no memory': calculate };
const pauses = { 'again and again': () => undefined, '3 ms asleep': () => sleep(PAUSE), '3 ms busy elsewhere': spin };
console.log('milliseconds: lower quartile, median, upper quartile');
for (const [name, work] of Object.entries(works)) {
  await timesOf(work, () => undefined);
  for (const [pause, before] of Object.entries(pauses)) {
    const { quartiles, median } = await timesOf(work, before);
    const figures = [quartiles[0], median, quartiles[1]].map((time) => time.toFixed(2)).join('  ');
    console.log(`${name}, ${pause}:`.padEnd(52), figures);
  }
}
