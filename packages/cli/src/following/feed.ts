import type { Swapfold } from '@swapfold/core';
import type { LiveOptions } from '../options/live-options.ts';
import { type FollowLog, keepFollowing, sourcesOf } from './follow-all.ts';

interface FeedOptions extends LiveOptions {
  readonly sources?: readonly string[] | undefined;
  readonly signal: AbortSignal;
  readonly log: FollowLog;
}

/** Has a store follow its sources and refresh by itself, in the background until the signal aborts. Errors: `invalid-input` for a source that is none. */
export async function feed(dex: Swapfold, options: FeedOptions): Promise<void> {
  const { signal, maxAhead, log, refreshEvery: every, refreshAllEvery: allEvery } = options;
  for (const source of await sourcesOf(options.sources ?? [], options, { dex, log }))
    void keepFollowing(dex, source, { signal, maxAhead, log });
  const onError = (err: unknown): void => log.error({ err }, 'The profiles were not refreshed:');
  dex.keepFresh({ every, allEvery, signal, onError }).catch((err: unknown) => {
    if (!signal.aborted) onError(err);
  });
}
