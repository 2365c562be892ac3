import { EARLY_ENTRY } from '../../bag/bag.ts';
import { extensionOfWalletsAlone, over } from '../declare.ts';
import { ratio, wilsonHigh, wilsonLow } from '../numbers.ts';
import { boughtBefore, dayTrades, entries, lossesAlone, soldSmall, winAndLoss } from '../story.ts';

const Z = 1.959963984540054;

export const walletLuck = [
  extensionOfWalletsAlone({
    name: 'winrate_low',
    unit: 'percent',
    sentence: 'Lower 95 % bound of the win rate: what so few sells are sure of.',
    formula:
      '(p + z^2 / 2n - z sqrt((p (1 - p) + z^2 / 4n) / n)) / (1 + z^2 / n) x 100, p = win_count / n, n = win_count + loss_count, z = 1.959963984540054; 0 without a win',
    terms: ['wins', 'losses'],
    value: (bag) => wilsonLow(bag.wins, bag.wins + bag.losses),
    examples: [
      over(winAndLoss, 100 * (0.5 - Z / (2 * Math.sqrt(2 + Z ** 2))), 'p = 1/2, n = 2: 1/2 - z / (2 sqrt(2 + z^2))'),
      over(boughtBefore, 100 / (1 + Z ** 2), 'one win of one: 1 / (1 + z^2)'),
      over(lossesAlone, 0, 'no win'),
    ],
    source: 'Wilson (1927)',
  }),
  extensionOfWalletsAlone({
    name: 'winrate_high',
    unit: 'percent',
    sentence: 'Upper 95 % bound of the win rate: what so few sells leave possible.',
    formula:
      '(p + z^2 / 2n + z sqrt((p (1 - p) + z^2 / 4n) / n)) / (1 + z^2 / n) x 100, p = win_count / n, n = win_count + loss_count, z = 1.959963984540054; 100 without a loss',
    terms: ['wins', 'losses'],
    value: (bag) => wilsonHigh(bag.wins, bag.wins + bag.losses),
    examples: [
      over(winAndLoss, 100 * (0.5 + Z / (2 * Math.sqrt(2 + Z ** 2))), 'p = 1/2, n = 2: 1/2 + z / (2 sqrt(2 + z^2))'),
      over(boughtBefore, 100, 'no loss'),
      over(lossesAlone, (100 * Z ** 2) / (2 + Z ** 2), 'no win of two: z^2 / (2 + z^2)'),
    ],
    source: 'Wilson (1927)',
  }),
  extensionOfWalletsAlone({
    name: 'pnl_without_best',
    unit: 'USD',
    sentence: 'Profit of all tokens but the best one of the window; 0 with a single token.',
    formula: 'pnl - max pnl_p over the tokens with a sell in R*',
    terms: ['otherPositionsPnl', 'bestPositionPnl'],
    isSum: true,
    value: (bag) => bag.otherPositionsPnl,
    examples: [
      over(winAndLoss, -80, '50 - 80, less the 50 of A'),
      over(lossesAlone, -30, 'the best token is the one that lost least'),
      over(dayTrades, 0, 'one token'),
      over(soldSmall, 0.025, 'A made 20.03, B sold small'),
    ],
  }),
  extensionOfWalletsAlone({
    name: 'best_token_share',
    unit: 'ratio',
    sentence: 'Profit of the best token against the sum of all profits; negative where the best token lost.',
    formula: 'max pnl_p over the tokens with a sell in R* / win_pnl',
    terms: ['bestPositionPnl', 'winPnl'],
    value: (bag) => ratio(bag.bestPositionPnl, bag.winPnl),
    examples: [
      over(winAndLoss, 1, '50 / 50: one win made it all'),
      over(dayTrades, 0.6, '30 of the one token / (10 + 20 + 20)'),
      over(lossesAlone, null, 'no profit to have a share of'),
    ],
  }),
  extensionOfWalletsAlone({
    name: 'days_active',
    unit: 'count',
    sentence: 'Days of the window with a trade.',
    formula: '24 h periods that hold a trade of T',
    empty: 0,
    terms: ['activeDays'],
    value: (bag) => bag.activeDays,
    examples: [
      over(winAndLoss, 4, 'a trade on each of four days; one of 5 d 0 h is of the sixth'),
      over(dayTrades, 5, 'two trades on each of five days'),
    ],
  }),
] as const;

export const walletEntries = [
  extensionOfWalletsAlone({
    name: 'entry_count',
    unit: 'count',
    sentence: 'Buys that open a position in a token whose creation is known.',
    formula: '|E|',
    terms: ['entries'],
    isSum: true,
    value: (bag) => bag.entries,
    examples: [
      over(entries, 3, 'A twice and B; the creation of C is unknown, that of D said to be later'),
      over(entries, 0, 'the buy of B is 3 d old to the second: before the window', { window: '3d' }),
      over(dayTrades, 0, 'no creation is known'),
    ],
  }),
  extensionOfWalletsAlone({
    name: 'avg_entry_delay',
    unit: 'seconds',
    sentence: "Mean time from a token's creation to the buys that open a position in it, where known.",
    formula: 'mean of block_time - created_at over E',
    terms: ['entryDelay', 'entries'],
    value: (bag) => ratio(bag.entryDelay, bag.entries),
    examples: [over(entries, 28_828, '(12 + 86412 + 60) / 3'), over(dayTrades, null, 'no creation is known')],
  }),
  extensionOfWalletsAlone({
    name: 'early_entry_ratio',
    unit: 'ratio',
    sentence: `Part of the entries that came within ${EARLY_ENTRY} seconds of the token's creation.`,
    formula: `|e in E with block_time - created_at <= ${EARLY_ENTRY}| / entry_count`,
    terms: ['earlyEntries', 'entries'],
    value: (bag) => ratio(bag.earlyEntries, bag.entries),
    examples: [over(entries, 2 / 3, '12 s and 60 s of three'), over(dayTrades, null, 'no creation is known')],
  }),
] as const;
