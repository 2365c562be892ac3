import type { Command } from 'commander';
import { readConfigFile } from '../config-file.ts';
import type { ExitCode } from '../exit-codes.ts';
import { foldingThread } from '../fold-aside.ts';
import { interruptible } from '../interruption.ts';
import { type StoreOptions, withExistingStore } from '../open-store.ts';
import { parseAsOf, wholeNumber } from '../options/numbers.ts';
import { addStoreOptions, examplesHelp } from '../options/store-options.ts';
import { createProgress } from '../progress/progress.ts';
import { refreshAloud } from '../refreshing.ts';

interface RefreshOptions extends StoreOptions {
  readonly asOf?: number | undefined;
  readonly workers: number;
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
    .option(
      '--workers <count>',
      'threads that fold the profiles, each with the store open for reading, while this one writes them; not on DuckDB (default: none)',
      wholeNumber(0, 256),
      0,
    )
    .addHelpText(
      'after',
      examplesHelp([
        'swapfold refresh --db dex.duckdb',
        'swapfold refresh --db dex.duckdb --as-of 2024-01-05T00:00:00Z',
        'swapfold refresh --db clickhouse:http://localhost:8123/dex --workers 8',
      ]),
    )
    .action(async (options: RefreshOptions) => {
      const { asOf, db } = options;
      const config = await readConfigFile(options.config);
      const workers = Array.from({ length: options.workers }, () => foldingThread(db, config));
      end(
        await interruptible((signal) =>
          withExistingStore(options, (dex) => refreshAloud(dex, { progress: createProgress(), asOf, workers, signal })),
        ),
      );
    });
}
