import { NO_ID } from '../records/columns.ts';
import { legsTable } from '../records/tables.ts';
import type { Reader } from '../storage/adapter.ts';
import { isIn, not } from '../storage/predicate.ts';

/** The id of the symbol that the newest swap up to a seq gives each token; tokens that no swap names are absent. */
export async function newestSymbols(
  reader: Reader,
  tokens: Int32Array,
  until: number,
): Promise<ReadonlyMap<number, number>> {
  const { columns } = await reader.latest({
    table: legsTable,
    columns: ['token', 'symbol'],
    key: 'token',
    keys: tokens,
    by: 'seq',
    until,
    where: not(isIn('symbol', [NO_ID])),
  });
  return new Map(Array.from(columns.token, (token, i) => [token, columns.symbol[i]!]));
}
