import type { Logger } from './logger.ts';

/** At most one line in so many milliseconds. */
const PAUSE = 10_000;

/** Logs connections that could not be accepted: the first at once, later ones together. */
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
