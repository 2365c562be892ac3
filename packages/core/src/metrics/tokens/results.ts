import { defineMetric } from '../metric.ts';
import { ratio } from '../numbers.ts';
import { nothing, winAndLoss } from '../story.ts';

export const largestTradeWin = defineMetric({
  name: 'largest_trade_win',
  of: ['tokens'],
  unit: 'USD',
  sentence: 'Largest profit of a realised sell, 0 without one.',
  formula: 'max(0, max pnl) over R',
  empty: 0,
  terms: ['largestWin'],
  value: (bag) => bag.largestWin,
  examples: [
    { story: winAndLoss, window: '7d', value: 50, because: 'wallet A' },
    { story: nothing, window: '7d', value: 0, because: 'a count or sum over nothing is 0' },
  ],
  source: 'docs/reference/metrics.md',
});

export const largestTradeLoss = defineMetric({
  name: 'largest_trade_loss',
  of: ['tokens'],
  unit: 'USD',
  sentence: 'Largest loss of a realised sell, 0 without one.',
  formula: 'min(0, min pnl) over R',
  empty: 0,
  terms: ['largestLoss'],
  value: (bag) => bag.largestLoss,
  examples: [
    { story: winAndLoss, window: '7d', value: -80, because: 'wallet B' },
    { story: nothing, window: '7d', value: 0, because: 'a count or sum over nothing is 0' },
  ],
  source: 'docs/reference/metrics.md',
});

export const avgTradePnl = defineMetric({
  name: 'avg_trade_pnl',
  of: ['tokens'],
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

export const avgTradeRoi = defineMetric({
  name: 'avg_trade_roi',
  of: ['tokens'],
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
