import type { Swapfold } from '@swapfold/core';
import { SwapfoldError } from '@swapfold/core';
import { didYouMean } from '@swapfold/core/host';
import type { Command } from 'commander';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { type StoreOptions, withStoreToAsk } from '../open-store.ts';
import { addAskOptions, addFormatOption } from '../options/ask-options.ts';
import { examplesHelp } from '../options/store-options.ts';
import { type Answer, type AnswerFormat, printAnswer } from '../questions/answer.ts';
import { findToken } from '../questions/find-token.ts';
import { addLeadersOptions, type LeadersRequest, leaders, refuseOfToken } from '../questions/leaders.ts';
import { positionLines } from '../questions/position-table.ts';
import { firstItems, restLine } from '../questions/rows.ts';
import { nativeSymbol } from '../text/native.ts';
import type { Palette } from '../text/palette.ts';
import { shownText } from '../text/shown-text.ts';

const orders = ['realized_pnl', 'realized_roi', 'unrealized_pnl', 'value', 'bought_usd', 'sold_usd'] as const;

interface TopOptions extends StoreOptions, LeadersRequest {
  readonly format: AnswerFormat;
  readonly oldest?: true;
}

/** `swapfold top [TOKEN]` */
export function addTop(program: Command, end: (code: ExitCode) => void): void {
  const command = program
    .command('top')
    .summary('who made most on a token, or who traded it first')
    .description(
      'Shows the positions in a token that made most, of the whole history, as of the last refresh; with --oldest those that traded it first. Without a token it shows the wallets that made most of all, as "swapfold leaders" does.',
    )
    .argument('[token]', 'its address, or its symbol if one token alone has it');
  addLeadersOptions(
    addFormatOption(addAskOptions(command))
      .option(
        '--by <field>',
        `what to sort by: ${orders.join(', ')}; without a token a metric (default: what was made)`,
      )
      .option('--oldest', 'those that traded the token first'),
    10,
  )
    .addHelpText(
      'after',
      examplesHelp([
        'swapfold top WIF',
        'swapfold top WIF --by unrealized_pnl --limit 50',
        'swapfold top WIF --oldest',
        'swapfold top --window 7d',
      ]),
    )
    .action(async (token: string | undefined, options: TopOptions) => {
      await withStoreToAsk(options, async (dex) =>
        printAnswer(await (token === undefined ? ofAll(dex, options) : ofToken(dex, token, options)), options.format),
      );
      end(exitCodes.ok);
    });
}

function ofAll(dex: Swapfold, { oldest, ...request }: TopOptions): Promise<Answer> {
  if (oldest) throw new SwapfoldError('invalid-input', '--oldest is of one token: name it.');
  return leaders(dex, request);
}

async function ofToken(dex: Swapfold, token: string, options: TopOptions): Promise<Answer> {
  refuseOfToken(options);
  const { oldest, by, limit } = options;
  if (oldest && by !== undefined)
    throw new SwapfoldError('invalid-input', '--oldest and --by exclude each other: give one of them.');
  const field = orderOf(by ?? 'realized_pnl');
  const address = await findToken(dex, token);
  const { count, items } = await firstItems(limit, (page) =>
    dex.positions.search({
      filter: { token_address: address },
      sort: oldest
        ? [
            { field: 'metadata.first_trade_at', direction: 'asc' },
            { field: 'wallet_address', direction: 'asc' },
          ]
        : { field: `holding.${field}`, direction: 'desc' },
      options: { include_metadata: true, include_holding: true },
      ...page,
    }),
  );
  const title = shownText([items[0]?.metadata?.symbol, address].filter((part) => part != null).join('  '));
  const lines = (palette: Palette) => [
    palette.bold(title),
    ...positionLines(items, { native: nativeSymbol(dex.config), trade: oldest ? 'first' : 'last' }),
    ...restLine(items.length, count, 'positions'),
  ];
  return { json: items, rows: items, lines };
}

function orderOf(by: string): (typeof orders)[number] {
  const found = orders.find((order) => order === by);
  if (found !== undefined) return found;
  throw new SwapfoldError(
    'invalid-input',
    `--by: positions are not sorted by "${by}".${didYouMean(by, orders)} They are by ${orders.join(', ')}.`,
  );
}
