import { metricOfWallets, metricOfWalletsAlone, over } from '../declare.ts';
import { percent, ratio } from '../numbers.ts';
import { boughtBefore, dayTrades, overSell, soldSmall, winAndLoss } from '../story.ts';

export const walletResults = [
  metricOfWallets({
    name: 'roi',
    unit: 'percent',
    sentence: 'Profit on the cost of what was sold.',
    formula: 'pnl / sum of cost over R* x 100',
    terms: ['pnl', 'cost'],
    value: (bag) => percent(bag.pnl, bag.cost),
    examples: [
      over(winAndLoss, -10, '-30 / 300'),
      over(overSell, 50, '50 / 100'),
      over(soldSmall, (20.055 / 100.1) * 100, '20.055 / (100 + 0.05 + 0.05): small sells count in sums'),
    ],
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
    formula: 'pnl / largest fall of the cumulative pnl over R*, which starts at 0',
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
    formula: 'sum of cost over R* / time average of C(t)',
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
