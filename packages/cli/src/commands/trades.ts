import type { Swapfold, Trade } from '@swapfold/core';
import { formatTime } from '@swapfold/core/host';
import type { Command } from 'commander';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { parseAsOf, wholeNumber } from '../number-options.ts';
import { type StoreOptions, withStoreToAsk } from '../open-store.ts';
import { addAskOptions, addFormatOption } from '../options/ask-options.ts';
import { examplesHelp } from '../options/store-options.ts';
import { type AnswerFormat, printAnswer } from '../questions/answer.ts';
import { findToken } from '../questions/find-token.ts';
import { shortAddress } from '../text/address.ts';
import { formatCompact, formatPercent, formatUsd } from '../text/numbers.ts';
import { tableLines } from '../text/table.ts';

interface TradesOptions extends StoreOptions {
  readonly format: AnswerFormat;
  readonly wallet?: string;
  readonly token?: string;
  readonly pool?: string;
  readonly from?: number;
  readonly to?: number;
  readonly limit: number;
}

const PAGE = 100;

/** `swapfold trades` */
export function addTrades(program: Command, end: (code: ExitCode) => void): void {
  const command = program
    .command('trades')
    .summary('trades, newest first')
    .description('Lists trades, newest first; with several of the conditions all must hold.');
  addFormatOption(addAskOptions(command))
    .option('--wallet <address>', 'only those of this wallet')
    .option('--token <token>', 'only those of this token: its address, or a symbol that one token has')
    .option('--pool <address>', 'only those that went through this pool')
    .option('--from <time>', 'only those from this time on (RFC 3339)', parseAsOf)
    .option('--to <time>', 'only those before this time (RFC 3339)', parseAsOf)
    .option('--limit <count>', 'how many', wholeNumber(1, 1_000_000), 20)
    .addHelpText(
      'after',
      examplesHelp([
        'swapfold trades --token WIF --limit 5',
        'swapfold trades --token WIF --from 2025-01-01T00:00:00Z --limit 100',
        'swapfold trades --format csv --limit 1000 --db dex.db > trades.csv',
      ]),
    )
    .action(async (options: TradesOptions) => {
      await withStoreToAsk(options, async (dex) => {
        const trades = await newestTrades(dex, options);
        await printAnswer({ json: trades, rows: trades, lines: () => tradeLines(trades) }, options.format);
      });
      end(exitCodes.ok);
    });
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

const titles = ['amount', 'price', 'value', 'realized pnl', 'roi'] as const;

function tradeLines(trades: readonly Trade[]): string[] {
  if (trades.length === 0) return ['No trade.'];
  const columns = [
    { title: 'time', align: 'left' },
    { title: 'wallet', align: 'left' },
    { title: '', align: 'left' },
    { title: 'token', align: 'left' },
    ...titles.map((title) => ({ title, align: 'right' }) as const),
    { title: 'transaction', align: 'left' },
  ] as const;
  const rows = trades.map((trade) => [
    formatTime(trade.block_time),
    trade.wallet,
    trade.direction,
    trade.token_symbol ?? shortAddress(trade.token),
    formatCompact(trade.token_amount),
    formatUsd(trade.token_price),
    formatUsd(trade.usd_amount),
    formatUsd(trade.realized_pnl_usd),
    formatPercent(trade.realized_roi),
    shortAddress(trade.tx_hash),
  ]);
  return tableLines(columns, rows);
}
