import { metricOfAll, over } from '../declare.ts';
import { stability, volatility } from '../numbers.ts';
import { dayTrades, winAndLoss } from '../story.ts';

export const series = [
  metricOfAll({
    name: 'pnl_volatility',
    unit: 'USD',
    sentence: 'How much the profit of a period scatters.',
    formula: 'volatility of pnl_j',
    terms: ['periodPnl', 'activePeriods'],
    value: (bag) => volatility(bag.periodPnl, bag.activePeriods),
    examples: [
      over(dayTrades, Math.sqrt(6800 / 42), '7 days 0 10 20 -10 20 -10 0: (1100 - 30^2 / 7) / 6, root', {
        of: 'wallets',
      }),
      over(dayTrades, Math.sqrt((1100 - 900 / 28) / 27), '28 periods of 6 h with the same five results', {
        of: 'tokens',
      }),
      over(winAndLoss, null, '2 periods with a realised sell are too few'),
    ],
  }),
  metricOfAll({
    name: 'pnl_stability',
    unit: 'ratio',
    sentence: 'How even the profit of the periods is, 0 to 1.',
    formula: '|mean| / (|mean| + volatility) of pnl_j',
    terms: ['periodPnl', 'activePeriods'],
    value: (bag) => stability(bag.periodPnl, bag.activePeriods),
    examples: [
      over(dayTrades, 30 / 7 / (30 / 7 + Math.sqrt(6800 / 42)), 'mean 30 / 7 against the volatility', {
        of: 'wallets',
      }),
      over(dayTrades, 30 / 28 / (30 / 28 + Math.sqrt((1100 - 900 / 28) / 27)), 'mean 30 / 28 against the volatility', {
        of: 'tokens',
      }),
      over(winAndLoss, null, '2 periods with a realised sell are too few'),
    ],
  }),
  metricOfAll({
    name: 'roi_volatility',
    unit: 'percent',
    sentence: 'How much the return of a period scatters, in points.',
    formula: 'volatility of roi_j',
    terms: ['periodRoi', 'activePeriods'],
    value: (bag) => volatility(bag.periodRoi, bag.activePeriods),
    examples: [
      over(dayTrades, Math.sqrt(6800 / 42), 'each day puts 100 to work: returns as the profits', { of: 'wallets' }),
      over(dayTrades, Math.sqrt((1100 - 900 / 28) / 27), 'the lot of 100 is at work when it is sold', { of: 'tokens' }),
      over(winAndLoss, null, '2 periods with a realised sell are too few'),
    ],
  }),
  metricOfAll({
    name: 'roi_stability',
    unit: 'ratio',
    sentence: 'How even the return of the periods is, 0 to 1.',
    formula: '|mean| / (|mean| + volatility) of roi_j',
    terms: ['periodRoi', 'activePeriods'],
    value: (bag) => stability(bag.periodRoi, bag.activePeriods),
    examples: [
      over(dayTrades, 30 / 7 / (30 / 7 + Math.sqrt(6800 / 42)), 'returns as the profits', { of: 'wallets' }),
      over(dayTrades, 30 / 28 / (30 / 28 + Math.sqrt((1100 - 900 / 28) / 27)), 'returns as the profits', {
        of: 'tokens',
      }),
      over(winAndLoss, null, '2 periods with a realised sell are too few'),
    ],
  }),
] as const;
