import { defineMetric } from '../metric.ts';
import { percent, ratio } from '../numbers.ts';
import { boughtBefore, dayTrades, nothing, overSell, winAndLoss } from '../story.ts';

export const winCount = defineMetric({
  name: 'win_count',
  of: ['wallets', 'positions'],
  unit: 'count',
  sentence: 'Realised sells with a profit.',
  formula: '|r with pnl > 0|',
  empty: 0,
  terms: ['wins'],
  isSum: true,
  value: (bag) => bag.wins,
  examples: [
    { story: winAndLoss, window: '7d', value: 1, because: 'A' },
    { story: dayTrades, window: '7d', value: 3, because: '10, 20, 20' },
    { story: nothing, window: '7d', value: 0, because: 'a count or sum over nothing is 0' },
  ],
  source: 'docs/reference/metrics.md',
});

export const lossCount = defineMetric({
  name: 'loss_count',
  of: ['wallets', 'positions'],
  unit: 'count',
  sentence: 'Realised sells with a loss.',
  formula: '|r with pnl < 0|',
  empty: 0,
  terms: ['losses'],
  isSum: true,
  value: (bag) => bag.losses,
  examples: [
    { story: winAndLoss, window: '7d', value: 1, because: 'B' },
    { story: dayTrades, window: '7d', value: 2, because: '-10, -10' },
    { story: nothing, window: '7d', value: 0, because: 'a count or sum over nothing is 0' },
  ],
  source: 'docs/reference/metrics.md',
});

export const largestWin = defineMetric({
  name: 'largest_win',
  of: ['wallets', 'positions'],
  unit: 'USD',
  sentence: 'Largest profit of a realised sell, 0 without one.',
  formula: 'max(0, max pnl) over R',
  empty: 0,
  terms: ['largestWin'],
  value: (bag) => bag.largestWin,
  examples: [
    { story: winAndLoss, window: '7d', value: 50, because: 'A' },
    { story: dayTrades, window: '7d', value: 20, because: 'of 10, 20, 20' },
    { story: nothing, window: '7d', value: 0, because: 'a count or sum over nothing is 0' },
  ],
  source: 'docs/reference/metrics.md',
});

export const largestLoss = defineMetric({
  name: 'largest_loss',
  of: ['wallets', 'positions'],
  unit: 'USD',
  sentence: 'Largest loss of a realised sell, 0 without one.',
  formula: 'min(0, min pnl) over R',
  empty: 0,
  terms: ['largestLoss'],
  value: (bag) => bag.largestLoss,
  examples: [
    { story: winAndLoss, window: '7d', value: -80, because: 'B' },
    { story: boughtBefore, window: '7d', value: 0, because: 'no loss' },
    { story: nothing, window: '7d', value: 0, because: 'a count or sum over nothing is 0' },
  ],
  source: 'docs/reference/metrics.md',
});

export const maxConsecutiveWins = defineMetric({
  name: 'max_consecutive_wins',
  of: ['wallets', 'positions'],
  unit: 'count',
  sentence: 'Longest run of wins in chain order; a result of 0 ends it.',
  formula: 'longest run of pnl > 0 in R',
  empty: 0,
  terms: ['longestWins'],
  value: (bag) => bag.longestWins,
  examples: [
    { story: dayTrades, window: '7d', value: 2, because: '+10, +20' },
    { story: nothing, window: '7d', value: 0, because: 'a count or sum over nothing is 0' },
  ],
  source: 'docs/reference/metrics.md',
});

export const maxConsecutiveLosses = defineMetric({
  name: 'max_consecutive_losses',
  of: ['wallets', 'positions'],
  unit: 'count',
  sentence: 'Longest run of losses in chain order; a result of 0 ends it.',
  formula: 'longest run of pnl < 0 in R',
  empty: 0,
  terms: ['longestLosses'],
  value: (bag) => bag.longestLosses,
  examples: [
    { story: dayTrades, window: '7d', value: 1, because: '-10 twice, a win between' },
    { story: nothing, window: '7d', value: 0, because: 'a count or sum over nothing is 0' },
  ],
  source: 'docs/reference/metrics.md',
});

export const avgPnl = defineMetric({
  name: 'avg_pnl',
  of: ['wallets', 'positions'],
  unit: 'USD',
  sentence: 'Mean result of a realised sell.',
  formula: 'mean pnl over R',
  empty: null,
  terms: ['pnl', 'realised'],
  value: (bag) => ratio(bag.pnl, bag.realised),
  examples: [
    { story: winAndLoss, window: '7d', value: -15, because: '-30 / 2' },
    { story: nothing, window: '7d', value: null, because: 'undefined over nothing' },
  ],
  source: 'docs/reference/metrics.md',
});

