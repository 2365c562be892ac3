import type { WalletProfile } from '@swapfold/core';
import { shortAddress } from '../text/address.ts';
import { metricCell, type WindowMetrics } from '../text/metric-table.ts';
import { formatPercent, NONE } from '../text/numbers.ts';
import { tableLines } from '../text/table.ts';
import { UnknownSums } from '../text/unknown-sums.ts';

/** Columns of a table of wallets and their short titles: with places and wallets they fit into 100 characters. */
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
  readonly window: string;
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
