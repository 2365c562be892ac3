import type { Logger } from './logger.ts';
import type { Overload, OverloadReason } from './overload.ts';

/** At most one line in so many milliseconds: a server that is overloaded has no time to write more. */
const PAUSE = 10_000;

const overload: ReadonlySet<OverloadReason> = new Set(['full', 'waited-too-long', 'bodies', 'cut']);

/** Logs overload: the first at once, later ones together. */
export function createOverloadLog(logger: Logger): (overload: Overload) => void {
  let refused = 0;
  let toldAt = -Infinity;
  return ({ reason }) => {
    if (!overload.has(reason)) return;
    refused++;
    const now = performance.now();
    if (now - toldAt < PAUSE) return;
    logger.error({ refused, reason }, 'overloaded: requests were answered 503');
    refused = 0;
    toldAt = now;
  };
}
