import type { Command } from 'commander';
import type { ExitCode } from '../exit-codes.ts';
import { interruptible } from '../interruption.ts';
import { wholeNumber } from '../number-options.ts';
import { type StoreOptions, withExistingStore } from '../open-store.ts';
import { addStoreOptions, examplesHelp } from '../options/store-options.ts';
import { print } from '../output.ts';
import { createProgress } from '../progress/create-progress.ts';
import { refreshAloud } from '../refreshing.ts';
import { formatCount } from '../text/numbers.ts';

interface RollbackOptions extends StoreOptions {
  readonly fromSlot: number;
  /** False with `--no-refresh`. */
  readonly refresh: boolean;
}

/** `swapfold rollback --db URL --from-slot N` */
export function addRollback(program: Command, end: (code: ExitCode) => void): void {
  const command = program
    .command('rollback')
    .summary('remove the swaps of orphaned blocks')
    .description(
      'Removes the swaps of a block slot and of all later ones, as after a reorganisation of the chain, folds again what they touched and refreshes the profiles. The store is then as if it had never had them.',
    );
  addStoreOptions(command)
    .requiredOption('--from-slot <number>', 'the first block slot to remove', wholeNumber(0, Number.MAX_SAFE_INTEGER))
    .option('--no-refresh', 'leave the profiles as they are (swapfold refresh brings them up to date)')
    .addHelpText(
      'after',
      examplesHelp([
        'swapfold rollback --db dex.duckdb --from-slot 312845071',
        'swapfold rollback --db dex.db --from-slot 19000000 --no-refresh',
      ]),
    )
    .action(async (options: RollbackOptions) => {
      end(
        await interruptible((signal) =>
          withExistingStore(options, async (dex) => {
            const { swaps, transactions } = await dex.rollback({ from_block_slot: options.fromSlot, signal });
            print(`Removed ${formatCount(swaps)} swaps of ${formatCount(transactions)} transactions.`);
            if (options.refresh) await refreshAloud(dex, { progress: createProgress(), signal });
          }),
        ),
      );
    });
}
