import type { Bag } from '../../bag/bag.ts';
import { extensionOfAll, metricOfAll, metricOfEntities, metricOfTokens, metricOfWallets, over } from '../declare.ts';
import { percent, ratio } from '../numbers.ts';
import { boughtBefore, dayTrades, overSell, soldSmall, unknownValue, winAndLoss } from '../story.ts';

export const results = [
  metricOfAll({
    name: 'pnl',
    unit: 'USD',
    sentence: 'Realised profit of the sells in the window, first in first out.',
    formula: 'sum of proceeds - cost over R*',
    terms: ['pnl'],
    isSum: true,
    value: (bag) => bag.pnl,
    examples: [
      over(winAndLoss, -30, '50 - 80'),
      over(boughtBefore, 50, '5 tokens for 100, cost 5 x 10'),
      over(overSell, 50, '10 of 40 tokens have a cost: 600 x 10/40 - 100'),
      over(unknownValue, 25, '75 - 50; the unknown sell took its lots along'),
      over(soldSmall, 20.055, '20 of a realised sell, 0.03 + 0.025 of two small ones'),
    ],
    source: 'FIFO tax-lot accounting',
  }),
  metricOfAll({
    name: 'win_pnl',
    unit: 'USD',
    sentence: 'Sum of the profits.',
    formula: 'sum of pnl over wins',
    terms: ['winPnl'],
    isSum: true,
    value: (bag) => bag.winPnl,
    examples: [
      over(winAndLoss, 50, 'one win'),
      over(dayTrades, 50, '10 + 20 + 20'),
      over(soldSmall, 20, 'small sells are no wins'),
    ],
    source: 'FIFO tax-lot accounting',
  }),
  metricOfAll({
    name: 'loss_pnl',
    unit: 'USD',
    sentence: 'Sum of the losses, not positive.',
    formula: 'sum of pnl over losses',
    terms: ['lossPnl'],
    isSum: true,
    value: (bag) => bag.lossPnl,
    examples: [over(winAndLoss, -80, 'one loss'), over(dayTrades, -20, '-10 - 10')],
    source: 'FIFO tax-lot accounting',
  }),
  metricOfEntities({
    name: 'position_count',
    unit: 'count',
    sentence: 'Wallet-token pairs with a realised sell in the window.',
    formula: '|P|',
    empty: 0,
    terms: ['positions'],
    value: (bag) => bag.positions,
    examples: [
      over(winAndLoss, 2, 'A and B'),
      over(dayTrades, 1, 'A alone, sold five times'),
      over(soldSmall, 1, 'A; the sell of B is small'),
    ],
  }),
  metricOfAll({
    name: 'avg_holding_duration',
    unit: 'seconds',
    sentence: 'Mean time that sold tokens were held, weighted within a sell by amount.',
    formula: 'mean of sum(matched x age) / matched over R',
    terms: ['holding', 'realised'],
    value: (bag) => ratio(bag.holding, bag.realised),
    examples: [
      over(winAndLoss, 64_800, '(12 h + 24 h) / 2'),
      over(dayTrades, 21_600, '6 h each'),
      over(soldSmall, 3600, '1 h of the realised sell; small sells are in no mean'),
    ],
    source: 'FIFO tax-lot accounting',
  }),
  metricOfAll({
    name: 'volume_weighted_winrate',
    unit: 'percent',
    sentence: 'Part of the cost at stake that was in wins.',
    formula: 'cost of wins / cost of wins and losses x 100',
    terms: ['winCost', 'lossCost'],
    value: (bag) => percent(bag.winCost, bag.winCost + bag.lossCost),
    examples: [over(winAndLoss, 100 / 3, '100 / (100 + 200)'), over(dayTrades, 60, '300 / 500')],
  }),
  metricOfAll({
    name: 'volume_weighted_roi',
    unit: 'percent',
    sentence: 'Mean return of a realised sell, weighted by its turnover.',
    formula: 'sum(roi x v) / sum(v) over R, v = cost + proceeds',
    terms: ['weightedRoi', 'roiWeight'],
    value: (bag) => ratio(bag.weightedRoi, bag.roiWeight),
    examples: [over(winAndLoss, -300 / 570, '(50 x 250 - 40 x 320) / 570')],
  }),
  metricOfAll({
    name: 'profit_factor',
    unit: 'ratio',
    sentence: 'Profits per unit of loss.',
    formula: 'win_pnl / |loss_pnl|',
    terms: ['winPnl', 'lossPnl'],
    value: (bag) => ratio(bag.winPnl, -bag.lossPnl),
    examples: [over(winAndLoss, 0.625, '50 / 80'), over(boughtBefore, null, 'no loss')],
    source: 'trading-system reports',
  }),
  metricOfAll({
    name: 'win_loss_size_ratio',
    unit: 'ratio',
    sentence: 'Mean win against mean loss.',
    formula: 'mean win / |mean loss|',
    terms: ['wins', 'losses', 'winPnl', 'lossPnl'],
    value: (bag) => (bag.wins === 0 || bag.losses === 0 ? null : bag.winPnl / bag.wins / (-bag.lossPnl / bag.losses)),
    examples: [
      over(winAndLoss, 0.625, '50 / 80'),
      over(dayTrades, 5 / 3, '(50 / 3) / (20 / 2)'),
      over(boughtBefore, null, 'no loss'),
    ],
    source: 'trading-system reports, payoff ratio',
  }),
  metricOfAll({
    name: 'pnl_volume_ratio',
    unit: 'ratio',
    sentence: 'Profit per USD traded.',
    formula: 'pnl / volume',
    terms: ['pnl', 'buyVolume', 'sellVolume'],
    value: (bag) => ratio(bag.pnl, bag.buyVolume + bag.sellVolume),
    examples: [over(winAndLoss, -30 / 570, '-30 / 570')],
  }),
  extensionOfAll({
    name: 'small_pnl',
    unit: 'USD',
    sentence:
      'Profit of the sells whose cost and proceeds are both under dust_usd: what pnl has beside win_pnl and loss_pnl.',
    formula: 'sum of proceeds - cost over R* without R',
    terms: ['smallPnl'],
    isSum: true,
    value: (bag) => bag.smallPnl,
    examples: [
      over(soldSmall, 0.055, '0.08 - 0.05 of A, 0.075 - 0.05 of B'),
      over(winAndLoss, 0, 'no sell is that small'),
    ],
    source: 'FIFO tax-lot accounting',
  }),
] as const;

