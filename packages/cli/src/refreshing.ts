import { formatTime, type RefreshWorker, type Swapfold } from '@swapfold/core';
import { print } from './output.ts';
import type { Progress } from './progress/progress.ts';
import { formatCount, formatElapsed } from './text/numbers.ts';

/** Refreshes the profiles and tells of it. */
export async function refreshAloud(
  dex: Swapfold,
  options: {
    readonly progress: Progress;
    readonly asOf?: number | undefined;
    readonly workers?: readonly RefreshWorker[] | undefined;
    readonly signal?: AbortSignal;
  },
): Promise<void> {
  const { progress, asOf, workers, signal } = options;
  const begun = performance.now();
  progress.begin('refresh', 'profiles');
  const result = await dex
    .refresh({
      asOf,
      workers,
      signal,
      onProgress: (done, total) => progress.advance(total === 0 ? 1 : done / total, done),
    })
    .finally(() => progress.end());
  const elapsed = formatElapsed((performance.now() - begun) / 1000);
  print(
    `Refreshed ${formatCount(result.tokens)} token and ${formatCount(result.wallets)} wallet profiles as of ${formatTime(result.as_of)} in ${elapsed}.`,
  );
}
