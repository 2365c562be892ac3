import type { Mutant } from './mutant.ts';

const nativeMark = 'ledger/native-mark.ts';
const rows = 'search/moving-rows.ts';
const columns = 'profiles/moving.ts';

export const moving: readonly Mutant[] = [
  {
    breaks: 'a mark stays what its print said',
    file: nativeMark,
    find: 'return m.or(m.times(nativePrice, nativeUsd), price);',
    replace: 'return price;',
    noticedBy: 'moving marks',
  },
  {
    breaks: 'a mark that a reference price of the native token valued does not move',
    file: nativeMark,
    find: "rule === 'reference' &&",
    replace: "rule === 'stable' &&",
    noticedBy: 'moving marks',
  },
  {
    breaks: 'a page goes on behind all that stands still at the value of a row that moves',
    file: rows,
    find: 'boundary(value, direction, nativeUsd) : besides(value, direction)',
    replace: 'boundary(value, direction, nativeUsd) : value',
    noticedBy: 'moving marks',
  },
  {
    breaks: 'a page repeats what moves at the value of a row that stands still',
    file: rows,
    find: 'previousNumber(leastAbove(value, nativeUsd))',
    replace: 'previousNumber(leastFrom(value, nativeUsd))',
    noticedBy: 'moving marks',
  },
  {
    breaks: 'a filter reads what is stored',
    file: columns,
    find: "return or(and({ kind: 'missing', column }, where), nativeCondition(column, where, nativeUsd));",
    replace: 'return where;',
    noticedBy: 'moving marks',
  },
  {
    breaks: 'labels wait for the next trade of the token',
    file: columns,
    find: 'return or(and(before, not(after)), and(not(before), after));',
    replace: 'return and(before, not(before), after);',
    noticedBy: 'moving marks',
  },
];
