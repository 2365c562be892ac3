import { legsTable } from '../records/tables.ts';
import type { Reader } from '../storage/adapter.ts';
import { not } from '../storage/predicate.ts';

export interface Print {
  readonly seq: number;
  readonly price: number;
}

/** The last print of each token at or before a seq; tokens without one are absent. */
export async function latestPrints(
  reader: Reader,
  tokens: Int32Array,
  until: number,
): Promise<ReadonlyMap<number, Print>> {
  const rows = await reader.latest({
    table: legsTable,
    columns: ['token', 'seq', 'price'],
    key: 'token',
    keys: tokens,
    by: 'seq',
    until,
    where: not({ kind: 'missing', column: 'price' }),
  });
  return new Map(
    Array.from(rows.columns.token, (token, i) => [token, { seq: rows.columns.seq[i]!, price: rows.columns.price[i]! }]),
  );
}
