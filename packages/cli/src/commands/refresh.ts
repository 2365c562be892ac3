import type { Command } from 'commander';
import type { ExitCode } from '../exit-codes.ts';
import { interruptible } from '../interruption.ts';
import { type StoreOptions, withExistingStore } from '../open-store.ts';
import { parseAsOf } from '../options/numbers.ts';
import { addStoreOptions, examplesHelp } from '../options/store-options.ts';
import { createProgress } from '../progress/progress.ts';
import { refreshAloud } from '../refreshing.ts';

interface RefreshOptions extends StoreOptions {
  readonly asOf?: number | undefined;
}

/** `swapfold refresh --db URL` */
export function addRefresh(program: Command, end: (code: ExitCode) => void): void {
  const command = program
    .command('refresh')
    .summary('bring the stored profiles up to date')
    .description(
      'Folds the profiles of the tokens and wallets that have changed, or that time has changed, since the last refresh.',
    );
  addStoreOptions(command)
    .option('--as-of <time>', 'profiles as if nothing later had happened: RFC 3339 or Unix seconds', parseAsOf)
    .addHelpText(
      'after',
      examplesHelp([
        'swapfold refresh --db dex.duckdb',
        'swapfold refresh --db dex.duckdb --as-of 2024-01-05T00:00:00Z',
      ]),
    )
    .action(async (options: RefreshOptions) => {
      const { asOf } = options;
      end(
        await interruptible((signal) =>
          withExistingStore(options, (dex) => refreshAloud(dex, { progress: createProgress(), asOf, signal })),
        ),
      );
    });
}
