import type { OpenOptions, Swapfold, SwapfoldError } from '@swapfold/core';
import { formatTime } from '@swapfold/core/host';
import type { Refolded } from './open-store.ts';
import { note, print } from './output.ts';
import type { Progress } from './progress/progress.ts';
import { formatCount, formatElapsed } from './text/numbers.ts';

/** Refreshes the profiles and tells of it. */
export async function refreshAloud(
  dex: Swapfold,
  options: {
    readonly progress: Progress;
    readonly asOf?: number | undefined;
    readonly signal?: AbortSignal;
  },
): Promise<void> {
  const { progress, asOf, signal } = options;
  const begun = performance.now();
  progress.begin('refresh', 'profiles');
  const result = await dex
    .refresh({
      asOf,
      signal,
      onProgress: (done, total) => progress.advance(total === 0 ? 1 : done / total, done),
    })
    .finally(() => progress.end());
  const elapsed = formatElapsed((performance.now() - begun) / 1000);
  print(
    `Refreshed ${formatCount(result.tokens)} token, ${formatCount(result.wallets)} wallet and ${formatCount(result.positions)} position profiles as of ${formatTime(result.as_of)} in ${elapsed}.`,
  );
}

/** Receives the progress while a store is folded again. */
type Told = Required<Pick<OpenOptions, 'onProgress' | 'onSwaps'>> & {
  readonly onRefold: (differences: SwapfoldError) => void;
};

/** Opens a store that may have to be folded again, and tells of it. */
export async function refoldAloud(progress: Progress, open: (told: Told) => Promise<Refolded>): Promise<Refolded> {
  let isFolding = false;
  return open({
    onRefold: ({ details }) => {
      const differences = details.map(({ path, message }) => `"${path}": ${message}`).join('; ');
      note(`The store was folded with other settings (${differences}): folding it again.`);
      progress.begin('folding', 'rows');
      isFolding = true;
    },
    onSwaps: (done) => progress.advance(0, done),
    onProgress: (done, total) => progress.advance(total === 0 ? 1 : done / total, done),
  }).finally(() => {
    if (isFolding) progress.end();
  });
}
