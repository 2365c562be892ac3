import { defineMetric } from '../metric.ts';
import { percent, ratio } from '../numbers.ts';
import { boughtBefore, dayTrades, nothing, overSell, unknownValue, winAndLoss } from '../story.ts';

export const pnl = defineMetric({
  name: 'pnl',
  of: ['tokens', 'wallets', 'positions'],
  unit: 'USD',
  sentence: 'Realised profit of the sells in the window, first in first out.',
  formula: 'sum of proceeds - cost over R',
  empty: 0,
  terms: ['pnl'],
  isSum: true,
  value: (bag) => bag.pnl,
  examples: [
    { story: winAndLoss, window: '7d', value: -30, because: '50 - 80' },
    { story: boughtBefore, window: '7d', value: 50, because: '5 tokens for 100, cost 5 x 10' },
    { story: overSell, window: '7d', value: 50, because: '10 of 40 tokens have a cost: 600 x 10/40 - 100' },
    { story: unknownValue, window: '7d', value: 25, because: '75 - 50; the unknown sell took its lots along' },
    { story: nothing, window: '7d', value: 0, because: 'a count or sum over nothing is 0' },
  ],
  source: 'FIFO tax-lot accounting',
});

export const winPnl = defineMetric({
  name: 'win_pnl',
  of: ['tokens', 'wallets', 'positions'],
  unit: 'USD',
  sentence: 'Sum of the profits.',
  formula: 'sum of pnl over wins',
  empty: 0,
  terms: ['winPnl'],
  isSum: true,
  value: (bag) => bag.winPnl,
  examples: [
    { story: winAndLoss, window: '7d', value: 50, because: 'one win' },
    { story: dayTrades, window: '7d', value: 50, because: '10 + 20 + 20' },
    { story: nothing, window: '7d', value: 0, because: 'a count or sum over nothing is 0' },
  ],
  source: 'FIFO tax-lot accounting',
});

export const lossPnl = defineMetric({
  name: 'loss_pnl',
  of: ['tokens', 'wallets', 'positions'],
  unit: 'USD',
  sentence: 'Sum of the losses, not positive.',
  formula: 'sum of pnl over losses',
  empty: 0,
  terms: ['lossPnl'],
  isSum: true,
  value: (bag) => bag.lossPnl,
  examples: [
    { story: winAndLoss, window: '7d', value: -80, because: 'one loss' },
    { story: dayTrades, window: '7d', value: -20, because: '-10 - 10' },
    { story: nothing, window: '7d', value: 0, because: 'a count or sum over nothing is 0' },
  ],
  source: 'FIFO tax-lot accounting',
});

export const positionCount = defineMetric({
  name: 'position_count',
  of: ['tokens', 'wallets'],
  unit: 'count',
  sentence: 'Wallet-token pairs with a realised sell in the window.',
  formula: '|P|',
  empty: 0,
  terms: ['positions'],
  value: (bag) => bag.positions,
  examples: [
    { story: winAndLoss, window: '7d', value: 2, because: 'A and B' },
    { story: dayTrades, window: '7d', value: 1, because: 'A alone, sold five times' },
    { story: nothing, window: '7d', value: 0, because: 'a count or sum over nothing is 0' },
  ],
  source: 'docs/reference/metrics.md',
});

export const avgHoldingDuration = defineMetric({
  name: 'avg_holding_duration',
  of: ['tokens', 'wallets', 'positions'],
  unit: 'seconds',
  sentence: 'Mean time that sold tokens were held, weighted within a sell by amount.',
  formula: 'mean of sum(matched x age) / matched over R',
  empty: null,
  terms: ['holding', 'realised'],
  value: (bag) => ratio(bag.holding, bag.realised),
  examples: [
    { story: winAndLoss, window: '7d', value: 64_800, because: '(12 h + 24 h) / 2' },
    { story: dayTrades, window: '7d', value: 21_600, because: '6 h each' },
    { story: nothing, window: '7d', value: null, because: 'undefined over nothing' },
  ],
  source: 'FIFO tax-lot accounting',
});

