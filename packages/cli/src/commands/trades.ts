import { type Swapfold, SwapfoldError, type Trade } from '@swapfold/core';
import type { Command } from 'commander';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { parseAsOf, wholeNumber } from '../number-options.ts';
import { type StoreOptions, withStoreToAsk } from '../open-store.ts';
import { addAskOptions, addFormatOption } from '../options/ask-options.ts';
import { examplesHelp } from '../options/store-options.ts';
import { type AnswerFormat, printAnswer } from '../questions/answer.ts';
import { findToken } from '../questions/find-token.ts';
import { oldestTrades } from '../questions/oldest-trades.ts';
import { tradeLines } from '../questions/trade-table.ts';

interface TradesOptions extends StoreOptions {
  readonly format: AnswerFormat;
  readonly wallet?: string;
  readonly token?: string;
  readonly pool?: string;
  readonly from?: number;
  readonly to?: number;
  readonly oldest?: true;
  readonly limit: number;
}

const PAGE = 100;

/** `swapfold trades` */
export function addTrades(program: Command, end: (code: ExitCode) => void): void {
  const command = program
    .command('trades')
    .summary('trades, newest or oldest first')
    .description(
      'Lists trades, newest first, or with --oldest the first ones; with several of the conditions all must hold.',
    );
  addFormatOption(addAskOptions(command))
    .option('--wallet <address>', 'only those of this wallet')
    .option('--token <token>', 'only those of this token: its address, or a symbol that one token has')
    .option('--pool <address>', 'only those that went through this pool')
    .option('--from <time>', 'only those from this time on (RFC 3339, or a day such as 2025-01-31)', parseAsOf)
    .option('--to <time>', 'only those before this time', parseAsOf)
    .option('--oldest', 'the first ones, oldest first')
    .option('--limit <count>', 'how many', wholeNumber(1, 1_000_000), 20)
    .addHelpText(
      'after',
      examplesHelp([
        'swapfold trades --token WIF --limit 5',
        'swapfold trades --token WIF --from 2025-01-01 --limit 100',
        'swapfold trades --token WIF --oldest',
        'swapfold trades --format csv --limit 1000 --db dex.db > trades.csv',
      ]),
    )
    .action(async (options: TradesOptions) => {
      await withStoreToAsk(options, async (dex) => {
        const trades = await (options.oldest ? firstTrades(dex, options) : newestTrades(dex, options));
        await printAnswer({ json: trades, rows: trades, lines: () => tradeLines(trades) }, options.format);
      });
      end(exitCodes.ok);
    });
}

async function firstTrades(dex: Swapfold, { token, wallet, pool, from = 0, to, limit }: TradesOptions) {
  if (pool !== undefined)
    throw new SwapfoldError('invalid-input', '--oldest and --pool exclude each other: give one of them.');
  const of = { wallet, token: token === undefined ? undefined : await findToken(dex, token) };
  const { newest_block_time: newest } = await dex.status();
  const until = Math.min(newest ?? 0, to === undefined ? Number.POSITIVE_INFINITY : to - 1);
  return oldestTrades(dex, { of, from, until, limit });
}

async function newestTrades(dex: Swapfold, { token, wallet, pool, from = 0, to, limit }: TradesOptions) {
  const of = { wallet, token: token === undefined ? undefined : await findToken(dex, token) };
  let asOf = to === undefined ? undefined : to - 1;
  if (pool !== undefined) {
    // The newest swap of the pool saves the reading of what came after it.
    const [newest] = (await dex.swaps.list({ ...of, pool, limit: 1 }, { asOf })).data;
    if (newest === undefined) return [];
    asOf = newest.block_time;
  }
  const trades: Trade[] = [];
  let cursor: string | undefined;
  do {
    const page = await dex.trades.list(
      { ...of, limit: pool === undefined ? Math.min(limit, PAGE) : PAGE, cursor },
      { asOf },
    );
    for (const trade of page.data) {
      if (trade.block_time < from || trades.length === limit) return trades;
      if (pool === undefined || trade.pools.includes(pool)) trades.push(trade);
    }
    cursor = page.cursor;
  } while (cursor !== undefined && trades.length < limit);
  return trades;
}
