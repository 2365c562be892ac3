import type { Difference } from '@swapfold/core/host';
import type { Command } from 'commander';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { type StoreOptions, withStoreToAsk } from '../open-store.ts';
import { addAskOptions } from '../options/ask-options.ts';
import { examplesHelp } from '../options/store-options.ts';
import { print } from '../output.ts';
import { formatCount } from '../text/numbers.ts';

/** `swapfold verify --db URL` */
export function addVerify(program: Command, end: (code: ExitCode) => void): void {
  const command = program
    .command('verify')
    .summary('derive everything again in memory and compare')
    .description(
      'Looks for damage, then derives trades, positions, balances, prices and profiles again in memory from the stored swaps, and compares every value with the store. Changes nothing. Needs memory for the whole store.',
    );
  addAskOptions(command)
    .addHelpText('after', examplesHelp(['swapfold verify --db dex.duckdb']))
    .action(async (options: StoreOptions) => end(await verify(options)));
}

async function verify(options: StoreOptions): Promise<ExitCode> {
  return withStoreToAsk(options, async (dex) => {
    const { swaps, cells, different, differences, compared_profiles, not_compared, unchecked } = await dex.verify();
    const waiting = compared_profiles ? '' : ' Profiles wait for a refresh and were not compared.';
    print(`Compared ${formatCount(cells)} values of ${formatCount(swaps)} swaps and what follows from them.${waiting}`);
    if (not_compared.length > 0)
      print(`Metrics of the program that made the store were not compared: ${not_compared.join(', ')}.`);
    if (unchecked.length > 0)
      print(
        `An older Swapfold made this store: ${formatCount(unchecked.length)} tables have no checksums. A copy has them.`,
      );
    if (different === 0) {
      print('No difference.');
      return exitCodes.ok;
    }
    print(`${formatCount(different)} differ. The first:`);
    for (const difference of differences) print(`  ${sentenceOf(difference)}`);
    return exitCodes.failed;
  });
}

function sentenceOf({ table, row, column, stored, expected }: Difference): string {
  return `${table} (${row}) ${column}: stored ${stored ?? 'nothing'}, expected ${expected ?? 'nothing'}`;
}
