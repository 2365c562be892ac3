import type { Batch } from '../records/columns.ts';
import type { lotsTable } from '../records/tables.ts';
import type { Work } from '../work.ts';
import { ROWS_PER_CHECK } from '../yielder.ts';

/** Part of a balance below which what it has beyond the lots is rounding, and 0. */
const ROUNDING = 1e-9;

/** Tokens of a balance beyond the lots that are here: they came without a known cost. */
export function arrivedOf(balance: number, here: number): number {
  const arrived = balance - here;
  return arrived <= ROUNDING * balance ? 0 : arrived;
}

/** By row of lots, which are by pair and ordinal: 1 if the lot is here, 0 if it is away. Lots that are here follow those that are away. */
export function* findingHere({ columns: c, length }: Batch<typeof lotsTable, 'pair' | 'bought'>): Work<Uint8Array> {
  const isHere = new Uint8Array(length);
  for (let i = 0; i < length; i++) {
    if (i % ROWS_PER_CHECK === 0) yield;
    const isOfLast = i > 0 && c.pair[i] === c.pair[i - 1];
    isHere[i] = Number.isNaN(c.bought[i]!) && !(isOfLast && isHere[i - 1] === 1) ? 0 : 1;
  }
  return isHere;
}
