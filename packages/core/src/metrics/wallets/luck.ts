import { builtIn } from '../declare.ts';
import { ratio, wilsonHigh, wilsonLow } from '../numbers.ts';
import { boughtBefore, dayTrades, lossesAlone, winAndLoss } from '../story.ts';

export const walletLuck = [
  builtIn({
    name: 'winrate_low',
    of: ['wallets'],
    isExtension: true,
    unit: 'percent',
    sentence: 'Lower 95 % bound of the win rate: what so few sells are sure of.',
    formula:
      '(p + z^2 / 2n - z sqrt((p (1 - p) + z^2 / 4n) / n)) / (1 + z^2 / n) x 100, p = win_count / n, n = win_count + loss_count, z = 1.959963984540054; 0 without a win',
    terms: ['wins', 'losses'],
    value: (bag) => wilsonLow(bag.wins, bag.wins + bag.losses),
    examples: [
      {
        story: winAndLoss,
        window: '7d',
        value: 100 * (0.5 - 1.959963984540054 / (2 * Math.sqrt(2 + 1.959963984540054 ** 2))),
        because: 'p = 1/2, n = 2: 1/2 - z / (2 sqrt(2 + z^2))',
      },
      {
        story: boughtBefore,
        window: '7d',
        value: 100 / (1 + 1.959963984540054 ** 2),
        because: 'one win of one: 1 / (1 + z^2)',
      },
      { story: lossesAlone, window: '7d', value: 0, because: 'no win' },
    ],
    source: 'Wilson (1927)',
  }),
  builtIn({
    name: 'winrate_high',
    of: ['wallets'],
    isExtension: true,
    unit: 'percent',
    sentence: 'Upper 95 % bound of the win rate: what so few sells leave possible.',
    formula:
      '(p + z^2 / 2n + z sqrt((p (1 - p) + z^2 / 4n) / n)) / (1 + z^2 / n) x 100, p = win_count / n, n = win_count + loss_count, z = 1.959963984540054; 100 without a loss',
    terms: ['wins', 'losses'],
    value: (bag) => wilsonHigh(bag.wins, bag.wins + bag.losses),
    examples: [
      {
        story: winAndLoss,
        window: '7d',
        value: 100 * (0.5 + 1.959963984540054 / (2 * Math.sqrt(2 + 1.959963984540054 ** 2))),
        because: 'p = 1/2, n = 2: 1/2 + z / (2 sqrt(2 + z^2))',
      },
      { story: boughtBefore, window: '7d', value: 100, because: 'no loss' },
      {
        story: lossesAlone,
        window: '7d',
        value: (100 * 1.959963984540054 ** 2) / (2 + 1.959963984540054 ** 2),
        because: 'no win of two: z^2 / (2 + z^2)',
      },
    ],
    source: 'Wilson (1927)',
  }),
  builtIn({
    name: 'pnl_without_best',
    of: ['wallets'],
    isExtension: true,
    unit: 'USD',
    sentence: 'Profit of all tokens but the best one of the window; 0 with a single token.',
    formula: 'pnl - max pnl_p over P',
    empty: 0,
    terms: ['otherPositionsPnl', 'bestPositionPnl'],
    isSum: true,
    value: (bag) => bag.otherPositionsPnl,
    examples: [
      { story: winAndLoss, window: '7d', value: -80, because: '50 - 80, less the 50 of A' },
      { story: lossesAlone, window: '7d', value: -30, because: 'the best token is the one that lost least' },
      { story: dayTrades, window: '7d', value: 0, because: 'one token' },
    ],
  }),
  builtIn({
    name: 'best_token_share',
    of: ['wallets'],
    isExtension: true,
    unit: 'ratio',
    sentence: 'Profit of the best token against the sum of all profits; negative where the best token lost.',
    formula: 'max pnl_p over P / win_pnl',
    terms: ['bestPositionPnl', 'winPnl'],
    value: (bag) => ratio(bag.bestPositionPnl, bag.winPnl),
    examples: [
      { story: winAndLoss, window: '7d', value: 1, because: '50 / 50: one win made it all' },
      { story: dayTrades, window: '7d', value: 0.6, because: '30 of the one token / (10 + 20 + 20)' },
      { story: lossesAlone, window: '7d', value: null, because: 'no profit to have a share of' },
    ],
  }),
  builtIn({
    name: 'days_active',
    of: ['wallets'],
    isExtension: true,
    unit: 'count',
    sentence: 'Days of the window with a trade.',
    formula: '24 h periods that hold a trade of T',
    empty: 0,
    terms: ['activeDays'],
    value: (bag) => bag.activeDays,
    examples: [
      {
        story: winAndLoss,
        window: '7d',
        value: 4,
        because: 'a trade on each of four days; one of 5 d 0 h is of the sixth',
      },
      { story: dayTrades, window: '7d', value: 5, because: 'two trades on each of five days' },
    ],
  }),
] as const;
