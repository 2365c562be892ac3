import { defineMetric } from '../metric.ts';
import { ratio, scaled, sharpe, sortino, stability, volatility } from '../numbers.ts';
import { nothing, prints, unknownValue, winAndLoss } from '../story.ts';

export const avgPrice = defineMetric({
  name: 'avg_price',
  of: ['tokens'],
  unit: 'USD per token',
  sentence: 'Volume-weighted price of the trades.',
  formula: 'volume / token amount over T of known value',
  empty: null,
  terms: ['buyVolume', 'sellVolume', 'buyTokens', 'sellTokens'],
  value: (bag) => ratio(bag.buyVolume + bag.sellVolume, bag.buyTokens + bag.sellTokens),
  examples: [
    { story: winAndLoss, window: '7d', value: 14.25, because: '570 / 40' },
    { story: nothing, window: '7d', value: null, because: 'undefined over nothing' },
  ],
  source: 'docs/reference/metrics.md',
});

export const avgBuyPrice = defineMetric({
  name: 'avg_buy_price',
  of: ['tokens'],
  unit: 'USD per token',
  sentence: 'Volume-weighted price of the buys.',
  formula: 'volume / token amount over B of known value',
  empty: null,
  terms: ['buyVolume', 'buyTokens'],
  value: (bag) => ratio(bag.buyVolume, bag.buyTokens),
  examples: [
    { story: winAndLoss, window: '7d', value: 15, because: '300 / 20' },
    { story: nothing, window: '7d', value: null, because: 'undefined over nothing' },
  ],
  source: 'docs/reference/metrics.md',
});

export const avgSellPrice = defineMetric({
  name: 'avg_sell_price',
  of: ['tokens'],
  unit: 'USD per token',
  sentence: 'Volume-weighted price of the sells.',
  formula: 'volume / token amount over S of known value',
  empty: null,
  terms: ['sellVolume', 'sellTokens'],
  value: (bag) => ratio(bag.sellVolume, bag.sellTokens),
  examples: [
    { story: winAndLoss, window: '7d', value: 13.5, because: '270 / 20' },
    { story: unknownValue, window: '7d', value: 15, because: '75 / 5: the unknown value stays out with its tokens' },
    { story: nothing, window: '7d', value: null, because: 'undefined over nothing' },
  ],
  source: 'docs/reference/metrics.md',
});

export const priceVolatility = defineMetric({
  name: 'price_volatility',
  of: ['tokens'],
  unit: 'percent',
  sentence: 'How much the price changes from period to period scatter.',
  formula: 'volatility(x_j) x 100',
  empty: null,
  terms: ['priceChange', 'pricedPeriods'],
  value: (bag) => scaled(volatility(bag.priceChange, bag.pricedPeriods), 100),
  examples: [
    {
      story: prints,
      window: '7d',
      value: 100 * Math.sqrt(489 / 6804),
      because: '28 changes, of which -1/2, 1/2, -2/3, 1 are not 0',
    },
    { story: nothing, window: '7d', value: null, because: 'undefined over nothing' },
  ],
  source: 'docs/reference/metrics.md',
});

export const priceStability = defineMetric({
  name: 'price_stability',
  of: ['tokens'],
  unit: 'ratio',
  sentence: 'How even the price is, 0 to 1.',
  formula: '|mean| / (|mean| + volatility) of price_j',
  empty: null,
  terms: ['periodPrice', 'pricedPeriods'],
  value: (bag) => stability(bag.periodPrice, bag.pricedPeriods),
  examples: [
    {
      story: prints,
      window: '7d',
      value: 58 / 28 / (58 / 28 + Math.sqrt(556 / 756)),
      because: '1 x 4, 4 x 2, 8 x 3, 8 x 1, 7 x 2',
    },
    { story: nothing, window: '7d', value: null, because: 'undefined over nothing' },
  ],
  source: 'docs/reference/metrics.md',
});

export const tokenSharpeRatio = defineMetric({
  name: 'sharpe_ratio',
  of: ['tokens'],
  unit: 'ratio',
  sentence: 'Mean price change of a period against its scatter, over the window, risk-free rate 0.',
  formula: 'mean(x_j) / volatility(x_j) x sqrt(periods)',
  empty: null,
  terms: ['priceChange', 'pricedPeriods', 'ratioScale'],
  value: (bag) => sharpe(bag.priceChange, bag.pricedPeriods, bag.ratioScale),
  examples: [
    {
      story: prints,
      window: '7d',
      value: (1 / 84 / Math.sqrt(489 / 6804)) * Math.sqrt(28),
      because: 'the changes add up to 1/3',
    },
    { story: nothing, window: '7d', value: null, because: 'undefined over nothing' },
  ],
  source: 'Sharpe (1994)',
});

export const tokenSortinoRatio = defineMetric({
  name: 'sortino_ratio',
  of: ['tokens'],
  unit: 'ratio',
  sentence: 'Mean price change of a period against its downside, over the window, target 0.',
  formula: 'mean(x_j) / sqrt(mean(min(x_j, 0)^2)) x sqrt(periods)',
  empty: null,
  terms: ['priceChange', 'pricedPeriods', 'ratioScale'],
  value: (bag) => sortino(bag.priceChange, bag.pricedPeriods, bag.ratioScale),
  examples: [
    {
      story: prints,
      window: '7d',
      value: (1 / 84 / Math.sqrt(25 / 36 / 28)) * Math.sqrt(28),
      because: 'down by 1/2 and 2/3: squares 25/36',
    },
    { story: nothing, window: '7d', value: null, because: 'undefined over nothing' },
  ],
  source: 'Sortino & Price (1994)',
});

export const tokenMaxDrawdown = defineMetric({
  name: 'max_drawdown',
  of: ['tokens'],
  unit: 'percent',
  sentence: 'Largest fall of the price from its peak, over every print.',
  formula: 'max(1 - print / running peak) x 100 over p(A - w) and the prints in the window',
  empty: null,
  terms: ['priceFall'],
  value: (bag) => bag.priceFall,
  examples: [
    { story: prints, window: '7d', value: 75, because: '4 before the window, 1 in it' },
    { story: nothing, window: '7d', value: null, because: 'undefined over nothing' },
  ],
  source: 'empyrical (Apache-2.0), max_drawdown',
});
