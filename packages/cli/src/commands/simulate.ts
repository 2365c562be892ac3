import type { Simulation } from '@swapfold/core';
import { formatTime } from '@swapfold/core/host';
import { type Command, InvalidArgumentError } from 'commander';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { numberBetween, parseAsOf, wholeNumber } from '../number-options.ts';
import { type StoreOptions, withStoreToAsk } from '../open-store.ts';
import { addAskOptions, addFormatOption } from '../options/ask-options.ts';
import { examplesHelp } from '../options/store-options.ts';
import { type AnswerFormat, printAnswer } from '../questions/answer.ts';
import { simulationLines } from '../text/simulation.ts';

interface SimulateOptions extends StoreOptions {
  readonly format: AnswerFormat;
  readonly from?: number;
  readonly to?: number;
  readonly size: number;
  readonly delay?: number;
  readonly slots?: number;
  readonly delays: readonly number[];
  readonly feeUsd: number;
  readonly feePercent: number;
  readonly slippage: number;
  readonly unknown: number;
  readonly maxWait: number;
  readonly priceLimit?: number;
  readonly pairs: number;
}

const percent = numberBetween(0, 100);

/** `swapfold simulate WALLET` */
export function addSimulate(program: Command, end: (code: ExitCode) => void): void {
  const command = program
    .command('simulate')
    .summary('what following a wallet would have made')
    .description(
      'Repeats the trades of a wallet in buys of one size, some seconds later, at the worst price that the stored prints leave open: beside what the wallet made itself, the results of several delays, and the newest trades with both prices. CSV, NDJSON and Parquet have the trades.',
    )
    .argument('<wallet>', 'its address');
  addFormatOption(addAskOptions(command))
    .option('--from <time>', 'since when (RFC 3339; default: its first trade)', parseAsOf)
    .option('--to <time>', 'until when (RFC 3339; default: the newest swap)', parseAsOf)
    .option('--size <usd>', 'USD of each buy, with the fee', numberBetween(0.01, 1e9), 100)
    .option('--delay <seconds>', 'how long after the wallet (default: 5)', wholeNumber(0, 86_400))
    .option('--slots <count>', 'how many slots after the wallet, in place of --delay', wholeNumber(0, 1000))
    .option('--delays <seconds>', 'delays to compare', delaysOf, [0, 1, 5, 30])
    .option('--fee-usd <usd>', 'what each trade costs', numberBetween(0, 1e9), 0)
    .option('--fee-percent <percent>', 'what each trade costs of its value', percent, 0)
    .option('--slippage <percent>', 'by which each price is worse', percent, 1)
    .option('--unknown <percent>', 'by which a print is worse if the depth of its pool is not known', percent, 10)
    .option('--max-wait <seconds>', 'in which the next print of somebody else counts', wholeNumber(0, 3600), 60)
    .option('--price-limit <percent>', "over the wallet's price, above which a buy is missed", numberBetween(0, 1e6))
    .option('--pairs <count>', 'how many trades', wholeNumber(0, 5000), 10)
    .addHelpText(
      'after',
      examplesHelp([
        'swapfold simulate 7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5',
        'swapfold simulate 7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5 --size 500 --delays 0,2,10',
        'swapfold simulate 7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5 --slots 2 --price-limit 20',
      ]),
    )
    .action(async (wallet: string, options: SimulateOptions) => {
      await withStoreToAsk(options, async (dex) => {
        const request = requestOf(wallet, options);
        const first = await dex.wallets.simulate(request);
        const pairs = [...first.pairs];
        for (let { cursor } = first; cursor !== undefined && pairs.length < options.pairs; ) {
          const page = await dex.wallets.simulate({ ...request, cursor });
          pairs.push(...page.pairs);
          cursor = page.cursor;
        }
        const { cursor: _, ...all } = first;
        const shown: Simulation = { ...all, pairs: pairs.slice(0, options.pairs) };
        await printAnswer(
          { json: shown, rows: shown.pairs, lines: () => simulationLines(shown, request) },
          options.format,
        );
      });
      end(exitCodes.ok);
    });
}

function requestOf(wallet: string, options: SimulateOptions) {
  const { from, to, size, delay, slots, delays, slippage, unknown, maxWait, priceLimit } = options;
  return {
    wallet,
    ...(from === undefined ? {} : { from: formatTime(from) }),
    ...(to === undefined ? {} : { to: formatTime(to) }),
    size,
    ...(delay === undefined ? {} : { delay }),
    ...(slots === undefined ? {} : { slots }),
    delays,
    slippage,
    unknown,
    max_wait: maxWait,
    fee: { usd: options.feeUsd, percent: options.feePercent },
    ...(priceLimit === undefined ? {} : { limit: priceLimit }),
  };
}

/** Whole seconds with commas between them. */
function delaysOf(text: string): readonly number[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.length > 8) throw new InvalidArgumentError('Give at most 8 delays.');
  return names.map(wholeNumber(0, 86_400));
}
