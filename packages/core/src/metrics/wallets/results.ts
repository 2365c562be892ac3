import type { Bag } from '../../bag/bag.ts';
import { metricOfWallets, metricOfWalletsAlone, over } from '../declare.ts';
import { percent, ratio } from '../numbers.ts';
import { boughtBefore, dayTrades, overSell, winAndLoss } from '../story.ts';

// Of tokens, too, where they have longer names.
export const largestWin = {
  unit: 'USD',
  sentence: 'Largest profit of a realised sell, 0 without one.',
  formula: 'max(0, max pnl) over R',
  empty: 0,
  terms: ['largestWin'],
  value: (bag: Pick<Bag, 'largestWin'>) => bag.largestWin,
  examples: [over(winAndLoss, 50, 'wallet A'), over(dayTrades, 20, 'of 10, 20, 20')],
} as const;

export const largestLoss = {
  unit: 'USD',
  sentence: 'Largest loss of a realised sell, 0 without one.',
  formula: 'min(0, min pnl) over R',
  empty: 0,
  terms: ['largestLoss'],
  value: (bag: Pick<Bag, 'largestLoss'>) => bag.largestLoss,
  examples: [over(winAndLoss, -80, 'wallet B'), over(boughtBefore, 0, 'no loss')],
} as const;

export const avgPnl = {
  unit: 'USD',
  sentence: 'Mean result of a realised sell.',
  formula: 'mean pnl over R',
  terms: ['pnl', 'realised'],
  value: (bag: Pick<Bag, 'pnl' | 'realised'>) => ratio(bag.pnl, bag.realised),
  examples: [over(winAndLoss, -15, '-30 / 2')],
} as const;

export const avgRoi = {
  unit: 'percent',
  sentence: 'Mean return of a realised sell.',
  formula: 'mean of pnl / cost x 100 over R',
  terms: ['roiSum', 'rois'],
  value: (bag: Pick<Bag, 'roiSum' | 'rois'>) => ratio(bag.roiSum, bag.rois),
  examples: [over(winAndLoss, 5, '(50 - 40) / 2')],
} as const;

