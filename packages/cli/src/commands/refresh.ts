import { type Swapfold, SwapfoldError } from '@swapfold/core';
import type { Command } from 'commander';
import { readConfigFile } from '../config-file.ts';
import type { ExitCode } from '../exit-codes.ts';
import { interruptible } from '../interruption.ts';
import { parseAsOf } from '../number-options.ts';
import { lend, openToRefold, requireStore, type StoreOptions } from '../open-store.ts';
import { addStoreOptions, examplesHelp } from '../options/store-options.ts';
import { print } from '../output.ts';
import { createProgress } from '../progress/create-progress.ts';
import { refoldAloud, refreshAloud } from '../refreshing.ts';
import { formatCount } from '../text/numbers.ts';

interface RefreshOptions extends StoreOptions {
  readonly asOf?: number | undefined;
}

/** `swapfold refresh --db URL` */
export function addRefresh(program: Command, end: (code: ExitCode) => void): void {
  const command = program
    .command('refresh')
    .summary('bring the stored profiles up to date')
    .description(
      'Folds the profiles of the tokens, wallets and positions that have changed, or that time has changed, since the last refresh; all of them where the label rules of the configuration are others than those that they were folded with.',
    );
  addStoreOptions(command)
    .option('--as-of <time>', 'profiles as if nothing later had happened: RFC 3339, a day or Unix seconds', parseAsOf)
    .addHelpText(
      'after',
      examplesHelp([
        'swapfold refresh --db dex.duckdb',
        'swapfold refresh --db dex.duckdb --config new-label-rules.json',
        'swapfold refresh --db dex.duckdb --as-of 2024-01-05T00:00:00Z',
      ]),
    )
    .action(async (options: RefreshOptions) => {
      end(await interruptible((signal) => refresh(options, signal)));
    });
}

async function refresh({ db, config: configPath, asOf }: RefreshOptions, signal: AbortSignal) {
  await requireStore(db);
  const config = await readConfigFile(configPath);
  const progress = createProgress();
  const { dex, wasRefolded } = await refoldAloud(progress, (told) =>
    openToRefold(db, config, { what: 'profiles', signal, ...told }),
  );
  await lend(dex, async (opened) => {
    const isDone = wasRefolded && (await tellProfiles(opened));
    if (!isDone || asOf !== undefined) await refreshAloud(opened, { progress, asOf, signal });
  });
}

/** Says how many profiles were folded again; `false` where there were none, because no refresh has run. */
async function tellProfiles(dex: Swapfold): Promise<boolean> {
  const request = { limit: 1, options: {} };
  try {
    const { count: tokens } = await dex.tokens.search(request);
    const { count: wallets } = await dex.wallets.search(request);
    const { count: positions } = await dex.positions.search(request);
    print(
      `Folded ${formatCount(tokens)} token, ${formatCount(wallets)} wallet and ${formatCount(positions)} position profiles again.`,
    );
    return true;
  } catch (error) {
    if (error instanceof SwapfoldError && error.code === 'not-refreshed') return false;
    throw error;
  }
}
