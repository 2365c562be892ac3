import type { Logger } from './logger.ts';

/** At most one line in so many milliseconds: a server that is overloaded has no time to write more. */
const PAUSE = 10_000;

/** Logs what may come often as errors: the first at once, later ones together, with their `count` and the fields of the last. */
export function createSeldomLog(
  logger: Logger,
  { count, message }: { readonly count: string; readonly message: string },
): (fields: Readonly<Record<string, unknown>>) => void {
  let since = 0;
  let toldAt = Number.NEGATIVE_INFINITY;
  return (fields) => {
    since++;
    const now = performance.now();
    if (now - toldAt < PAUSE) return;
    logger.error({ [count]: since, ...fields }, message);
    since = 0;
    toldAt = now;
  };
}
