import { type Swapfold, SwapfoldError, type WalletProfile } from '@swapfold/core';
import {
  didYouMean,
  formatTime,
  metricPath,
  profileWindows,
  recordPaths,
  type WalletSortField,
} from '@swapfold/core/host';
import { type Command, Option } from 'commander';
import { wholeNumber } from '../number-options.ts';
import { nativeSymbol } from '../text/native.ts';
import type { Palette } from '../text/palette.ts';
import type { Answer } from './answer.ts';
import { columnTitles, type LeaderColumn, leaderLines, recordTitles } from './leader-table.ts';
import { firstItems, restLine } from './rows.ts';
import { parseWhere } from './where.ts';

const windows = profileWindows.wallets;

/** Which wallets lead, and what is shown of them. */
export interface LeadersRequest {
  readonly by?: string;
  readonly window?: string;
  readonly where?: string;
  readonly columns?: string;
  /** Whether to say what following each wallet would have made. */
  readonly copy?: true;
  readonly limit: number;
}

/** The options that only wallets have, with what the help says of them. */
const ofWallets = {
  window: new Option('--window <window>', 'of which window the metrics are (default: 30d)').choices(windows),
  where: new Option(
    '--where <conditions>',
    'which wallets, such as "pnl > 10k and winrate >= 60 and not labels has sniper"',
  ),
  columns: new Option('--columns <names>', 'metrics in place of those shown, such as pnl,7d.pnl,sharpe_ratio'),
} as const satisfies Partial<Record<keyof LeadersRequest, Option>>;

/** What a command takes that lists the wallets that lead. `rows`: how many it shows if nobody says. */
export function addLeadersOptions(command: Command, rows: number): Command {
  for (const option of Object.values(ofWallets)) command.addOption(option);
  return command.option('--limit <count>', 'how many', wholeNumber(1, 10_000), rows);
}

/** Refuses options that mean nothing of one token. Errors: `invalid-input`. */
export function refuseOfToken(request: LeadersRequest): void {
  const given = (Object.keys(ofWallets) as (keyof typeof ofWallets)[]).find((name) => request[name] !== undefined);
  if (given === undefined) return;
  throw new SwapfoldError(
    'invalid-input',
    `--${given} chooses among all wallets, not among those of one token: leave it out, or leave out the token.`,
  );
}

/**
 * The wallets that lead as of the last refresh: by their record, if nothing else is asked for; by a metric, or what they made, in a window; by
 * any other field.
 */
export async function leaders(dex: Swapfold, request: LeadersRequest): Promise<Answer> {
  const { window = '30d', where, limit } = request;
  const by = request.by ?? (request.window === undefined ? 'floor_pnl' : 'pnl');
  const pathOf = pathsOf(dex, window);
  const sort = pathOf(by);
  const columns = columnsOf(request.columns, { pathOf, by, sort });
  const has = (section: string): boolean => columns.some(({ path }) => path.startsWith(`${section}.`));
  const { count, items } = await firstItems(limit, (page) =>
    dex.wallets.search({
      ...(where === undefined ? {} : { filter: parseWhere(where, pathOf) }),
      sort: { field: sort as WalletSortField, direction: 'desc' },
      options: {
        include_metadata: true,
        include_labels: true,
        include_lifetime: has('lifetime'),
        include_holding: has('holding'),
        include_metrics: windows.filter((one) => columns.some((column) => column.window === one)),
      },
      ...page,
    }),
  );
  const copies = request.copy ? await copiesOf(dex, items, window) : undefined;
  const lines = (palette: Palette) => [
    palette.bold(sort.startsWith('metrics.') ? `${by} of ${window}` : sort),
    ...leaderLines(items, columns, nativeSymbol(dex.config), copies),
    ...restLine(items.length, count, 'wallets'),
  ];
  const rows = copies === undefined ? items : items.map((item, i) => ({ ...item, copy_roi: copies[i]! }));
  return { json: rows, rows, lines };
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

/** The columns that are asked for; else those of every such table, before them the metric that it is sorted by. */
function columnsOf(
  given: string | undefined,
  { pathOf, by, sort }: { pathOf: (name: string) => string; by: string; sort: string },
): readonly LeaderColumn[] {
  if (given !== undefined) return given.split(',').map((name) => columnAt(pathOf(name.trim()), name.trim()));
  const isOfRecord = isRecordPath(sort);
  const shown = [...(isOfRecord ? recordTitles : columnTitles)].map(([name, title]) => columnAt(pathOf(name), title));
  const isShown = !(isOfRecord || sort.startsWith('metrics.')) || shown.some(({ path }) => path === sort);
  return isShown ? shown : [columnAt(sort, by), ...shown];
}

function columnAt(path: string, title: string): LeaderColumn {
  if (isRecordPath(path)) return { path, title, name: path.slice(path.indexOf('.') + 1) };
  const [first, window, name] = path.split('.') as [string, string, string];
  if (first === 'metrics') return { path, title, window, name };
  const message = `--columns: "${title}" is no metric and no field of lifetime or holding; the table shows these alone.`;
  throw new SwapfoldError('invalid-input', message);
}

const isRecordPath = (path: string): boolean => /^(?:lifetime|holding)\./.test(path);

/**
 * The path of a field of wallets by its name: `pnl` is that of the window, `7d.pnl` of another one, `floor_pnl` is of the record, which has no
 * metric of that name, and any path of a search is its own.
 * Errors: `invalid-input` for a name of one part that no metric and no field has.
 */
function pathsOf(dex: Swapfold, window: string): (name: string) => string {
  const metrics = dex.metrics.filter(({ of }) => of.includes('wallets')).map(metricPath);
  const plain = ['labels', 'wallet_address', 'updated_at', 'synced_at'];
  const record = new Map(recordPaths.map((path) => [path.slice(path.indexOf('.') + 1), path]));
  return (written) => {
    const name = written.toLowerCase();
    if (metrics.includes(name)) return `metrics.${window}.${name}`;
    const ofRecord = record.get(name);
    if (ofRecord !== undefined) return ofRecord;
    if (plain.includes(name) || !/^\w+$/.test(name)) {
      const [first, ...rest] = name.split('.');
      return windows.includes(first as (typeof windows)[number]) ? `metrics.${[first, ...rest].join('.')}` : name;
    }
    throw new SwapfoldError(
      'invalid-input',
      `Wallets have no field "${written}".${didYouMean(name, [...metrics, ...record.keys(), ...plain])}`,
    );
  };
}
