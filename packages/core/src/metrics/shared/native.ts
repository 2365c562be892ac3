import { defineMetric } from '../metric.ts';
import { percent } from '../numbers.ts';
import { feesPaid, forNative, nothing, unknownValue, winAndLoss } from '../stories.ts';

export const pnlNative = defineMetric({
  name: 'pnl_native',
  of: ['wallets', 'positions'],
  isExtension: true,
  unit: 'native',
  sentence: 'Profit in the native token, which no dollar is needed for.',
  formula: 'sum pnl_native over the sells that have one',
  empty: 0,
  terms: ['nativePnl'],
  isSum: true,
  value: (bag) => bag.nativePnl,
  examples: [
    { story: forNative, window: '7d', value: 2, because: 'bought for 1, sold for 3' },
    { story: winAndLoss, window: '7d', value: 0, because: 'no native price and no native token' },
    { story: nothing, window: '7d', value: 0, because: 'a count or sum over nothing is 0' },
  ],
  source: 'docs/reference/metrics.md',
});

export const roiNative = defineMetric({
  name: 'roi_native',
  of: ['wallets', 'positions'],
  isExtension: true,
  unit: 'percent',
  sentence: 'Return in the native token on what the sold tokens cost in it.',
  formula: 'pnl_native / sum cost_native x 100',
  empty: null,
  terms: ['nativePnl', 'nativeCost'],
  value: (bag) => percent(bag.nativePnl, bag.nativeCost),
  examples: [
    { story: forNative, window: '7d', value: 200, because: '2 / 1' },
    { story: winAndLoss, window: '7d', value: null, because: 'nothing has a cost in the native token' },
    { story: nothing, window: '7d', value: null, because: 'undefined over nothing' },
  ],
  source: 'docs/reference/metrics.md',
});

export const volumeNative = defineMetric({
  name: 'volume_native',
  of: ['tokens', 'wallets', 'positions'],
  isExtension: true,
  unit: 'native',
  sentence: 'Value of the trades in the native token.',
  formula: 'sum native_amount over T, where known',
  empty: 0,
  terms: ['nativeVolume'],
  isSum: true,
  value: (bag) => bag.nativeVolume,
  examples: [
    { story: forNative, window: '7d', value: 4, because: '1 + 3' },
    { story: nothing, window: '7d', value: 0, because: 'a count or sum over nothing is 0' },
  ],
  source: 'docs/reference/metrics.md',
});

export const feesNative = defineMetric({
  name: 'fees_native',
  of: ['wallets', 'positions'],
  isExtension: true,
  unit: 'native',
  sentence: 'What the wallet paid the chain for its trades, in the native token.',
  formula: 'sum fee_native over T, where known',
  empty: 0,
  terms: ['feesNative'],
  isSum: true,
  value: (bag) => bag.feesNative,
  examples: [
    { story: feesPaid, window: '7d', value: 0.75, because: '0.25 + 0.5; the third trade says nothing' },
    { story: winAndLoss, window: '7d', value: 0, because: 'the feed gives no fees' },
    { story: nothing, window: '7d', value: 0, because: 'a count or sum over nothing is 0' },
  ],
  source: 'docs/reference/metrics.md',
});

export const fees = defineMetric({
  name: 'fees',
  of: ['wallets', 'positions'],
  isExtension: true,
  unit: 'USD',
  sentence: 'What the wallet paid the chain for its trades.',
  formula: 'sum fee_native x native price over T, where both are known',
  empty: 0,
  terms: ['fees'],
  isSum: true,
  value: (bag) => bag.fees,
  examples: [
    { story: feesPaid, window: '7d', value: 30, because: '0.25 x 40 + 0.5 x 40' },
    { story: nothing, window: '7d', value: 0, because: 'a count or sum over nothing is 0' },
  ],
  source: 'docs/reference/metrics.md',
});

export const netPnl = defineMetric({
  name: 'net_pnl',
  of: ['wallets', 'positions'],
  isExtension: true,
  unit: 'USD',
  sentence: 'Profit less what the wallet paid the chain for its trades.',
  formula: 'pnl - fees',
  empty: 0,
  terms: ['pnl', 'fees'],
  isSum: true,
  value: (bag) => bag.pnl - bag.fees,
  examples: [
    { story: feesPaid, window: '7d', value: 20, because: '150 - 100 less fees of 30' },
    { story: winAndLoss, window: '7d', value: -30, because: '50 - 80, without fees' },
    { story: nothing, window: '7d', value: 0, because: 'a count or sum over nothing is 0' },
  ],
  source: 'docs/reference/metrics.md',
});

export const unvaluedTradeCount = defineMetric({
  name: 'unvalued_trade_count',
  of: ['tokens', 'wallets', 'positions'],
  isExtension: true,
  unit: 'count',
  sentence: 'Trades whose value in USD is unknown: they are in no sum of USD.',
  formula: '|t in T without a usd_amount|',
  empty: 0,
  terms: ['unvalued'],
  isSum: true,
  value: (bag) => bag.unvalued,
  examples: [
    { story: unknownValue, window: '7d', value: 1, because: 'the first of the two sells' },
    { story: forNative, window: '7d', value: 2, because: 'the native token has no price' },
    { story: winAndLoss, window: '7d', value: 0, because: 'all have a value' },
    { story: nothing, window: '7d', value: 0, because: 'a count or sum over nothing is 0' },
  ],
  source: 'docs/reference/metrics.md',
});
