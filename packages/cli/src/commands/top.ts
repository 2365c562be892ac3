import type { PositionProfile } from '@swapfold/core';
import { type Command, Option } from 'commander';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { wholeNumber } from '../number-options.ts';
import { type StoreOptions, withStoreToAsk } from '../open-store.ts';
import { addAskOptions, addFormatOption } from '../options/ask-options.ts';
import { examplesHelp } from '../options/store-options.ts';
import { type AnswerFormat, printAnswer } from '../questions/answer.ts';
import { findToken } from '../questions/find-token.ts';
import { firstItems, restLine } from '../questions/rows.ts';
import { nativeSymbol } from '../text/native.ts';
import { formatCount } from '../text/numbers.ts';
import type { Palette } from '../text/palette.ts';
import { boughtText, nativeOf, resultCells, resultTitles, soldText } from '../text/position-results.ts';
import { shownText } from '../text/shown-text.ts';
import { tableLines } from '../text/table.ts';
import { UnknownSums } from '../text/unknown-sums.ts';

const orders = ['realized_pnl', 'realized_roi', 'unrealized_pnl', 'value', 'bought_usd', 'sold_usd'] as const;

interface TopOptions extends StoreOptions {
  readonly format: AnswerFormat;
  readonly by: (typeof orders)[number];
  readonly limit: number;
}

/** `swapfold top TOKEN` */
export function addTop(program: Command, end: (code: ExitCode) => void): void {
  const command = program
    .command('top')
    .summary('who made most on a token')
    .description('Shows the positions in a token that made most, of the whole history, as of the last refresh.')
    .argument('<token>', 'its address, or its symbol if one token alone has it');
  addFormatOption(addAskOptions(command))
    .addOption(new Option('--by <field>', 'what to sort by').choices(orders).default('realized_pnl'))
    .option('--limit <count>', 'how many', wholeNumber(1, 10_000), 10)
    .addHelpText('after', examplesHelp(['swapfold top WIF', 'swapfold top WIF --by unrealized_pnl --limit 50']))
    .action(async (token: string, options: TopOptions) => {
      await withStoreToAsk(options, async (dex) => {
        const address = await findToken(dex, token);
        const { count, items } = await firstItems(options.limit, (page) =>
          dex.positions.search({
            filter: { token_address: address },
            sort: { field: `holding.${options.by}`, direction: 'desc' },
            options: { include_metadata: true, include_holding: true },
            ...page,
          }),
        );
        const symbol = items[0]?.metadata?.symbol;
        const title = shownText([symbol, address].filter((part) => part != null).join('  '));
        const lines = (palette: Palette) => [
          palette.bold(title),
          ...positionLines(items, nativeSymbol(dex.config)),
          ...restLine(items.length, count, 'positions'),
        ];
        await printAnswer({ json: items, rows: items, lines }, options.format);
      });
      end(exitCodes.ok);
    });
}

export function positionLines(positions: readonly PositionProfile[], symbol: string | undefined): string[] {
  if (positions.length === 0) return ['Nobody has traded it.'];
  const native = nativeOf(positions, symbol);
  const sums = new UnknownSums();
  const titles = resultTitles(native, ['bought', 'sold', 'trades']);
  const columns = [
    { title: '#', align: 'right' },
    { title: 'wallet', align: 'left' },
    { title: 'state', align: 'left' },
    ...titles.map((title) => ({ title, align: 'right' }) as const),
    { title: 'last trade', align: 'left' },
  ] as const;
  const rows = positions.map(({ wallet_address: wallet, metadata, holding }, i) => [
    String(i + 1),
    wallet,
    metadata?.state ?? '',
    ...resultCells(holding, native, sums),
    boughtText(holding, sums),
    soldText(holding, sums),
    formatCount((holding?.buy_count ?? 0) + (holding?.sell_count ?? 0)),
    metadata?.last_trade_at ?? '',
  ]);
  return [...tableLines(columns, rows), ...sums.lines];
}
