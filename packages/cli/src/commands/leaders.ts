import { type Swapfold, SwapfoldError, type WalletProfile } from '@swapfold/core';
import { didYouMean, formatTime, metricPath, profileWindows, type WalletSortField } from '@swapfold/core/host';
import { type Command, Option } from 'commander';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { wholeNumber } from '../number-options.ts';
import { type StoreOptions, withStoreToAsk } from '../open-store.ts';
import { addAskOptions, addFormatOption } from '../options/ask-options.ts';
import { examplesHelp } from '../options/store-options.ts';
import { type AnswerFormat, printAnswer } from '../questions/answer.ts';
import { firstItems, restLine } from '../questions/rows.ts';
import { parseWhere } from '../questions/where.ts';
import { shortAddress } from '../text/address.ts';
import { metricCell, type WindowMetrics } from '../text/metric-table.ts';
import { nativeSymbol } from '../text/native.ts';
import { formatPercent, NONE } from '../text/numbers.ts';
import type { Palette } from '../text/palette.ts';
import { tableLines } from '../text/table.ts';
import { UnknownSums } from '../text/unknown-sums.ts';

/** Columns of the table and their short titles: with places and wallets they fit into 100 characters. */
const shown: ReadonlyMap<string, string> = new Map([
  ['pnl', 'pnl'],
  ['roi', 'roi'],
  ['winrate', 'winrate'],
  ['token_hit_ratio', 'hits'],
  ['trade_count', 'trades'],
  ['position_count', 'tokens'],
  ['volume', 'volume'],
  ['unmatched_share', 'no cost'],
  ['max_drawdown', 'drawdown'],
  ['avg_holding_duration', 'held'],
]);

/** What a line may take where nobody says how wide the terminal is. */
const WIDTH = 100;

const windows = profileWindows.wallets;

interface LeadersOptions extends StoreOptions {
  readonly format: AnswerFormat;
  readonly by: string;
  readonly window: string;
  readonly where?: string;
  readonly columns?: string;
  readonly copy?: true;
  readonly limit: number;
}

/** `swapfold leaders` */
export function addLeaders(program: Command, end: (code: ExitCode) => void): void {
  const command = program
    .command('leaders')
    .summary('who made most of all wallets')
    .description(
      'Shows the wallets that made most in a window, or lead by another metric, as of the last refresh. "hits" is the part of its tokens that made a profit, "tokens" of how many tokens it sold, "no cost" the percent of the value of its sells that has no known cost.',
    );
  addFormatOption(addAskOptions(command))
    .option('--by <metric>', 'what to sort by', 'pnl')
    .addOption(new Option('--window <window>', 'of which window the metrics are').choices(windows).default('30d'))
    .option('--where <conditions>', 'which wallets, such as "pnl > 10k and winrate >= 60 and not labels has sniper"')
    .option('--columns <names>', 'metrics in place of those shown, such as pnl,7d.pnl,sharpe_ratio')
    .option(
      '--copy',
      'what following each 5 seconds later would have made in the window: the roi of "swapfold simulate"',
    )
    .option('--limit <count>', 'how many', wholeNumber(1, 10_000), 20)
    .addHelpText(
      'after',
      examplesHelp([
        'swapfold leaders',
        'swapfold leaders --window 7d --where "pnl > 10000 and winrate >= 60"',
        'swapfold leaders --by sharpe_ratio --columns pnl,7d.pnl,sharpe_ratio --format csv',
      ]),
    )
    .action(async (options: LeadersOptions) => {
      await withStoreToAsk(options, async (dex) => {
        const pathOf = pathsOf(dex, options.window);
        const columns = columnsOf(options.columns, pathOf);
        const { count, items } = await firstItems(options.limit, (page) =>
          dex.wallets.search({
            ...(options.where === undefined ? {} : { filter: parseWhere(options.where, pathOf) }),
            sort: { field: pathOf(options.by) as WalletSortField, direction: 'desc' },
            options: {
              include_metadata: true,
              include_labels: true,
              include_metrics: windows.filter((window) => columns.some((column) => column.window === window)),
            },
            ...page,
          }),
        );
        const copies = options.copy ? await copiesOf(dex, items, options.window) : undefined;
        const lines = (palette: Palette) => [
          palette.bold(`${options.by} of ${options.window}`),
          ...leaderLines(items, columns, nativeSymbol(dex.config), copies),
          ...restLine(items.length, count, 'wallets'),
        ];
        const rows = copies === undefined ? items : items.map((item, i) => ({ ...item, copy_roi: copies[i]! }));
        await printAnswer({ json: rows, rows, lines }, options.format);
      });
      end(exitCodes.ok);
    });
}

