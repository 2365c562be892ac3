import type { Mutant } from './mutant.ts';

const numbers = 'metrics/numbers.ts';
const risk = 'metrics/wallets/risk.ts';

export const metrics: readonly Mutant[] = [
  {
    breaks: 'the deviation is that of the population',
    file: numbers,
    find: 'squares / (series.length - 1)',
    replace: 'squares / series.length',
    noticedBy: ['series', 'boundaries', 'examples'],
  },
  {
    breaks: 'stability divides by the deviation alone',
    file: numbers,
    find: 'ratio(level, level + deviation(series))',
    replace: 'ratio(level, deviation(series))',
    noticedBy: ['series'],
  },
  {
    breaks: 'sortino divides by the falls over the negative periods only',
    file: numbers,
    find: 'Math.sqrt(squares / series.length) * unit);',
    replace: 'Math.sqrt(squares / series.filter((value) => value < 0).length) * unit);',
    noticedBy: ['series', 'boundaries'],
  },
  {
    breaks: 'the curve of returns does not start at 1',
    file: numbers,
    find: '  let peak = 1;\n  let fall = 0;',
    replace: '  let peak = 0;\n  let fall = 0;',
    noticedBy: ['series'],
  },
  {
    breaks: 'two periods make a series',
    file: numbers,
    find: 'export const MIN_PERIODS = 3;',
    replace: 'export const MIN_PERIODS = 2;',
    noticedBy: ['series'],
  },
  {
    breaks: 'rounding counts as spread',
    file: numbers,
    find: 'const CONSTANT_PART = 1e-12;',
    replace: 'const CONSTANT_PART = 0;',
    noticedBy: ['series'],
  },
  {
    breaks: 'squares overflow and vanish',
    file: numbers,
    find: 'return largest === 0 || (largest > 1e-100 && largest < 1e100) ? 1 : largest;',
    replace: 'return 1;',
    noticedBy: ['series'],
  },
  {
    breaks: 'the chance of ruin takes a win for a loss of its inverse size',
    file: numbers,
    find: 'p * Math.expm1(-z * b)',
    replace: 'p * Math.expm1(-z / b)',
    noticedBy: ['series'],
  },
  {
    breaks: 'a part of a score that is undefined counts as 0',
    file: numbers,
    find: 'if (value === null || !Number.isFinite(value)) continue;',
    replace: 'if (value === null || !Number.isFinite(value)) {\n      weights += weight;\n      continue;\n    }',
    noticedBy: ['series'],
  },
  {
    breaks: 'returns are added, not compounded',
    file: numbers,
    find: 'level *= 1 + returns[i]! / 100;\n  return (level - 1) * 100;',
    replace: 'level += returns[i]! / 100;\n  return (level - 1) * 100;',
    noticedBy: ['series'],
  },
  {
    breaks: 'four decided sells have a chance of ruin',
    file: risk,
    find: 'const MIN_DECIDED = 5;',
    replace: 'const MIN_DECIDED = 4;',
    noticedBy: ['boundaries'],
  },
  {
    breaks: 'losing more than winning is no ruin',
    file: risk,
    find: 'if (bag.winPnl + bag.lossPnl <= 0) return 100;',
    replace: 'if (bag.winPnl + bag.lossPnl <= 0) return 0;',
    noticedBy: ['boundaries'],
  },
  {
    breaks: 'a steady loss is rewarded',
    file: risk,
    find: 'mean(series) <= 0 ? 0 : stable',
    replace: 'stable',
    noticedBy: ['boundaries'],
  },
  {
    breaks: 'win rates divide by all sells, break-evens among them',
    file: 'metrics/wallets/results.ts',
    find: 'value: (bag) => percent(bag.wins, bag.wins + bag.losses),',
    replace: 'value: (bag) => percent(bag.wins, bag.realised),',
    noticedBy: ['boundaries'],
  },
  {
    breaks: 'a profit factor without a loss is 0',
    file: 'metrics/numbers.ts',
    find: 'export function ratio(a: number, b: number): number | null {\n  return b === 0 ? null : a / b;',
    replace: 'export function ratio(a: number, b: number): number | null {\n  return b === 0 ? 0 : a / b;',
    noticedBy: ['boundaries'],
  },
];
