import { metricOfTokens, over } from '../declare.ts';
import { ratio } from '../numbers.ts';
import { winAndLoss } from '../story.ts';

export const tokenResults = [
  metricOfTokens({
    name: 'largest_trade_win',
    unit: 'USD',
    sentence: 'Largest profit of a realised sell, 0 without one.',
    formula: 'max(0, max pnl) over R',
    empty: 0,
    terms: ['largestWin'],
    value: (bag) => bag.largestWin,
    examples: [over(winAndLoss, 50, 'wallet A')],
  }),
  metricOfTokens({
    name: 'largest_trade_loss',
    unit: 'USD',
    sentence: 'Largest loss of a realised sell, 0 without one.',
    formula: 'min(0, min pnl) over R',
    empty: 0,
    terms: ['largestLoss'],
    value: (bag) => bag.largestLoss,
    examples: [over(winAndLoss, -80, 'wallet B')],
  }),
  metricOfTokens({
    name: 'avg_trade_pnl',
    unit: 'USD',
    sentence: 'Mean result of a realised sell.',
    formula: 'mean pnl over R',
    terms: ['pnl', 'realised'],
    value: (bag) => ratio(bag.pnl, bag.realised),
    examples: [over(winAndLoss, -15, '-30 / 2')],
  }),
  metricOfTokens({
    name: 'avg_trade_roi',
    unit: 'percent',
    sentence: 'Mean return of a realised sell.',
    formula: 'mean of pnl / cost x 100 over R',
    terms: ['roiSum', 'rois'],
    value: (bag) => ratio(bag.roiSum, bag.rois),
    examples: [over(winAndLoss, 5, '(50 - 40) / 2')],
  }),
] as const;
