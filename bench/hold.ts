import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** Does the work, and gives the longest time for which it held the event loop, milliseconds: a timer beside it is due every millisecond. */
export async function holdOf(work: () => Promise<unknown>): Promise<number> {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  await work();
  // What the work left to do still counts.
  await sleep(2);
  delays.disable();
  return delays.max / 1e6;
}