export const avgRoi = defineMetric({
  name: 'avg_roi',
  of: ['wallets', 'positions'],
  unit: 'percent',
  sentence: 'Mean return of a realised sell.',
  formula: 'mean of pnl / cost x 100 over R',
  empty: null,
  terms: ['roiSum', 'rois'],
  value: (bag) => ratio(bag.roiSum, bag.rois),
  examples: [
    { story: winAndLoss, window: '7d', value: 5, because: '(50 - 40) / 2' },
    { story: nothing, window: '7d', value: null, because: 'undefined over nothing' },
  ],
  source: 'docs/reference/metrics.md',
});

export const roi = defineMetric({
  name: 'roi',
  of: ['wallets', 'positions'],
  unit: 'percent',
  sentence: 'Profit on the cost of what was sold.',
  formula: 'pnl / sum of cost x 100',
  empty: null,
  terms: ['pnl', 'cost'],
  value: (bag) => percent(bag.pnl, bag.cost),
  examples: [
    { story: winAndLoss, window: '7d', value: -10, because: '-30 / 300' },
    { story: overSell, window: '7d', value: 50, because: '50 / 100' },
    { story: nothing, window: '7d', value: null, because: 'undefined over nothing' },
  ],
  source: 'docs/reference/metrics.md',
});

export const winrate = defineMetric({
  name: 'winrate',
  of: ['wallets', 'positions'],
  unit: 'percent',
  sentence: 'Part of the decided sells that won; break-evens count on neither side.',
  formula: 'win_count / (win_count + loss_count) x 100',
  empty: null,
  terms: ['wins', 'losses'],
  value: (bag) => percent(bag.wins, bag.wins + bag.losses),
  examples: [
    { story: winAndLoss, window: '7d', value: 50, because: '1 / 2' },
    { story: dayTrades, window: '7d', value: 60, because: '3 / 5' },
    { story: nothing, window: '7d', value: null, because: 'undefined over nothing' },
  ],
  source: 'trading-system reports',
});

export const profitExpectancy = defineMetric({
  name: 'profit_expectancy',
  of: ['wallets', 'positions'],
  unit: 'USD',
  sentence: 'What a decided sell brings on average.',
  formula: '(win_pnl + loss_pnl) / (win_count + loss_count)',
  empty: null,
  terms: ['winPnl', 'lossPnl', 'wins', 'losses'],
  value: (bag) => ratio(bag.winPnl + bag.lossPnl, bag.wins + bag.losses),
  examples: [
    { story: winAndLoss, window: '7d', value: -15, because: '(50 - 80) / 2' },
    { story: dayTrades, window: '7d', value: 6, because: '30 / 5' },
    { story: nothing, window: '7d', value: null, because: 'undefined over nothing' },
  ],
  source: 'trading-system reports',
});

export const recoveryFactor = defineMetric({
  name: 'recovery_factor',
  of: ['wallets', 'positions'],
  unit: 'ratio',
  sentence: 'Profit against the largest fall of the running profit from its peak.',
  formula: 'pnl / largest fall of the cumulative pnl, which starts at 0',
  empty: null,
  terms: ['pnl', 'largestFall'],
  value: (bag) => ratio(bag.pnl, bag.largestFall),
  examples: [
    { story: winAndLoss, window: '7d', value: -0.375, because: '50, -30: fall 80; -30 / 80' },
    { story: dayTrades, window: '7d', value: 3, because: '10, 30, 20, 40, 30: fall 10; 30 / 10' },
    { story: boughtBefore, window: '7d', value: null, because: 'it never fell' },
    { story: nothing, window: '7d', value: null, because: 'undefined over nothing' },
  ],
  source: 'trading-system reports',
});

export const turnover = defineMetric({
  name: 'turnover',
  of: ['wallets', 'positions'],
  unit: 'ratio',
  sentence: 'How often the capital at work was turned over.',
  formula: 'sum of cost over R / time average of C(t)',
  empty: null,
  terms: ['cost', 'averageOpenCost'],
  value: (bag) => ratio(bag.cost, bag.averageOpenCost),
  examples: [
    { story: winAndLoss, window: '7d', value: 8.4, because: '300 / ((100 x 0.5 d + 200 x 1 d) / 7 d)' },
    { story: nothing, window: '7d', value: null, because: 'undefined over nothing' },
  ],
  source: 'docs/reference/metrics.md',
});
