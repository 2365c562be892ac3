import type { Mutant } from './mutant.ts';

const history = 'refresh/position-rows.ts';
const windows = 'refresh/position-rows.ts';
const rows = 'refresh/position-rows.ts';
const stale = 'refresh/stale.ts';
const continued = 'refresh/continued-positions.ts';
const log = 'refresh/trade-log.ts';

export const positions: readonly Mutant[] = [
  {
    breaks: 'a position says when it was first opened, not last',
    file: history,
    find: '      now.openedAt = time;\n',
    replace: '      if (Number.isNaN(now.openedAt)) now.openedAt = time;\n',
    noticedBy: 'positions',
  },
  {
    breaks: 'a position that is opened again is still closed',
    file: history,
    find: '      now.closedAt = Number.NaN;\n',
    replace: '',
    noticedBy: 'positions',
  },
  {
    breaks: 'the first trade of a position is its newest',
    file: history,
    find: 'if (Number.isNaN(now.first)) now.first = time;',
    replace: 'now.first = time;',
    noticedBy: 'positions',
  },
  {
    breaks: 'a position forgets its history with each refresh',
    file: history,
    find: 'if (stored === undefined || row < 0) return;',
    replace: 'return;',
    noticedBy: 'refresh',
  },
  {
    breaks: 'a position that was never bought is closed',
    file: history,
    find: "if (Number.isNaN(now.openedAt)) return 'unknown';",
    replace: '',
    noticedBy: 'positions',
  },
  {
    breaks: 'a trade exactly a window old is still in it',
    file: windows,
    find: '> asOf - seconds; i++)',
    replace: '>= asOf - seconds; i++)',
    noticedBy: 'positions',
  },
  {
    breaks: 'a position holds for a second in which its first trade has left a window',
    file: windows,
    find: '+ seconds - 1)',
    replace: '+ seconds)',
    noticedBy: 'positions',
  },
  {
    breaks: 'lots of unknown cost are part of the entry price',
    file: rows,
    find: 'if (!Number.isNaN(unit)) {\n      amount[row]',
    replace: 'if (row >= 0) {\n      amount[row]',
    noticedBy: 'positions',
  },
  {
    breaks: 'a position does not say that a swap touched it which made no trade',
    file: continued,
    find: 'newestSwap: stale.newestSwap,',
    replace: 'newestSwap: () => undefined,',
    noticedBy: 'positions',
  },
  {
    breaks: 'positions whose trades were taken back, or have others before them now, are continued',
    file: stale,
    find: '(wallet, updatedAt) => updatedAt >= sinceOf(wallet),',
    replace: '() => false,',
    noticedBy: 'refresh',
  },
  {
    breaks: 'a position whose newest swap is of the second of the first change is continued',
    file: stale,
    find: 'updatedAt >= sinceOf(wallet)',
    replace: 'updatedAt > sinceOf(wallet)',
    noticedBy: 'refresh',
  },
  {
    breaks: 'time alone changes no position',
    file: stale,
    find: '  if (isAging) await take(',
    replace: '  if (!isAging) await take(',
    noticedBy: 'refresh',
  },
  {
    breaks: 'a continued position has the trades twice that were read with those since the first change',
    file: continued,
    find: 'timeOf(seq[row]!) >= sinceOf(wallet[row]!)',
    replace: 'timeOf(seq[row]!) >= 0',
    noticedBy: 'refresh',
  },
  {
    breaks: 'the cached trades between quote tokens keep what was taken back',
    file: log,
    find: '    this.quotes?.cut(time);\n',
    replace: '',
    noticedBy: 'refresh',
  },
  {
    breaks: 'trades between quote tokens are those of the wallet',
    file: log,
    find: 'swap_type[at] === QUOTE_QUOTE;',
    replace: 'swap_type[at] === -1;',
    noticedBy: 'positions',
  },
];
