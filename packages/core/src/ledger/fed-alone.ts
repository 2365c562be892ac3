import type { Batch } from '../records/columns.ts';
import type { swapsTable } from '../records/tables.ts';
import type { Roles } from './roles.ts';
import { CONTRADICTED, isFed, type Swaps } from './value.ts';

type Fed = Batch<typeof swapsTable, 'token_in' | 'token_out' | 'valued_by'>;

/** Whether nothing but a feed says what a swap of two tokens is worth, believed or not. */
export function isFedAlone({ columns: c }: Fed, row: number, roles: Roles): boolean {
  const [given, received] = [c.token_in[row]!, c.token_out[row]!];
  const valuedBy = c.valued_by[row]!;
  return (
    given !== received &&
    (isFed(valuedBy) || isDeniedFeed(valuedBy)) &&
    roles.rankOf(given) < 0 &&
    roles.rankOf(received) < 0
  );
}

/** Whether the votes of a token deny what a feed alone says: the swap keeps its value, and its trades have none. */
export function isDeniedFeed(valuedBy: number): boolean {
  return valuedBy >= CONTRADICTED && isFed(valuedBy - CONTRADICTED);
}

/** Notes that a print of a swap is one that votes deny, if a feed alone values the swap. */
export function denyFeed(swaps: Swaps, row: number, roles: Roles): void {
  const { valued_by } = swaps.columns;
  if (isFedAlone(swaps, row, roles) && !isDeniedFeed(valued_by[row]!)) valued_by[row]! += CONTRADICTED;
}

/** The swaps with the values that trades have of them: none where votes deny a feed. */
export function believedValues(swaps: Swaps): Swaps {
  const { usd_amount_in, usd_amount_out, valued_by } = swaps.columns;
  if (!valued_by.some(isDeniedFeed)) return swaps;
  const only = (values: Float64Array): Float64Array =>
    values.map((value, row) => (isDeniedFeed(valued_by[row]!) ? Number.NaN : value));
  return {
    length: swaps.length,
    columns: { ...swaps.columns, usd_amount_in: only(usd_amount_in), usd_amount_out: only(usd_amount_out) },
  };
}