const DAY = 86_400;

/** What following each wallet 5 seconds later would have made in a window, percent; `null` of one that can't be followed. */
async function copiesOf(
  dex: Swapfold,
  items: readonly WalletProfile[],
  window: string,
): Promise<readonly (number | null)[]> {
  const rois: (number | null)[] = [];
  const to = (await dex.info()).profiles_as_of;
  if (to === null) return [];
  const range = { from: formatTime(Math.max(0, to - Number.parseInt(window, 10) * DAY + 1)), to: formatTime(to) };
  for (const { wallet_address: wallet } of items) {
    const request = { wallet, ...range, delay: 5, delays: [] };
    try {
      rois.push((await dex.wallets.simulate(request)).follower.roi);
    } catch (error) {
      if (!(error instanceof SwapfoldError) || !CANNOT_FOLLOW.includes(error.code)) throw error;
      rois.push(null);
    }
  }
  return rois;
}

/** Too many trades, or some that are forgotten. */
const CANNOT_FOLLOW: readonly string[] = ['too-many-points', 'behind-horizon'];

interface LeaderColumn {
  readonly title: string;
  readonly window: string;
  readonly name: string;
}

function columnsOf(given: string | undefined, pathOf: (name: string) => string): readonly LeaderColumn[] {
  const names = given === undefined ? [...shown.keys()] : given.split(',').map((name) => name.trim());
  return names.map((written) => {
    const path = pathOf(written);
    const [first, window, name] = path.split('.') as [string, string, string];
    if (first !== 'metrics')
      throw new SwapfoldError('invalid-input', `--columns: "${written}" is no metric; the table shows metrics alone.`);
    return { title: given === undefined ? shown.get(written)! : written, window, name };
  });
}

/**
 * The path of a field of wallets by its name: `pnl` is that of the window, `7d.pnl` of another one, and any path of a search is its own.
 * Errors: `invalid-input` for a name of one part that no metric and no field has.
 */
function pathsOf(dex: Swapfold, window: string): (name: string) => string {
  const metrics = dex.metrics.filter(({ of }) => of.includes('wallets')).map(metricPath);
  const plain = ['labels', 'wallet_address', 'updated_at', 'synced_at'];
  return (written) => {
    const name = written.toLowerCase();
    if (metrics.includes(name)) return `metrics.${window}.${name}`;
    if (plain.includes(name) || !/^\w+$/.test(name)) {
      const [first, ...rest] = name.split('.');
      return windows.includes(first as (typeof windows)[number]) ? `metrics.${[first, ...rest].join('.')}` : name;
    }
    throw new SwapfoldError(
      'invalid-input',
      `Wallets have no field "${written}".${didYouMean(name, [...metrics, ...plain])}`,
    );
  };
}

function leaderLines(
  items: readonly WalletProfile[],
  columns: readonly LeaderColumn[],
  native: string | undefined,
  copies: readonly (number | null)[] | undefined,
): string[] {
  if (items.length === 0) return ['No wallet.'];
  const sums = new UnknownSums();
  const titles = [
    { title: '#', align: 'right' },
    { title: 'wallet', align: 'left' },
    ...columns.map(({ title }) => ({ title, align: 'right' }) as const),
    ...(copies === undefined ? [] : [{ title: 'copy 5 s', align: 'right' } as const]),
  ] as const;
  const table = (walletText: (address: string) => string): string[] =>
    tableLines(
      titles,
      items.map(({ wallet_address: wallet, metrics }, i) => [
        String(i + 1),
        walletText(wallet),
        ...columns.map(({ window, name }) => cellOf({ name, values: valuesOf(metrics, window), native, sums })),
        ...(copies === undefined ? [] : [formatPercent(copies[i]!)]),
      ]),
    );
  const whole = table((address) => address);
  const width = process.stdout.columns ?? WIDTH;
  return [...(whole.every((line) => line.length <= width) ? whole : table(shortAddress)), ...sums.lines];
}

const valuesOf = (metrics: WalletProfile['metrics'], window: string): WindowMetrics =>
  (metrics as Readonly<Record<string, WindowMetrics>> | undefined)?.[window] ?? {};

/** A length of time by its largest unit alone, anything else as tables of metrics have it. */
function cellOf(of: Omit<Parameters<typeof metricCell>[0], 'kind'>): string {
  const { name, values } = of;
  if (values[name] === null || values[name] === undefined) return NONE;
  const text = metricCell({ kind: 'wallets', ...of });
  return name === 'avg_holding_duration' ? text.split(' ')[0]! : text;
}
