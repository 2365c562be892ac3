import type { LatestPrice, TokenProfile } from '@swapfold/core';
import { profileWindows } from '@swapfold/core/host';
import type { Command } from 'commander';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { type StoreOptions, withStoreToAsk } from '../open-store.ts';
import { addAskOptions, addFormatOption } from '../options/ask-options.ts';
import { examplesHelp } from '../options/store-options.ts';
import { type AnswerFormat, printAnswer } from '../questions/answer.ts';
import { findToken } from '../questions/find-token.ts';
import { metricTable } from '../text/metric-table.ts';
import { nativeSymbol } from '../text/native.ts';
import { formatCompact, formatUsd } from '../text/numbers.ts';
import type { Palette } from '../text/palette.ts';
import { shownText } from '../text/shown-text.ts';

const windows = profileWindows.tokens;
const metrics = ['volume', 'volume_native', 'trade_count', 'makers_count', 'buy_volume', 'sell_volume'] as const;

/** `swapfold token TOKEN` */
export function addToken(program: Command, end: (code: ExitCode) => void): void {
  const command = program
    .command('token')
    .summary('price, market and trading of a token')
    .description('Shows the market of a token now, and its trading by window as of the last refresh.')
    .argument('<token>', 'its address, or its symbol if one token alone has it');
  addFormatOption(addAskOptions(command))
    .addHelpText('after', examplesHelp(['swapfold token WIF', 'swapfold token WIF --format json --db dex.db']))
    .action(async (token: string, options: StoreOptions & { readonly format: AnswerFormat }) => {
      await withStoreToAsk(options, async (dex) => {
        const address = await findToken(dex, token);
        const profile = await dex.tokens.get({ token: address });
        const [newest] = await dex.prices.latest({ tokens: [address] });
        const lines = (palette: Palette) => tokenLines(profile, { palette, native: nativeSymbol(dex.config), newest });
        await printAnswer({ json: profile, rows: [profile], lines }, options.format);
      });
      end(exitCodes.ok);
    });
}

export function tokenLines(
  { token_address: address, labels = [], metadata, market, metrics: held }: TokenProfile,
  {
    palette,
    native,
    newest,
  }: { readonly palette: Palette; readonly native: string | undefined; readonly newest?: LatestPrice | undefined },
): string[] {
  const suspect =
    newest?.suspect === true
      ? [`newest print ${formatUsd(newest.usd_price)}: suspect, far off those before it, so it values nothing`]
      : [];
  return [
    palette.bold(shownText([metadata?.symbol, metadata?.name, address].filter((part) => part != null).join('  '))),
    `price ${formatUsd(market?.price ?? null)}, market cap ${formatUsd(market?.market_cap ?? null)}, liquidity ${formatUsd(market?.liquidity ?? null)}, holders ${formatCompact(market?.holders ?? null)}`,
    ...suspect,
    `labels ${labels.length === 0 ? 'none' : labels.join(', ')}; last trade ${metadata?.last_trade_at ?? 'never'}`,
    '',
    ...metricTable({ kind: 'tokens', names: metrics, windows, metrics: held, native }),
  ];
}
