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

const uncomparedProfiles =
  'It did not compare the stored profiles. That is normal after swaps that no refresh has seen: run `swapfold refresh --db URL`, then verify again. Profiles whose swaps are forgotten cannot be compared.';

async function verify(options: StoreOptions): Promise<ExitCode> {
  return withStoreToAsk(options, async (dex) => {
    const { swaps, cells, different, differences, compared_profiles, not_compared, unchecked } = await dex.verify();
    print(`Compared ${formatCount(cells)} values of ${formatCount(swaps)} swaps and what follows from them.`);
    if (!compared_profiles && different === 0) print(uncomparedProfiles);
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
