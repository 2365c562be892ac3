import type { Logger } from './logger.ts';

/** At most one line in so many milliseconds. */
const PAUSE = 10_000;

/** Tells the operator of connections that could not be taken: the first at once, those after it together. */
export function createAcceptLog(logger: Logger): (err: Error) => void {
  let failed = 0;
  let toldAt = -Infinity;
  return (err) => {
    failed++;
    const now = performance.now();
    if (now - toldAt < PAUSE) return;
    logger.error({ failed, err }, 'connections could not be taken');
    failed = 0;
    toldAt = now;
  };
}