export const walletResults = [
  metricOfWallets({
    name: 'win_count',
    unit: 'count',
    sentence: 'Realised sells with a profit.',
    formula: '|r with pnl > 0|',
    terms: ['wins'],
    isSum: true,
    value: (bag) => bag.wins,
    examples: [over(winAndLoss, 1, 'A'), over(dayTrades, 3, '10, 20, 20')],
  }),
  metricOfWallets({
    name: 'loss_count',
    unit: 'count',
    sentence: 'Realised sells with a loss.',
    formula: '|r with pnl < 0|',
    terms: ['losses'],
    isSum: true,
    value: (bag) => bag.losses,
    examples: [over(winAndLoss, 1, 'B'), over(dayTrades, 2, '-10, -10')],
  }),
  metricOfWallets({ ...largestWin, name: 'largest_win' }),
  metricOfWallets({ ...largestLoss, name: 'largest_loss' }),
  metricOfWallets({
    name: 'max_consecutive_wins',
    unit: 'count',
    sentence: 'Longest run of wins in chain order; a result of 0 ends it.',
    formula: 'longest run of pnl > 0 in R',
    empty: 0,
    terms: ['longestWins'],
    value: (bag) => bag.longestWins,
    examples: [over(dayTrades, 2, '+10, +20')],
  }),
  metricOfWallets({
    name: 'max_consecutive_losses',
    unit: 'count',
    sentence: 'Longest run of losses in chain order; a result of 0 ends it.',
    formula: 'longest run of pnl < 0 in R',
    empty: 0,
    terms: ['longestLosses'],
    value: (bag) => bag.longestLosses,
    examples: [over(dayTrades, 1, '-10 twice, a win between')],
  }),
  metricOfWallets({ ...avgPnl, name: 'avg_pnl' }),
  metricOfWallets({ ...avgRoi, name: 'avg_roi' }),
  metricOfWallets({
    name: 'roi',
    unit: 'percent',
    sentence: 'Profit on the cost of what was sold.',
    formula: 'pnl / sum of cost x 100',
    terms: ['pnl', 'cost'],
    value: (bag) => percent(bag.pnl, bag.cost),
    examples: [over(winAndLoss, -10, '-30 / 300'), over(overSell, 50, '50 / 100')],
  }),
  metricOfWallets({
    name: 'winrate',
    unit: 'percent',
    sentence: 'Part of the decided sells that won; break-evens count on neither side.',
    formula: 'win_count / (win_count + loss_count) x 100',
    terms: ['wins', 'losses'],
    value: (bag) => percent(bag.wins, bag.wins + bag.losses),
    examples: [over(winAndLoss, 50, '1 / 2'), over(dayTrades, 60, '3 / 5')],
    source: 'trading-system reports',
  }),
  metricOfWallets({
    name: 'profit_expectancy',
    unit: 'USD',
    sentence: 'What a decided sell brings on average.',
    formula: '(win_pnl + loss_pnl) / (win_count + loss_count)',
    terms: ['winPnl', 'lossPnl', 'wins', 'losses'],
    value: (bag) => ratio(bag.winPnl + bag.lossPnl, bag.wins + bag.losses),
    examples: [over(winAndLoss, -15, '(50 - 80) / 2'), over(dayTrades, 6, '30 / 5')],
    source: 'trading-system reports',
  }),
  metricOfWallets({
    name: 'recovery_factor',
    unit: 'ratio',
    sentence: 'Profit against the largest fall of the running profit from its peak.',
    formula: 'pnl / largest fall of the cumulative pnl, which starts at 0',
    terms: ['pnl', 'largestFall'],
    value: (bag) => ratio(bag.pnl, bag.largestFall),
    examples: [
      over(winAndLoss, -0.375, '50, -30: fall 80; -30 / 80'),
      over(dayTrades, 3, '10, 30, 20, 40, 30: fall 10; 30 / 10'),
      over(boughtBefore, null, 'it never fell'),
    ],
    source: 'trading-system reports',
  }),
  metricOfWallets({
    name: 'turnover',
    unit: 'ratio',
    sentence: 'How often the capital at work was turned over.',
    formula: 'sum of cost over R / time average of C(t)',
    terms: ['cost', 'averageOpenCost'],
    value: (bag) => ratio(bag.cost, bag.averageOpenCost),
    examples: [over(winAndLoss, 8.4, '300 / ((100 x 0.5 d + 200 x 1 d) / 7 d)')],
  }),
] as const;

export const walletTokens = [
  metricOfWalletsAlone({
    name: 'avg_token_pnl',
    unit: 'USD',
    sentence: 'Mean result of a token.',
    formula: 'mean of pnl_p over P',
    terms: ['positionPnl', 'positions'],
    value: (bag) => ratio(bag.positionPnl, bag.positions),
    examples: [over(winAndLoss, -15, '(50 - 80) / 2'), over(dayTrades, 30, 'one token')],
  }),
  metricOfWalletsAlone({
    name: 'avg_token_roi',
    unit: 'percent',
    sentence: 'Mean return of a token.',
    formula: 'mean of pnl_p / cost_p x 100 over P',
    terms: ['positionRoiSum', 'positionRois'],
    value: (bag) => ratio(bag.positionRoiSum, bag.positionRois),
    examples: [over(winAndLoss, 5, '(50 - 40) / 2'), over(dayTrades, 6, '30 / 500')],
  }),
  metricOfWalletsAlone({
    name: 'token_hit_ratio',
    unit: 'ratio',
    sentence: 'Part of the tokens that brought a profit.',
    formula: '|p with pnl_p > 0| / position_count',
    terms: ['positionWins', 'positions'],
    value: (bag) => ratio(bag.positionWins, bag.positions),
    examples: [over(winAndLoss, 0.5, 'A of A and B')],
  }),
] as const;
