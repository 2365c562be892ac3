import { isDeniedFeed, isFedAlone } from '../ledger/fed-alone.ts';
import type { Roles } from '../ledger/roles.ts';
import type { Swaps } from '../ledger/value.ts';
import { timeOf } from '../records/chain-order.ts';
import { DENIED, deniedStandings } from '../records/standing.ts';
import { legsTable, swapsTable } from '../records/tables.ts';
import type { Reader } from '../storage/adapter.ts';
import { and, isIn } from '../storage/predicate.ts';
import type { PrintsOf } from './rejudge.ts';
import type { Places } from './suspects.ts';

/** Places of the swaps that have a print which votes denied before: `placeOf` gives their place of today. */
export function deniedPlaces(prints: PrintsOf, placeOf: (seq: number) => number | undefined): ReadonlySet<number> {
  const found = new Set<number>();
  for (const rows of prints.values())
    for (const { seq, standing } of rows) {
      const place = (standing & DENIED) === 0 ? undefined : placeOf(seq);
      if (place !== undefined) found.add(place);
    }
  return found;
}

/**
 * Seconds of swaps that a feed alone values and whose trades are not worth what votes say of that feed: among swaps that were derived again,
 * and those elsewhere of which a print is judged otherwise now.
 */
export async function wronglyBelieved(
  reader: Reader,
  roles: Roles,
  swaps: Swaps,
  { seq: judged }: Places,
): Promise<number[]> {
  const { seq } = swaps.columns;
  const own = new Set(seq);
  const elsewhere = await reader.read({
    table: swapsTable,
    columns: ['seq', 'token_in', 'token_out', 'valued_by'],
    where: isIn('seq', Float64Array.from(new Set(judged.filter((place) => !own.has(place))))),
  });
  const fed = [swaps, elsewhere].flatMap((of) =>
    Array.from({ length: of.length }, (_, row) => row)
      .filter((row) => isFedAlone(of, row, roles))
      .map((row) => ({ seq: of.columns.seq[row]!, isDenied: isDeniedFeed(of.columns.valued_by[row]!) })),
  );
  if (fed.length === 0) return [];
  const { columns } = await reader.read({
    table: legsTable,
    columns: ['seq'],
    where: and(
      isIn(
        'seq',
        Float64Array.from(fed, (swap) => swap.seq),
      ),
      isIn('standing', deniedStandings),
    ),
  });
  const denied = new Set(columns.seq);
  return fed.filter((swap) => denied.has(swap.seq) !== swap.isDenied).map((swap) => timeOf(swap.seq));
}
