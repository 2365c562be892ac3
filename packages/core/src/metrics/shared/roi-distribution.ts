import { roiBuckets } from '../../bag/bag.ts';
import { over } from '../declare.ts';
import { defineMetric, type Metric } from '../metric.ts';
import { dayTrades, nothing, winAndLoss } from '../story.ts';

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
