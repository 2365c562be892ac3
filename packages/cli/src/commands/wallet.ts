import type { Swapfold } from '@swapfold/core';
import { profileWindows } from '@swapfold/core/host';
import { type Command, Option } from 'commander';
import { walletLines } from '../demo/wallet-page.ts';
import { bestPositions, positionLines } from '../demo/wallet-positions.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { wholeNumber } from '../number-options.ts';
import { type StoreOptions, withStoreToAsk } from '../open-store.ts';
import { addAskOptions, addFormatOption } from '../options/ask-options.ts';
import { examplesHelp } from '../options/store-options.ts';
import { type Answer, type AnswerFormat, printAnswer } from '../questions/answer.ts';
import { type Period, periodLines, periodNames, periodsOf } from '../questions/wallet-days.ts';
import { nativeSymbol } from '../text/native.ts';
import { formatCount } from '../text/numbers.ts';

/** What a profile has by default, and the record. */
const everything = {
  include_metadata: true,
  include_identity: true,
  include_lifetime: true,
  include_holding: true,
  include_labels: true,
  include_metrics: profileWindows.wallets,
} as const;

interface WalletOptions extends StoreOptions {
  readonly format: AnswerFormat;
  readonly by?: Period;
  readonly limit: number;
}

/** `swapfold wallet ADDRESS` */
export function addWallet(program: Command, end: (code: ExitCode) => void): void {
  const command = program
    .command('wallet')
    .summary('what a wallet made, and what it holds')
    .description(
      'Shows the metrics of a wallet by window as of the last refresh, what it holds now, and the positions that earned it most. JSON has all of its profile, its portfolio and those positions; CSV and Parquet have the profile. With --by it shows what the wallet made in each day, hour or week in which it traded, oldest first.',
    )
    .argument('<address>', 'its address');
  addFormatOption(addAskOptions(command))
    .addOption(new Option('--by <period>', 'what it made in each, in UTC').choices(periodNames))
    .option('--limit <count>', 'with --by, how many: the latest', wholeNumber(1, 10_000), 31)
    .addHelpText(
      'after',
      examplesHelp([
        'swapfold wallet 7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5',
        'swapfold wallet 7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5 --by day',
        'swapfold wallet 7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5 --format json --db dex.db',
      ]),
    )
    .action(async (wallet: string, options: WalletOptions) => {
      await withStoreToAsk(options, async (dex) => {
        const { by } = options;
        const answer = await (by === undefined ? whole(dex, wallet) : byPeriod(dex, wallet, { ...options, by }));
        await printAnswer(answer, options.format);
      });
      end(exitCodes.ok);
    });
}

async function whole(dex: Swapfold, wallet: string): Promise<Answer> {
  const profile = await dex.wallets.get({ wallet, options: everything });
  const portfolio = await dex.portfolios.get({ wallet });
  const { count, data } = await dex.positions.search(bestPositions(profile.wallet_address));
  const native = nativeSymbol(dex.config);
  const lines = () => [
    ...walletLines(profile, portfolio, native),
    '',
    `The best of its ${formatCount(count)} positions:`,
    ...positionLines(data, native),
  ];
  return { json: { profile, portfolio, positions: data }, rows: [profile], lines };
}

async function byPeriod(
  dex: Swapfold,
  wallet: string,
  { by, limit }: { readonly by: Period; readonly limit: number },
): Promise<Answer> {
  const all = await periodsOf(dex, wallet, by);
  const rows = all.slice(-limit);
  const lines = () => [
    ...periodLines(rows, by, nativeSymbol(dex.config)),
    ...(rows.length < all.length
      ? [`The latest ${formatCount(rows.length)} of ${formatCount(all.length)}; --limit shows more.`]
      : []),
  ];
  return { json: rows, rows, lines };
}
