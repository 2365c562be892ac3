import { setTimeout as pause } from 'node:timers/promises';

/** Waits until something holds, looking every few milliseconds. Shape: milliseconds. Errors: after ten minutes. */
export async function until(what: string, every: number, holds: () => Promise<boolean>): Promise<number> {
  const begun = performance.now();
  while (!(await holds())) {
    if (performance.now() - begun > 600_000) throw new Error(`Waited for ten minutes until ${what}.`);
    await pause(every);
  }
  return performance.now() - begun;
}
