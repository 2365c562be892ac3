import type { Candle } from '@swapfold/core';
import { type Command, Option } from 'commander';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { parseInterval } from '../interval.ts';
import { parseAsOf, wholeNumber } from '../number-options.ts';
import { type StoreOptions, withStoreToAsk } from '../open-store.ts';
import { addAskOptions, addFormatOption } from '../options/ask-options.ts';
import { examplesHelp } from '../options/store-options.ts';
import { type AnswerFormat, printAnswer } from '../questions/answer.ts';
import { findToken } from '../questions/find-token.ts';
import { candleChart } from '../text/candle-chart.ts';
import type { Palette } from '../text/palette.ts';

interface CandlesOptions extends StoreOptions {
  readonly format: AnswerFormat;
  readonly interval: number;
  readonly pool?: string;
  readonly from?: number;
  readonly to?: number;
  readonly count?: number;
  readonly prints: 'all' | 'clean';
}

const HEIGHT = 13;
/** What labels take beside the candles of a chart. */
const MARGIN = 14;
const MOST_COLUMNS = 120;

/** `swapfold candles TOKEN` */
export function addCandles(program: Command, end: (code: ExitCode) => void): void {
  const command = program
    .command('candles')
    .summary('candles of a token, drawn')
    .description(
      'Draws the candles of a token with their volumes: the latest that the terminal has room for, or those of a range. Buckets without a price are left out.',
    )
    .argument('<token>', 'its address, or its symbol if one token alone has it');
  addFormatOption(addAskOptions(command))
    .option('--interval <length>', 'of a candle: seconds, or such as 5m, 1h, 1d', parseInterval, 3600)
    .option('--pool <address>', 'only the swaps of this pool')
    .option('--count <count>', 'the latest so many', wholeNumber(1, 5000))
    .addOption(
      new Option('--prints <which>', 'all, or clean ones alone: without those far off the prints before them')
        .choices(['all', 'clean'])
        .default('all'),
    )
    .option('--from <time>', 'from this time on (RFC 3339, or a day such as 2025-01-31)', parseAsOf)
    .option('--to <time>', 'before this time', parseAsOf)
    .addHelpText(
      'after',
      examplesHelp([
        'swapfold candles WIF --interval 1h',
        'swapfold candles WIF --interval 5m --count 288 --format csv > wif.csv',
      ]),
    )
    .action(async (token: string, options: CandlesOptions) => {
      const { interval, pool, from, to, format, prints } = options;
      const room = Math.max(12, Math.min((process.stdout.columns ?? 80) - MARGIN, MOST_COLUMNS));
      const count = options.count ?? (from === undefined ? (format === 'table' ? room : 1000) : undefined);
      const [first, last] = [from, to].map((time) => (time === undefined ? undefined : new Date(time * 1000)));
      await withStoreToAsk(options, async (dex) => {
        const address = await findToken(dex, token);
        const range = { interval, count, from: first, to: last };
        const candles = await dex.prices.candles({ token: address, pool, prints, ...range });
        const lines = (palette: Palette) => [...chartLines(candles, room, palette), ...suspectLines(candles, prints)];
        await printAnswer({ json: candles, rows: candles, lines }, format);
      });
      end(exitCodes.ok);
    });
}

/** The latest candles that there is room for. */
function chartLines(candles: readonly Candle[], room: number, palette: Palette): readonly string[] {
  if (candles.length === 0) return ['No price in this time.'];
  const chart = candleChart(candles.slice(-room), { height: HEIGHT, palette });
  return candles.length <= room ? chart : [...chart, `The latest ${room} of ${candles.length} candles.`];
}

function suspectLines(candles: readonly Candle[], prints: CandlesOptions['prints']): readonly string[] {
  const suspects = candles.reduce((sum, { suspect_count: count }) => sum + count, 0);
  if (suspects === 0) return [];
  const left = prints === 'all' ? 'drawn too; --prints clean leaves them out' : 'left out';
  return [`Prints far off those before them: ${suspects}, ${left}.`];
}
