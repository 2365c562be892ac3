import { type MetricExplanation, type Swapfold, SwapfoldError } from '@swapfold/core';
import { recordPaths } from '@swapfold/core/host';
import type { Command } from 'commander';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { wholeNumber } from '../number-options.ts';
import { type StoreOptions, withStoreToAsk } from '../open-store.ts';
import { addAskOptions, addFormatOption } from '../options/ask-options.ts';
import { examplesHelp } from '../options/store-options.ts';
import { type AnswerFormat, printAnswer } from '../questions/answer.ts';
import { findToken } from '../questions/find-token.ts';
import { explanationLines } from '../text/explanation.ts';
import { nativeSymbol } from '../text/native.ts';

interface ExplainOptions extends StoreOptions {
  readonly format: AnswerFormat;
  readonly token?: string;
  readonly window?: string;
  readonly limit: number;
}

/** The operation that explains a metric: of a wallet, of its position in a token, or of a token. */
type Explain = (request: {
  readonly wallet?: string;
  readonly token?: string;
  readonly metric: string;
  readonly window?: string;
  readonly limit: number;
}) => Promise<MetricExplanation>;

/** `swapfold explain WALLET METRIC` */
export function addExplain(program: Command, end: (code: ExitCode) => void): void {
  const command = program
    .command('explain')
    .summary('what a number is made of')
    .description(
      'Shows what a metric of a wallet is made of: its formula, its terms, the trades that enter and what each adds, as of the last refresh. With --token it is that of its position in the token; "-" in place of the wallet explains a metric of the token itself.',
    )
    .argument('<wallet>', 'its address, or - for the token alone')
    .argument(
      '<metric>',
      'as profiles have it, such as pnl; of a wallet also a field of its record, such as floor_pnl or lifetime.volume; of a position also unrealized_pnl and unrealized_roi',
    );
  addFormatOption(addAskOptions(command))
    .option('--token <token>', 'its address, or a symbol that one token has')
    .option('--window <window>', 'the window of the metric (default: 30d, of a token 7d)')
    .option('--limit <count>', 'how many trades', wholeNumber(1, 100), 20)
    .addHelpText(
      'after',
      examplesHelp([
        'swapfold explain 7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5 pnl',
        'swapfold explain 7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5 floor_pnl',
        'swapfold explain 7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5 unrealized_pnl --token WIF',
        'swapfold explain - volume --token WIF --window 1d',
      ]),
    )
    .action(async (wallet: string, metric: string, options: ExplainOptions) => {
      await withStoreToAsk(options, async (dex) => {
        const explained = await explain(dex, wallet, metric, options);
        const lines = () => explanationLines(explained, nativeSymbol(dex.config));
        await printAnswer({ json: explained, rows: explained.trades, lines }, options.format);
      });
      end(exitCodes.ok);
    });
}

async function explain(
  dex: Swapfold,
  wallet: string,
  metric: string,
  { token: named, window, limit }: ExplainOptions,
): Promise<MetricExplanation> {
  const token = named === undefined ? undefined : await findToken(dex, named);
  if (wallet === '-' && token === undefined)
    throw new SwapfoldError('invalid-input', 'explain - METRIC explains a token: name it with --token.');
  const isOfWallet = token === undefined && wallet !== '-';
  const record = isOfWallet ? recordPathOf(metric) : undefined;
  const isHolding = !isOfWallet && /^(?:holding\.)?unrealized_/.test(metric);
  const isWhole = isHolding || record !== undefined;
  const of = {
    ...(wallet === '-' ? {} : { wallet }),
    ...(token === undefined ? {} : { token }),
    metric: record ?? (isHolding ? metric.replace(/^(?:holding\.)?/, 'holding.') : metric),
    limit,
    ...(isWhole && window === undefined ? {} : { window: window ?? (wallet === '-' ? '7d' : '30d') }),
  };
  const group = wallet === '-' ? dex.tokens : token === undefined ? dex.wallets : dex.positions;
  return (group.explain as Explain)(of);
}

/** The path of a field of the record, which `holding` need not be written before. Names of `lifetime` alone are those of metrics, too. */
function recordPathOf(name: string): string | undefined {
  if (recordPaths.includes(name)) return name;
  return recordPaths.find((path) => path.startsWith('holding.') && path === `holding.${name}`);
}
