import type { Command } from 'commander';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { type StoreOptions, withStoreToAsk } from '../open-store.ts';
import { addAskOptions, addFormatOption } from '../options/ask-options.ts';
import { examplesHelp } from '../options/store-options.ts';
import { type AnswerFormat, printAnswer } from '../questions/answer.ts';
import { addLeadersOptions, type LeadersRequest, leaders } from '../questions/leaders.ts';

interface LeadersOptions extends StoreOptions, LeadersRequest {
  readonly format: AnswerFormat;
}

/** `swapfold leaders` */
export function addLeaders(program: Command, end: (code: ExitCode) => void): void {
  const command = program
    .command('leaders')
    .summary('who is worth following of all wallets')
    .description(
      'Shows the wallets that lead as of the last refresh, by "floor" unless --by or --window ask for a metric. "floor" is what each has realised less every loss, with no gain on paper. "open" is the result of what it holds, "sunk" how many positions are worth less than a fifth of their cost. "wins" is of the whole history: the percent of its tokens with a profit, open and lost ones at their price. "hits" is of the window and of sold tokens alone: the part of them that was sold at a profit. "days" is on how many days it traded, "no cost" the percent of the value of its sells that has no known cost.',
    );
  addLeadersOptions(
    addFormatOption(addAskOptions(command)).option(
      '--by <field>',
      'what to sort by: a metric, or a field of the record (default: floor_pnl; pnl with --window)',
    ),
    20,
  )
    .option(
      '--copy',
      'what following each 5 seconds later would have made in the window: the roi of "swapfold simulate"',
    )
    .addHelpText(
      'after',
      examplesHelp([
        'swapfold leaders',
        'swapfold leaders --where "lifetime.days_active >= 7 and lifetime.unmatched_share < 5"',
        'swapfold leaders --window 7d --where "pnl > 10000 and winrate >= 60"',
        'swapfold leaders --by sharpe_ratio --columns pnl,7d.pnl,sharpe_ratio --format csv',
      ]),
    )
    .action(async (options: LeadersOptions) => {
      await withStoreToAsk(options, async (dex) => printAnswer(await leaders(dex, options), options.format));
      end(exitCodes.ok);
    });
}
