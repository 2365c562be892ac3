import type { Swapfold } from '@swapfold/core';
import type { Command } from 'commander';
import { readConfigFile } from '../config-file.ts';
import type { ExitCode } from '../exit-codes.ts';
import { interruptible } from '../interruption.ts';
import { isOfProfiles } from '../mismatch.ts';
import { lend, openToRefold, requireStore, type StoreOptions } from '../open-store.ts';
import { addStoreOptions, examplesHelp } from '../options/store-options.ts';
import { print } from '../output.ts';
import { createProgress } from '../progress/create-progress.ts';
import type { Progress } from '../progress/progress.ts';
import { refoldAloud } from '../refreshing.ts';
import { formatCount, formatElapsed } from '../text/numbers.ts';

/** `swapfold rebuild --db URL` */
export function addRebuild(program: Command, end: (code: ExitCode) => void): void {
  const command = program
    .command('rebuild')
    .summary('fold everything again from the stored swaps')
    .description(
      'Folds trades, positions and profiles again from the stored swaps: after a change of the configuration (quote tokens, dust, address format) or of the version of Swapfold, or to check that nothing else comes out.',
    );
  addStoreOptions(command)
    .addHelpText(
      'after',
      examplesHelp(['swapfold rebuild --db dex.duckdb', 'swapfold rebuild --db dex.db --config new-quote-tokens.json']),
    )
    .action(async (options: StoreOptions) => {
      end(await interruptible((signal) => rebuild(options, signal)));
    });
}

async function rebuild({ db, config: configPath }: StoreOptions, signal: AbortSignal): Promise<void> {
  await requireStore(db);
  const config = await readConfigFile(configPath);
  const begun = performance.now();
  const progress = createProgress();
  let isWhole = false;
  const { dex } = await refoldAloud(progress, ({ onRefold, ...told }) =>
    openToRefold(db, config, {
      what: 'all',
      signal,
      ...told,
      onRefold(differences) {
        isWhole = !isOfProfiles(differences);
        onRefold(differences);
      },
    }),
  );
  await lend(dex, async (opened) => {
    if (!isWhole) await rebuildAloud(opened, progress, signal);
    await tell(opened, begun);
  });
}

async function rebuildAloud(dex: Swapfold, progress: Progress, signal: AbortSignal): Promise<void> {
  const { count } = await dex.swaps.list({ limit: 1 });
  progress.begin('rebuild', 'swaps');
  await dex
    .rebuild({ signal, onSwaps: (done) => progress.advance(Math.min(done / count, 1), done) })
    .finally(() => progress.end());
}

async function tell(dex: Swapfold, begun: number): Promise<void> {
  const request = { limit: 1, options: {} };
  const [swaps, tokens, wallets, positions] = await Promise.all([
    dex.swaps.list({ limit: 1 }),
    dex.tokens.search(request),
    dex.wallets.search(request),
    dex.positions.search(request),
  ]);
  const elapsed = formatElapsed((performance.now() - begun) / 1000);
  print(
    `Folded ${formatCount(swaps.count)} swaps into ${formatCount(tokens.count)} token, ${formatCount(wallets.count)} wallet and ${formatCount(positions.count)} position profiles in ${elapsed}.`,
  );
}