// Wallets have these four under shorter names than tokens.
const largestWin = {
  unit: 'USD',
  sentence: 'Largest profit of a realised sell, 0 without one.',
  formula: 'max(0, max pnl) over R',
  empty: 0,
  terms: ['largestWin'],
  value: (bag: Pick<Bag, 'largestWin'>) => bag.largestWin,
  examples: [over(winAndLoss, 50, 'wallet A'), over(dayTrades, 20, 'of 10, 20, 20')],
} as const;

const largestLoss = {
  unit: 'USD',
  sentence: 'Largest loss of a realised sell, 0 without one.',
  formula: 'min(0, min pnl) over R',
  empty: 0,
  terms: ['largestLoss'],
  value: (bag: Pick<Bag, 'largestLoss'>) => bag.largestLoss,
  examples: [over(winAndLoss, -80, 'wallet B'), over(boughtBefore, 0, 'no loss')],
} as const;

const avgPnl = {
  unit: 'USD',
  sentence: 'Mean result of a realised sell.',
  formula: '(win_pnl + loss_pnl) / |R|',
  terms: ['winPnl', 'lossPnl', 'realised'],
  value: (bag: Pick<Bag, 'winPnl' | 'lossPnl' | 'realised'>) => ratio(bag.winPnl + bag.lossPnl, bag.realised),
  examples: [over(winAndLoss, -15, '-30 / 2'), over(soldSmall, 20, '20 / 1: small sells are in no mean')],
} as const;

const avgRoi = {
  unit: 'percent',
  sentence: 'Mean return of a realised sell.',
  formula: 'mean of pnl / cost x 100 over R',
  terms: ['roiSum', 'rois'],
  value: (bag: Pick<Bag, 'roiSum' | 'rois'>) => ratio(bag.roiSum, bag.rois),
  examples: [over(winAndLoss, 5, '(50 - 40) / 2')],
} as const;

export const walletSells = [
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
] as const;

export const tokenSells = [
  metricOfTokens({ ...largestWin, name: 'largest_trade_win' }),
  metricOfTokens({ ...largestLoss, name: 'largest_trade_loss' }),
  metricOfTokens({ ...avgPnl, name: 'avg_trade_pnl' }),
  metricOfTokens({ ...avgRoi, name: 'avg_trade_roi' }),
] as const;
