import { defineMetric } from '../metric.ts';
import { ratio } from '../numbers.ts';
import { boughtBefore, dayTrades, nothing, unknownValue, winAndLoss } from '../story.ts';

export const tradeCount = defineMetric({
  name: 'trade_count',
  of: ['tokens', 'wallets', 'positions'],
  unit: 'count',
  sentence: 'Trades in the window.',
  formula: '|T|',
  empty: 0,
  terms: ['buys', 'sells'],
  isSum: true,
  value: (bag) => bag.buys + bag.sells,
  examples: [
    { story: winAndLoss, window: '7d', value: 4, because: '2 buys and 2 sells' },
    { story: boughtBefore, window: '7d', value: 1, because: 'the buy is before the window' },
    { story: unknownValue, window: '7d', value: 3, because: 'a trade of unknown value counts' },
    { story: nothing, window: '7d', value: 0, because: 'a count or sum over nothing is 0' },
  ],
  source: 'docs/reference/metrics.md',
});

export const buyCount = defineMetric({
  name: 'buy_count',
  of: ['tokens', 'wallets', 'positions'],
  unit: 'count',
  sentence: 'Buys in the window.',
  formula: '|B|',
  empty: 0,
  terms: ['buys'],
  isSum: true,
  value: (bag) => bag.buys,
  examples: [
    { story: winAndLoss, window: '7d', value: 2, because: '2 buys' },
    { story: boughtBefore, window: '7d', value: 0, because: 'the buy is before the window' },
    { story: nothing, window: '7d', value: 0, because: 'a count or sum over nothing is 0' },
  ],
  source: 'docs/reference/metrics.md',
});

export const sellCount = defineMetric({
  name: 'sell_count',
  of: ['tokens', 'wallets', 'positions'],
  unit: 'count',
  sentence: 'Sells in the window.',
  formula: '|S|',
  empty: 0,
  terms: ['sells'],
  isSum: true,
  value: (bag) => bag.sells,
  examples: [
    { story: winAndLoss, window: '7d', value: 2, because: '2 sells' },
    { story: unknownValue, window: '7d', value: 2, because: 'a sell of unknown value counts' },
    { story: nothing, window: '7d', value: 0, because: 'a count or sum over nothing is 0' },
  ],
  source: 'docs/reference/metrics.md',
});

export const buyVolume = defineMetric({
  name: 'buy_volume',
  of: ['tokens', 'wallets', 'positions'],
  unit: 'USD',
  sentence: 'What was bought in the window.',
  formula: 'sum of usd_amount over B',
  empty: 0,
  terms: ['buyVolume'],
  isSum: true,
  value: (bag) => bag.buyVolume,
  examples: [
    { story: winAndLoss, window: '7d', value: 300, because: '100 + 200' },
    { story: boughtBefore, window: '7d', value: 0, because: 'the buy is before the window' },
    { story: nothing, window: '7d', value: 0, because: 'a count or sum over nothing is 0' },
  ],
  source: 'docs/reference/metrics.md',
});

export const sellVolume = defineMetric({
  name: 'sell_volume',
  of: ['tokens', 'wallets', 'positions'],
  unit: 'USD',
  sentence: 'What was sold in the window.',
  formula: 'sum of usd_amount over S',
  empty: 0,
  terms: ['sellVolume'],
  isSum: true,
  value: (bag) => bag.sellVolume,
  examples: [
    { story: winAndLoss, window: '7d', value: 270, because: '150 + 120' },
    { story: unknownValue, window: '7d', value: 75, because: 'the sell of unknown value stays out' },
    { story: nothing, window: '7d', value: 0, because: 'a count or sum over nothing is 0' },
  ],
  source: 'docs/reference/metrics.md',
});

export const volume = defineMetric({
  name: 'volume',
  of: ['tokens', 'wallets', 'positions'],
  unit: 'USD',
  sentence: 'What was bought and sold in the window.',
  formula: 'sum of usd_amount over T',
  empty: 0,
  terms: ['buyVolume', 'sellVolume'],
  isSum: true,
  value: (bag) => bag.buyVolume + bag.sellVolume,
  examples: [
    { story: winAndLoss, window: '7d', value: 570, because: '300 + 270' },
    { story: unknownValue, window: '7d', value: 175, because: '100 + 75; the unknown value stays out' },
    { story: nothing, window: '7d', value: 0, because: 'a count or sum over nothing is 0' },
  ],
  source: 'docs/reference/metrics.md',
});

export const avgBuySize = defineMetric({
  name: 'avg_buy_size',
  of: ['tokens', 'wallets', 'positions'],
  unit: 'USD',
  sentence: 'Mean size of a buy of known value.',
  formula: 'mean usd_amount over B',
  empty: null,
  terms: ['buyVolume', 'buysKnown'],
  value: (bag) => ratio(bag.buyVolume, bag.buysKnown),
  examples: [
    { story: winAndLoss, window: '7d', value: 150, because: '300 / 2' },
    { story: boughtBefore, window: '7d', value: null, because: 'no buy in the window' },
    { story: nothing, window: '7d', value: null, because: 'undefined over nothing' },
  ],
  source: 'docs/reference/metrics.md',
});

export const avgSellSize = defineMetric({
  name: 'avg_sell_size',
  of: ['tokens', 'wallets', 'positions'],
  unit: 'USD',
  sentence: 'Mean size of a sell of known value.',
  formula: 'mean usd_amount over S',
  empty: null,
  terms: ['sellVolume', 'sellsKnown'],
  value: (bag) => ratio(bag.sellVolume, bag.sellsKnown),
  examples: [
    { story: winAndLoss, window: '7d', value: 135, because: '270 / 2' },
    { story: unknownValue, window: '7d', value: 75, because: '75 / 1: the unknown value stays out' },
    { story: nothing, window: '7d', value: null, because: 'undefined over nothing' },
  ],
  source: 'docs/reference/metrics.md',
});

export const avgBuyMcap = defineMetric({
  name: 'avg_buy_mcap',
  of: ['tokens', 'wallets', 'positions'],
  unit: 'USD',
  sentence: 'Mean market cap of the token at the buys, where known.',
  formula: 'mean of token_price x supply over B',
  empty: null,
  terms: ['buyMarketCap', 'buyMarketCaps'],
  value: (bag) => ratio(bag.buyMarketCap, bag.buyMarketCaps),
  examples: [
    { story: winAndLoss, window: '7d', value: 15_000, because: '(10 x 1000 + 20 x 1000) / 2' },
    { story: dayTrades, window: '7d', value: null, because: 'no supply is known' },
    { story: nothing, window: '7d', value: null, because: 'undefined over nothing' },
  ],
  source: 'docs/reference/metrics.md',
});

export const avgSellMcap = defineMetric({
  name: 'avg_sell_mcap',
  of: ['tokens', 'wallets', 'positions'],
  unit: 'USD',
  sentence: 'Mean market cap of the token at the sells, where known.',
  formula: 'mean of token_price x supply over S',
  empty: null,
  terms: ['sellMarketCap', 'sellMarketCaps'],
  value: (bag) => ratio(bag.sellMarketCap, bag.sellMarketCaps),
  examples: [
    { story: winAndLoss, window: '7d', value: 13_500, because: '(15 x 1000 + 12 x 1000) / 2' },
    { story: dayTrades, window: '7d', value: null, because: 'no supply is known' },
    { story: nothing, window: '7d', value: null, because: 'undefined over nothing' },
  ],
  source: 'docs/reference/metrics.md',
});
