import type { Fixture } from '../support/fixture.ts';
import { extremes } from './extremes.ts';
import { fees } from './fees.ts';
import { netting } from './netting.ts';
import { orders } from './orders.ts';
import { pools } from './pools.ts';
import { positions } from './positions.ts';
import { results } from './results.ts';
import { valuation } from './valuation.ts';
import { windows } from './windows.ts';

/** All cases on a boundary: worked by hand, and held against the independent computation. */
export const fixtures: readonly Fixture[] = [
  ...windows,
  ...valuation,
  ...netting,
  ...orders,
  ...pools,
  ...positions,
  ...fees,
  ...results,
  ...extremes,
];
