import { NO_ID } from '../records/columns.ts';
import { legsTable, SELF, SUSPECT } from '../records/tables.ts';
import type { Reader } from '../storage/adapter.ts';
import { and, compare, isIn, not, type Predicate } from '../storage/predicate.ts';

export interface Print {
  readonly seq: number;
  readonly price: number;
  readonly isSuspect: boolean;
}

/** Legs of swaps that are not of a token for itself. */
export const isExchanged: Predicate = not(compare('standing', 'eq', SELF));

const isClean: Predicate = not(compare('standing', 'eq', SUSPECT));

/** The last print of each token from a seq up to another; tokens without one are absent. */
export async function latestPrints(
  reader: Reader,
  tokens: Int32Array,
  { until, from = 0, prints = 'all' }: PrintRange,
): Promise<ReadonlyMap<number, Print>> {
  const rows = await reader.latest({
    table: legsTable,
    columns: ['token', 'seq', 'price', 'standing'],
    key: 'token',
    keys: tokens,
    by: 'seq',
    until,
    where: printsFrom(from, prints),
  });
  const { token, seq, price, standing } = rows.columns;
  return new Map(
    Array.from(token, (id, i) => [id, { seq: seq[i]!, price: price[i]!, isSuspect: standing[i] === SUSPECT }]),
  );
}

/** Which prints: all, or those that are not suspect. */
export type Prints = 'all' | 'clean';

/** Places of prints, ends included. */
interface PrintRange {
  readonly until: number;
  readonly from?: number;
  /** Default `all`. */
  readonly prints?: Prints;
}

function printsFrom(from: number, prints: Prints): Predicate {
  const isPrint = and(compare('seq', 'gte', from), not({ kind: 'missing', column: 'price' }));
  return prints === 'all' ? isPrint : and(isPrint, isClean);
}

/** The prints that value what is held, by the configuration. */
export function marksOf({ marks }: { readonly marks: 'clean' | 'last' }): Prints {
  return marks === 'clean' ? 'clean' : 'all';
}

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
