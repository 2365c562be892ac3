import { defineMetric } from '../metric.ts';
import { ratio } from '../numbers.ts';
import { boughtBefore, dayTrades, nothing, winAndLoss } from '../story.ts';

export const avgWalletPnl = defineMetric({
  name: 'avg_wallet_pnl',
  of: ['tokens'],
  unit: 'USD',
  sentence: 'Mean result of a wallet.',
  formula: 'mean of pnl_p over P',
  empty: null,
  terms: ['positionPnl', 'positions'],
  value: (bag) => ratio(bag.positionPnl, bag.positions),
  examples: [
    { story: winAndLoss, window: '7d', value: -15, because: '(50 - 80) / 2' },
    { story: nothing, window: '7d', value: null, because: 'undefined over nothing' },
  ],
  source: 'docs/reference/metrics.md',
});

export const avgWalletRoi = defineMetric({
  name: 'avg_wallet_roi',
  of: ['tokens'],
  unit: 'percent',
  sentence: 'Mean return of a wallet.',
  formula: 'mean of pnl_p / cost_p x 100 over P',
  empty: null,
  terms: ['positionRoiSum', 'positionRois'],
  value: (bag) => ratio(bag.positionRoiSum, bag.positionRois),
  examples: [
    { story: winAndLoss, window: '7d', value: 5, because: '(50 - 40) / 2' },
    { story: nothing, window: '7d', value: null, because: 'undefined over nothing' },
  ],
  source: 'docs/reference/metrics.md',
});

export const avgWalletWinrate = defineMetric({
  name: 'avg_wallet_winrate',
  of: ['tokens'],
  unit: 'percent',
  sentence: 'Mean win rate of the wallets that have a win or a loss.',
  formula: 'mean over such p of wins / (wins + losses) x 100',
  empty: null,
  terms: ['positionWinrateSum', 'positionWinrates'],
  value: (bag) => ratio(bag.positionWinrateSum, bag.positionWinrates),
  examples: [
    { story: winAndLoss, window: '7d', value: 50, because: '(100 + 0) / 2' },
    { story: dayTrades, window: '7d', value: 60, because: 'one wallet, 3 of 5' },
    { story: nothing, window: '7d', value: null, because: 'undefined over nothing' },
  ],
  source: 'docs/reference/metrics.md',
});

export const makersCount = defineMetric({
  name: 'makers_count',
  of: ['tokens'],
  unit: 'count',
  sentence: 'Distinct wallets that traded.',
  formula: 'distinct wallets in T',
  empty: 0,
  terms: ['counterparties'],
  value: (bag) => bag.counterparties,
  examples: [
    { story: winAndLoss, window: '7d', value: 2, because: 'A and B' },
    { story: boughtBefore, window: '7d', value: 1, because: 'A' },
    { story: nothing, window: '7d', value: 0, because: 'a count or sum over nothing is 0' },
  ],
  source: 'docs/reference/metrics.md',
});

export const buyersCount = defineMetric({
  name: 'buyers_count',
  of: ['tokens'],
  unit: 'count',
  sentence: 'Distinct wallets that bought.',
  formula: 'distinct wallets in B',
  empty: 0,
  terms: ['buyers'],
  value: (bag) => bag.buyers,
  examples: [
    { story: winAndLoss, window: '7d', value: 2, because: 'A and B' },
    { story: boughtBefore, window: '7d', value: 0, because: 'the buy is before the window' },
    { story: nothing, window: '7d', value: 0, because: 'a count or sum over nothing is 0' },
  ],
  source: 'docs/reference/metrics.md',
});

export const sellersCount = defineMetric({
  name: 'sellers_count',
  of: ['tokens'],
  unit: 'count',
  sentence: 'Distinct wallets that sold.',
  formula: 'distinct wallets in S',
  empty: 0,
  terms: ['sellers'],
  value: (bag) => bag.sellers,
  examples: [
    { story: winAndLoss, window: '7d', value: 2, because: 'A and B' },
    { story: nothing, window: '7d', value: 0, because: 'a count or sum over nothing is 0' },
  ],
  source: 'docs/reference/metrics.md',
});

export const winPositionCount = defineMetric({
  name: 'win_position_count',
  of: ['tokens'],
  unit: 'count',
  sentence: 'Wallets whose realised sells in the window made a profit together.',
  formula: '|p with pnl_p > 0|',
  empty: 0,
  terms: ['positionWins'],
  value: (bag) => bag.positionWins,
  examples: [
    { story: winAndLoss, window: '7d', value: 1, because: 'A' },
    { story: nothing, window: '7d', value: 0, because: 'a count or sum over nothing is 0' },
  ],
  source: 'docs/reference/metrics.md',
});

export const lossPositionCount = defineMetric({
  name: 'loss_position_count',
  of: ['tokens'],
  unit: 'count',
  sentence: 'Wallets whose realised sells in the window made a loss together.',
  formula: '|p with pnl_p < 0|',
  empty: 0,
  terms: ['positionLosses'],
  value: (bag) => bag.positionLosses,
  examples: [
    { story: winAndLoss, window: '7d', value: 1, because: 'B' },
    { story: nothing, window: '7d', value: 0, because: 'a count or sum over nothing is 0' },
  ],
  source: 'docs/reference/metrics.md',
});

export const walletHitRatio = defineMetric({
  name: 'wallet_hit_ratio',
  of: ['tokens'],
  unit: 'ratio',
  sentence: 'Part of the wallets that made a profit.',
  formula: 'win_position_count / position_count',
  empty: null,
  terms: ['positionWins', 'positions'],
  value: (bag) => ratio(bag.positionWins, bag.positions),
  examples: [
    { story: winAndLoss, window: '7d', value: 0.5, because: 'A of A and B' },
    { story: nothing, window: '7d', value: null, because: 'undefined over nothing' },
  ],
  source: 'docs/reference/metrics.md',
});
