import type { Simulation } from '@swapfold/core';
import { formatTime } from '@swapfold/core/host';
import { shortAddress } from './address.ts';
import { formatCount, formatPercent, formatUsd } from './numbers.ts';
import { tableLines } from './table.ts';

const left = (title: string) => ({ title, align: 'left' }) as const;
const right = (title: string) => ({ title, align: 'right' }) as const;

const resultColumns = [
  left(''),
  right('result'),
  right('realized'),
  right('open'),
  right('cost'),
  right('roi'),
  right('fees'),
  right('trades'),
  right('missed'),
];
const pairColumns = [
  left('time'),
  left('token'),
  left('trade'),
  right('its price'),
  right('copy'),
  left('by'),
  right('value'),
  right('realized'),
];

type Made = Simulation['leader'] & Partial<Pick<Simulation['follower'], 'fees' | 'trade_count' | 'missed_count'>>;

/** What a copy would have made, beside what the leader did, and the newest of its trades. */
export function simulationLines(
  { wallet, from, to, leader, leader_actual, follower, decay, count, pairs, unvalued_count }: Simulation,
  { size, delay, slots }: { readonly size: number; readonly delay?: number; readonly slots?: number },
): string[] {
  if (from === null || count === 0) return [`${wallet} has no trade that could be followed.`];
  const own = slots === undefined ? `${delay ?? 5} s` : `${slots} slots`;
  const rows: readonly (readonly [string, Made])[] = [
    ['the wallet itself', leader_actual],
    [`its prices, ${formatUsd(size)} a buy`, leader],
    [`copy after ${own}`, follower],
    ...decay
      .filter((one) => slots !== undefined || one.delay !== (delay ?? 5))
      .map((one) => [`copy after ${one.delay} s`, one] as const),
  ];
  const notes = [
    ...noteOf(follower.unknown_count, `of the trades of the copy were in a pool whose depth is not known.`),
    ...noteOf(follower.kept_count, 'times the wallet sent tokens away that the copy kept.'),
    ...noteOf(unvalued_count, 'buys of the wallet have no value and are not followed.'),
  ];
  return [
    `${wallet} from ${from} to ${to}`,
    '',
    ...tableLines(resultColumns, rows.map(resultCells)),
    ...(notes.length === 0 ? [] : ['', ...notes]),
    ...(pairs.length === 0
      ? []
      : ['', 'Its newest trades and those of the copy:', ...tableLines(pairColumns, pairs.map(pairCells))]),
  ];
}

const noteOf = (count: number, text: string): string[] => (count === 0 ? [] : [`${formatCount(count)} ${text}`]);

const resultCells = ([title, made]: readonly [string, Made]): string[] => [
  title,
  formatUsd(made.realized_pnl + made.unrealized_pnl),
  formatUsd(made.realized_pnl),
  formatUsd(made.unrealized_pnl),
  formatUsd(made.cost),
  formatPercent(made.roi),
  made.fees === undefined ? '' : formatUsd(made.fees),
  made.trade_count === undefined ? '' : formatCount(made.trade_count),
  made.missed_count === undefined ? '' : formatCount(made.missed_count),
];

const pairCells = (pair: Simulation['pairs'][number]): string[] => [
  formatTime(pair.block_time),
  pair.token_symbol ?? shortAddress(pair.token),
  pair.direction,
  formatUsd(pair.leader_price),
  formatUsd(pair.price),
  pair.missed ? 'missed' : (pair.decided_by ?? ''),
  formatUsd(pair.usd_amount),
  formatUsd(pair.realized_pnl),
];
