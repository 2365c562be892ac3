import type { Roles } from '../ledger/roles.ts';
import { type PriceSeries, ReferencePrices } from '../ledger/value.ts';
import { referencePricesTable } from '../records/tables.ts';
import { ascending, type Reader } from '../storage/adapter.ts';
import { and, between, compare, isIn, or } from '../storage/predicate.ts';

/** Whose reference prices are read, and how long one holds, in seconds. */
export interface ReferenceScope {
  readonly roles: Roles;
  readonly maxAge: number;
}

/**
 * The reference prices of the quote tokens that hold at any time from `from` to `to`, Unix seconds; by default all. Of the native token also
 * the last one before these, which fees may be worth.
 */
export async function readReferencePrices(
  reader: Reader,
  { roles, maxAge }: ReferenceScope,
  { from, to }: { readonly from: number; readonly to: number } = { from: 0, to: Number.MAX_SAFE_INTEGER },
): Promise<ReferencePrices> {
  if (roles.known.length === 0) return ReferencePrices.none;
  const first = Math.max(0, from - maxAge);
  const older =
    first === 0
      ? null
      : await reader.max(
          referencePricesTable,
          'time',
          and(compare('token', 'eq', roles.native), compare('time', 'lt', first)),
        );
  const holding = and(isIn('token', Int32Array.from(roles.known)), between('time', first, to));
  const { columns: c, length } = await reader.read({
    table: referencePricesTable,
    columns: ['token', 'time', 'usd_price'],
    where:
      older === null ? holding : or(holding, and(compare('token', 'eq', roles.native), compare('time', 'eq', older))),
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
