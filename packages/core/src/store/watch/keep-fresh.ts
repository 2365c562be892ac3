import { SwapfoldError } from '../../errors.ts';
import { dirtyTable } from '../../records/tables.ts';
import type { StoreSession } from '../open/session.ts';
import { refreshBeside } from '../write/refresh-beside.ts';
import type { KeepFreshOptions } from './follow-options.ts';

/** A refresh of all takes at most a tenth of the time. */
const REST = 9;

/**
 * Milliseconds that profiles wait for sources which catch up, or `REST` times as long as a refresh took. With 2 s, a chain of 200,000 swaps
 * took a quarter longer to follow on SQLite, and a tenth on DuckDB.
 */
const CATCHING_UP = 60_000;

/** Milliseconds after which a refresh that failed is tried again. */
const RETRY = 30_000;

/** As `Swapfold.keepFresh`. */
export async function keepFresh(
  session: StoreSession,
  { every = 2, allEvery = 300, signal, onRefresh, onError }: KeepFreshOptions,
  closing: AbortSignal,
): Promise<void> {
  const stop = signal === undefined ? closing : AbortSignal.any([signal, closing]);
  const now = (): number => performance.now();
  /** When profiles of what was traded, and when all, are to be refreshed. */
  const due = {
    traded: Number.POSITIVE_INFINITY,
    all: allEvery === 0 ? Number.POSITIVE_INFINITY : now() + allEvery * 1000,
  };
  /** Whether profiles may be others since the last refresh of all. */
  let hasAged = true;
  /** Whether a refresh has failed since one succeeded. */
  let isFailing = false;
  let wake = (): void => undefined;
  const change = (): void => {
    hasAged = true;
    if (every === 0 || due.traded !== Number.POSITIVE_INFINITY) return;
    due.traded = now() + every * 1000;
    wake();
  };
  /** Whether the refresh of what was traded has waited for sources that catch up, and how long it takes. */
  let hasWaited = false;
  let took = 0;
  const catchUp = (): void => {
    if (due.traded === Number.POSITIVE_INFINITY) return;
    due.traded = now();
    wake();
  };
  const forget = [session.upkeep.onChange(change), session.upkeep.onCaughtUp(catchUp)];
  stop.addEventListener('abort', () => wake());
  try {
    if ((await session.storage.snapshot((reader) => reader.count(dirtyTable))) > 0) change();
    while (!stop.aborted) {
      const next = Math.min(due.traded, due.all);
      if (next > now()) {
        await sleepUntil(next, now, (woken) => {
          wake = woken;
        });
        continue;
      }
      const scope = due.all <= now() ? 'all' : 'traded';
      const begun = now();
      if (scope === 'traded' && session.upkeep.isBehind && !hasWaited) {
        hasWaited = true;
        due.traded = begun + Math.max(CATCHING_UP, REST * took);
        continue;
      }
      hasWaited = false;
      due.traded = Number.POSITIVE_INFINITY;
      // Where time is the chain's, nothing has aged while nothing came.
      const isIdle = scope === 'all' && !hasAged && session.config.clock === 'chain';
      if (scope === 'all') hasAged = false;
      try {
        if (!isIdle) {
          const result = await session.upkeep.refreshBeside(() => refreshBeside(session, { scope, signal: stop }));
          took = now() - begun;
          isFailing = false;
          onRefresh?.(result, { scope, seconds: (now() - begun) / 1000 });
        }
      } catch (error) {
        if (stop.aborted || (error instanceof SwapfoldError && error.code === 'closed')) return;
        if (onError !== undefined) onError(error);
        else if (!isFailing) session.memory.tell(error);
        isFailing = true;
        hasAged = true;
        due[scope] = now() + Math.max(RETRY, scope === 'all' ? REST * (now() - begun) : 0);
        continue;
      }
      if (scope === 'all') due.all = Math.max(begun + allEvery * 1000, now() + REST * (now() - begun));
    }
  } finally {
    for (const end of forget) end();
  }
}

/** Resolves at the time, or when the function that `woken` is given is called. */
function sleepUntil(time: number, now: () => number, woken: (wake: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = Number.isFinite(time)
      ? setTimeout(resolve, Math.min(2 ** 31 - 1, Math.max(1, time - now())))
      : undefined;
    woken(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
