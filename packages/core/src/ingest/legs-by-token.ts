import { type Batch, takeRows } from '../records/columns.ts';
import type { legsTable } from '../records/tables.ts';
import { groupRows } from './key-index.ts';

type Legs = Batch<typeof legsTable>;

/** Legs in chain order as by token, and in chain order within it: the order that engines keep them in, and append them in soonest. */
export function legsByToken(legs: Legs): Legs {
  const { index, starts, rows } = groupRows(Float64Array.from(legs.columns.token));
  const order = new Int32Array(legs.length);
  let at = 0;
  for (const token of index.keys().sort()) {
    const place = index.find(token);
    const own = rows.subarray(starts[place]!, starts[place + 1]!);
    order.set(own, at);
    at += own.length;
  }
  return takeRows(legs, order);
}
