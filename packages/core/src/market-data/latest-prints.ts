import { legsTable } from '../records/tables.ts';
import type { Reader } from '../storage/adapter.ts';
import { and, compare, not } from '../storage/predicate.ts';

export interface Print {
  readonly seq: number;
  readonly price: number;
}

/** The last print of each token from a seq up to another; tokens without one are absent. */
export async function latestPrints(
  reader: Reader,
  tokens: Int32Array,
  until: number,
  from = 0,
): Promise<ReadonlyMap<number, Print>> {
  const rows = await reader.latest({
    table: legsTable,
    columns: ['token', 'seq', 'price'],
    key: 'token',
    keys: tokens,
    by: 'seq',
    until,
    where: and(compare('seq', 'gte', from), not({ kind: 'missing', column: 'price' })),
  });
  return new Map(
    Array.from(rows.columns.token, (token, i) => [token, { seq: rows.columns.seq[i]!, price: rows.columns.price[i]! }]),
  );
}
