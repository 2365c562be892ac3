import { metricOfWallets, metricOfWalletsAlone, over } from '../declare.ts';
import { ratio } from '../numbers.ts';
import { boughtBefore, dayTrades, winAndLoss } from '../story.ts';

const DAY = 86_400;

export const walletTime = [
  metricOfWallets({
    name: 'avg_trade_delta',
    unit: 'seconds',
    sentence: 'Mean time between two trades.',
    formula: '(last - first block_time of T) / (trade_count - 1)',
    terms: ['buys', 'sells', 'lastTime', 'firstTime'],
    value: (bag) => (bag.buys + bag.sells < 2 ? null : (bag.lastTime - bag.firstTime) / (bag.buys + bag.sells - 1)),
    examples: [over(winAndLoss, 72_000, '2.5 d / 3'), over(boughtBefore, null, 'one trade')],
  }),
  metricOfWallets({
    name: 'avg_daily_pnl',
    unit: 'USD',
    sentence: 'Profit a day of the window.',
    formula: 'pnl / days',
    empty: 0,
    terms: ['pnl', 'seconds'],
    value: (bag) => bag.pnl / (bag.seconds / DAY),
    examples: [over(winAndLoss, -30 / 7, '-30 over 7 days')],
  }),
  metricOfWallets({
    name: 'avg_daily_volume',
    unit: 'USD',
    sentence: 'Volume a day of the window.',
    formula: 'volume / days',
    empty: 0,
    terms: ['buyVolume', 'sellVolume', 'seconds'],
    value: (bag) => (bag.buyVolume + bag.sellVolume) / (bag.seconds / DAY),
    examples: [over(winAndLoss, 570 / 7, '570 over 7 days')],
  }),
  metricOfWallets({
    name: 'avg_daily_trade_count',
    unit: 'count per day',
    sentence: 'Trades a day of the window.',
    formula: 'trade_count / days',
    empty: 0,
    terms: ['buys', 'sells', 'seconds'],
    value: (bag) => (bag.buys + bag.sells) / (bag.seconds / DAY),
    examples: [over(winAndLoss, 4 / 7, '4 over 7 days')],
  }),
  metricOfWallets({
    name: 'avg_daily_roi',
    unit: 'percent',
    sentence: 'Mean return of a day on the capital at work.',
    formula: 'mean of roi_j over the 24 h periods',
    empty: 0,
    terms: ['dailyRoiSum', 'days'],
    value: (bag) => ratio(bag.dailyRoiSum, bag.days),
    examples: [over(winAndLoss, 10 / 7, '0 0 50 0 -40 0 0')],
  }),
  metricOfWalletsAlone({
    name: 'avg_daily_traded_tokens',
    unit: 'count per day',
    sentence: 'Mean number of distinct tokens traded a day.',
    formula: 'mean over the 24 h periods of the number of tokens in T',
    empty: 0,
    terms: ['dailyCounterpartiesSum', 'days'],
    value: (bag) => ratio(bag.dailyCounterpartiesSum, bag.days),
    examples: [
      over(winAndLoss, 4 / 7, 'one token on each of four days'),
      over(dayTrades, 5 / 7, 'one token on each of five days'),
    ],
  }),
] as const;
