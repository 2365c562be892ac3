import type { Roles } from '../ledger/roles.ts';
import { type PriceSeries, ReferencePrices } from '../ledger/value.ts';
import { referencePricesTable } from '../records/tables.ts';
import { ascending, type Reader } from '../storage/adapter.ts';
import { and, between, isIn } from '../storage/predicate.ts';

/** Whose reference prices are read, and how long one holds, in seconds. */
export interface ReferenceScope {
  readonly roles: Roles;
  readonly maxAge: number;
}

/** The reference prices of the quote tokens that hold at any time from `from` to `to`, Unix seconds; by default all. */
export async function readReferencePrices(
  reader: Reader,
  { roles, maxAge }: ReferenceScope,
  { from, to }: { readonly from: number; readonly to: number } = { from: 0, to: Number.MAX_SAFE_INTEGER },
): Promise<ReferencePrices> {
  if (roles.known.length === 0) return ReferencePrices.none;
  const { columns: c, length } = await reader.read({
    table: referencePricesTable,
    columns: ['token', 'time', 'usd_price'],
    where: and(isIn('token', Int32Array.from(roles.known)), between('time', Math.max(0, from - maxAge), to)),
    order: ascending('token', 'time'),
  });
  const series = new Map<number, PriceSeries>();
  for (let first = 0; first < length; ) {
    let end = first + 1;
    while (end < length && c.token[end] === c.token[first]) end++;
    series.set(c.token[first]!, { time: c.time.subarray(first, end), usdPrice: c.usd_price.subarray(first, end) });
    first = end;
  }
  return series.size === 0 ? ReferencePrices.none : new ReferencePrices(series, maxAge);
}
