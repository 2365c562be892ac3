import type { WalletProfile } from '@swapfold/core';
import { shortAddress } from '../text/address.ts';
import { metricCell, type WindowMetrics } from '../text/metric-table.ts';
import { formatCount, formatNative, formatPercent, formatUsd, NONE } from '../text/numbers.ts';
import { tableLines } from '../text/table.ts';
import { UnknownSums } from '../text/unknown-sums.ts';

/** Columns of a table of wallets by their record, by path, and their short titles: with places and wallets they are twelve, and fit into 100 characters. */
export const recordTitles: ReadonlyMap<string, string> = new Map([
  ['holding.floor_pnl', 'floor'],
  ['lifetime.realized_pnl', 'realized'],
  ['holding.unrealized_pnl', 'open'],
  ['holding.sunk_count', 'sunk'],
  ['lifetime.realized_roi', 'roi'],
  ['holding.token_winrate', 'wins'],
  ['lifetime.token_count', 'tokens'],
  ['lifetime.trade_count', 'trades'],
  ['lifetime.days_active', 'days'],
  ['lifetime.unmatched_share', 'no cost'],
]);

/** Columns of a table of wallets by the metrics of a window, and their short titles. */
export const columnTitles: ReadonlyMap<string, string> = new Map([
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

export interface LeaderColumn {
  readonly path: string;
  readonly title: string;
  /** Of a metric. */
  readonly window?: string;
  readonly name: string;
}

/** Wallets with their metrics, one a line; with whole addresses if the terminal is wide enough. */
export function leaderLines(
  items: readonly WalletProfile[],
  columns: readonly LeaderColumn[],
  native: string | undefined,
  copies?: readonly (number | null)[] | undefined,
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
      items.map((item, i) => [
        String(i + 1),
        walletText(item.wallet_address),
        ...columns.map(({ window, name, path }) =>
          window === undefined
            ? recordCell(item, path, native)
            : cellOf({ name, values: valuesOf(item.metrics, window), native, sums }),
        ),
        ...(copies === undefined ? [] : [formatPercent(copies[i]!)]),
      ]),
    );
  const whole = table((address) => address);
  const width = process.stdout.columns ?? WIDTH;
  return [...(whole.every((line) => line.length <= width) ? whole : table(shortAddress)), ...sums.lines];
}

/** A field of the record. */
function recordCell(item: WalletProfile, path: string, native: string | undefined): string {
  const [section, name] = path.split('.') as ['lifetime' | 'holding', string];
  const value = (item[section] as Readonly<Record<string, unknown>> | undefined)?.[name];
  if (typeof value !== 'number') return typeof value === 'string' ? value : NONE;
  if (name.endsWith('_native')) return formatNative(value, native ?? '');
  if (/(?:share|roi|winrate)$/.test(name)) return formatPercent(value);
  return /(?:count|active)$/.test(name) ? formatCount(value) : formatUsd(value);
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
