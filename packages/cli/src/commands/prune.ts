import { formatTime } from '@swapfold/core/host';
import type { Command } from 'commander';
import type { ExitCode } from '../exit-codes.ts';
import { interruptible } from '../interruption.ts';
import { parseTime } from '../number-options.ts';
import { type StoreOptions, withExistingStore } from '../open-store.ts';
import { addStoreOptions, examplesHelp } from '../options/store-options.ts';
import { print } from '../output.ts';
import { createProgress } from '../progress/create-progress.ts';
import { formatCount } from '../text/numbers.ts';

interface PruneOptions extends StoreOptions {
  readonly keep?: string;
  readonly before?: string;
}

/** `swapfold prune --db URL --keep 31d` */
export function addPrune(program: Command, end: (code: ExitCode) => void): void {
  const command = program
    .command('prune')
    .summary('forget the swaps before a day')
    .description(
      'Forgets the swaps before a day, oldest first, and keeps where everything stood then: later answers are those of a store that has forgotten nothing, and what reaches further back fails with behind-horizon. At least 31 days up to the newest swap stay. There is no way back: make a copy first if you may want them. A prune that is stopped has forgotten a part; the next one goes on.',
    );
  addStoreOptions(command)
    .option('--keep <days>', 'the days up to the newest swap that stay, such as 45d')
    .option(
      '--before <time>',
      'the first day that stays: a day such as 2025-01-31, or that of an RFC 3339 time',
      parseTime,
    )
    .addHelpText(
      'after',
      examplesHelp(['swapfold prune --db dex.duckdb --keep 45d', 'swapfold prune --db dex.db --before 2025-01-01']),
    )
    .action(async ({ keep, before, ...options }: PruneOptions) => {
      end(
        await interruptible(
          (signal) =>
            withExistingStore(options, async (dex) => {
              const progress = createProgress();
              progress.begin('forgetting', 'swaps');
              const onSwaps = (done: number): void => progress.advance(0, done);
              const { horizon, swaps } = await dex
                .prune({ keep, before, signal, onSwaps })
                .finally(() => progress.end());
              const begins = horizon === null ? 'with its first swap' : `at ${formatTime(horizon)}`;
              print(`Forgot ${formatCount(swaps)} swaps. The store begins ${begins}.`);
            }),
          'Interrupted. A part may be forgotten; run the same command again to go on.',
        ),
      );
    });
}
