import type { Command } from 'commander';
import { walletLines } from '../demo/wallet-page.ts';
import { bestPositions, positionLines } from '../demo/wallet-positions.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { type StoreOptions, withStoreToAsk } from '../open-store.ts';
import { addAskOptions, addFormatOption } from '../options/ask-options.ts';
import { examplesHelp } from '../options/store-options.ts';
import { type AnswerFormat, printAnswer } from '../questions/answer.ts';
import { nativeSymbol } from '../text/native.ts';

/** `swapfold wallet ADDRESS` */
export function addWallet(program: Command, end: (code: ExitCode) => void): void {
  const command = program
    .command('wallet')
    .summary('what a wallet made, and what it holds')
    .description(
      'Shows the metrics of a wallet by window as of the last refresh, what it holds now, and the positions that earned it most. JSON has all of its profile, its portfolio and those positions; CSV and Parquet have the profile.',
    )
    .argument('<address>', 'its address');
  addFormatOption(addAskOptions(command))
    .addHelpText(
      'after',
      examplesHelp([
        'swapfold wallet 7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5',
        'swapfold wallet 7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5 --format json --db dex.db',
      ]),
    )
    .action(async (wallet: string, options: StoreOptions & { readonly format: AnswerFormat }) => {
      await withStoreToAsk(options, async (dex) => {
        const profile = await dex.wallets.get({ wallet });
        const portfolio = await dex.portfolios.get({ wallet });
        const { count, data } = await dex.positions.search(bestPositions(profile.wallet_address));
        const native = nativeSymbol(dex.config);
        const lines = () => [
          ...walletLines(profile, portfolio, native),
          '',
          `The best of its ${count.toLocaleString('en-US')} positions:`,
          ...positionLines(data, native),
        ];
        await printAnswer({ json: { profile, portfolio, positions: data }, rows: [profile], lines }, options.format);
      });
      end(exitCodes.ok);
    });
}
