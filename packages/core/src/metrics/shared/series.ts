import { roiBuckets } from '../../bag/bag.ts';
import { metricOfAll, over } from '../declare.ts';
import { defineMetric, type Metric } from '../metric.ts';
import { stability, volatility } from '../numbers.ts';
import { dayTrades, nothing, winAndLoss } from '../story.ts';

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

const ranges: Readonly<Record<(typeof roiBuckets)[number], string>> = {
  gt_500: 'over 500 %',
  '200_500': 'over 200 to 500 %',
  '0_200': '0 to 200 %',
  neg50_0: '-50 to under 0 %',
  lt_neg50_0: 'under -50 %',
};

/** Where the returns of A (+50 %) and B (-40 %), and of the five day trades (+6 % together), fall. */
const worked: Readonly<Record<(typeof roiBuckets)[number], readonly [winAndLoss: number, dayTrades: number]>> = {
  gt_500: [0, 0],
  '200_500': [0, 0],
  '0_200': [1, 1],
  neg50_0: [1, 0],
  lt_neg50_0: [0, 0],
};

/** One metric a bucket: keys of the object `Group` on the wire. */
export interface BucketMetric<Kind extends 'tokens' | 'wallets', Group extends string> extends Metric {
  readonly name: (typeof roiBuckets)[number];
  readonly group: Group;
  readonly of: readonly [Kind];
}

function distribution<Kind extends 'tokens' | 'wallets', Group extends string>(
  of: Kind,
  group: Group,
  counted: string,
): readonly BucketMetric<Kind, Group>[] {
  return roiBuckets.map((bucket, i) =>
    defineMetric({
      name: bucket,
      group,
      of: [of],
      unit: 'count',
      sentence: `Number of ${counted} whose return in the window is ${ranges[bucket]}.`,
      formula: `|p with roi_p ${ranges[bucket]}|`,
      empty: 0,
      terms: ['roiCounts'],
      value: (bag) => bag.roiCounts[i]!,
      examples: [
        over(winAndLoss, worked[bucket][0], 'returns 50 % and -40 %'),
        over(dayTrades, worked[bucket][1], 'one return of 6 %'),
        over(nothing, 0, 'a count over nothing is 0'),
      ],
      source: 'docs/reference/metrics.md',
    }),
  );
}

export const roiDistribution = [
  ...distribution('wallets', 'token_roi_distribution', 'tokens'),
  ...distribution('tokens', 'wallet_roi_distribution', 'wallets'),
];