export const volumeWeightedWinrate = defineMetric({
  name: 'volume_weighted_winrate',
  of: ['tokens', 'wallets', 'positions'],
  unit: 'percent',
  sentence: 'Part of the cost at stake that was in wins.',
  formula: 'cost of wins / cost of wins and losses x 100',
  empty: null,
  terms: ['winCost', 'lossCost'],
  value: (bag) => percent(bag.winCost, bag.winCost + bag.lossCost),
  examples: [
    { story: winAndLoss, window: '7d', value: 100 / 3, because: '100 / (100 + 200)' },
    { story: dayTrades, window: '7d', value: 60, because: '300 / 500' },
    { story: nothing, window: '7d', value: null, because: 'undefined over nothing' },
  ],
  source: 'docs/reference/metrics.md',
});

export const volumeWeightedRoi = defineMetric({
  name: 'volume_weighted_roi',
  of: ['tokens', 'wallets', 'positions'],
  unit: 'percent',
  sentence: 'Mean return of a realised sell, weighted by its turnover.',
  formula: 'sum(roi x v) / sum(v) over R, v = cost + proceeds',
  empty: null,
  terms: ['weightedRoi', 'roiWeight'],
  value: (bag) => ratio(bag.weightedRoi, bag.roiWeight),
  examples: [
    { story: winAndLoss, window: '7d', value: -300 / 570, because: '(50 x 250 - 40 x 320) / 570' },
    { story: nothing, window: '7d', value: null, because: 'undefined over nothing' },
  ],
  source: 'docs/reference/metrics.md',
});

export const profitFactor = defineMetric({
  name: 'profit_factor',
  of: ['tokens', 'wallets', 'positions'],
  unit: 'ratio',
  sentence: 'Profits per unit of loss.',
  formula: 'win_pnl / |loss_pnl|',
  empty: null,
  terms: ['winPnl', 'lossPnl'],
  value: (bag) => ratio(bag.winPnl, -bag.lossPnl),
  examples: [
    { story: winAndLoss, window: '7d', value: 0.625, because: '50 / 80' },
    { story: boughtBefore, window: '7d', value: null, because: 'no loss' },
    { story: nothing, window: '7d', value: null, because: 'undefined over nothing' },
  ],
  source: 'trading-system reports',
});

export const winLossSizeRatio = defineMetric({
  name: 'win_loss_size_ratio',
  of: ['tokens', 'wallets', 'positions'],
  unit: 'ratio',
  sentence: 'Mean win against mean loss.',
  formula: 'mean win / |mean loss|',
  empty: null,
  terms: ['wins', 'losses', 'winPnl', 'lossPnl'],
  value: (bag) => (bag.wins === 0 || bag.losses === 0 ? null : bag.winPnl / bag.wins / (-bag.lossPnl / bag.losses)),
  examples: [
    { story: winAndLoss, window: '7d', value: 0.625, because: '50 / 80' },
    { story: dayTrades, window: '7d', value: 5 / 3, because: '(50 / 3) / (20 / 2)' },
    { story: boughtBefore, window: '7d', value: null, because: 'no loss' },
    { story: nothing, window: '7d', value: null, because: 'undefined over nothing' },
  ],
  source: 'trading-system reports, payoff ratio',
});

export const pnlVolumeRatio = defineMetric({
  name: 'pnl_volume_ratio',
  of: ['tokens', 'wallets', 'positions'],
  unit: 'ratio',
  sentence: 'Profit per USD traded.',
  formula: 'pnl / volume',
  empty: null,
  terms: ['pnl', 'buyVolume', 'sellVolume'],
  value: (bag) => ratio(bag.pnl, bag.buyVolume + bag.sellVolume),
  examples: [
    { story: winAndLoss, window: '7d', value: -30 / 570, because: '-30 / 570' },
    { story: nothing, window: '7d', value: null, because: 'undefined over nothing' },
  ],
  source: 'docs/reference/metrics.md',
});
