import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** The longest time for which some work held the event loop, milliseconds. */
export interface Hold {
  /** As a caller beside it feels it: with what the thread waited for, other programs among it. */
  readonly elapsed: number;
  /** What the thread itself worked: as good on a busy machine. NaN where the system does not tell it. */
  readonly worked: number;
}

/** Processor time of the thread that runs JavaScript, milliseconds, as Linux tells it. */
function worked(): number {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e6;
  } catch {
    return Number.NaN;
  }
}

/** Does the work with a timer beside it that is due every millisecond. */
export async function holdOf(work: () => Promise<unknown>): Promise<Hold> {
  let longest: Hold = { elapsed: 0, worked: 0 };
  let before = { time: performance.now(), worked: worked() };
  const look = (): void => {
    const at = { time: performance.now(), worked: worked() };
    longest = {
      elapsed: Math.max(longest.elapsed, at.time - before.time),
      worked: Math.max(longest.worked, at.worked - before.worked),
    };
    before = at;
  };
  const timer = setInterval(look, 1);
  try {
    await work();
    // What the work left to do still counts.
    await sleep(2);
  } finally {
    look();
    clearInterval(timer);
  }
  return longest;
}
