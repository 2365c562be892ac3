import { setTimeout as sleep } from 'node:timers/promises';

/** Does the work, and gives the longest time for which it held the event loop, milliseconds: a timer beside it is due every millisecond. */
export async function holdOf(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let before = performance.now();
  const look = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - before);
    before = now;
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
