import type { Logger } from './logger.ts';

/** At most one line in so many milliseconds. */
const PAUSE = 10_000;

/** Logs addresses that send many wrong keys: the first at once, later ones together, by the last of them. */
export function createWrongKeyLog(logger: Logger): (peer: string) => void {
  let wrong_keys = 0;
  let toldAt = -Infinity;
  return (peer) => {
    wrong_keys++;
    const now = performance.now();
    if (now - toldAt < PAUSE) return;
    logger.error({ peer, wrong_keys }, 'many wrong API keys: their answers come late');
    wrong_keys = 0;
    toldAt = now;
  };
}
