import { listKey } from '../cache/regions.ts';
import { pairOf } from '../records/chain-order.ts';
import type { Batch } from '../records/columns.ts';
import { movesTable, type tradesTable } from '../records/tables.ts';
import { and, between, isIn } from '../storage/predicate.ts';
import type { QueryContext } from './context.ts';

/** What happened to the lots and the balance of a position since its trade before, beside its trades: `gap` tokens, the others USD. */
export interface MovesOfTrade {
  readonly gap: number;
  readonly awayCost: number;
  readonly returnedCost: number;
  readonly spentCost: number;
}

export function hasMovedLots({ awayCost, returnedCost, spentCost }: MovesOfTrade): boolean {
  return awayCost > 0 || returnedCost > 0 || spentCost > 0;
}

/** The same by row of the trades. */
export type MovesOfTrades = (row: number) => MovesOfTrade;

const none: MovesOfTrade = { gap: 0, awayCost: 0, returnedCost: 0, spentCost: 0 };

/** What happened before trades: one look-up, and none in a store in which nothing ever did. */
export async function movesOfTrades(
  context: QueryContext,
  { length, columns: c }: Batch<typeof tradesTable, 'seq' | 'wallet' | 'token'>,
): Promise<MovesOfTrades> {
  if (length === 0 || !(await hasMoves(context))) return () => none;
  const pairs = Float64Array.from(c.seq, (_, row) => pairOf(c.wallet[row]!, c.token[row]!));
  let [least, greatest] = [c.seq[0]!, c.seq[0]!];
  for (const seq of c.seq) {
    if (seq < least) least = seq;
    if (seq > greatest) greatest = seq;
  }
  const { columns: found } = await context.reader.read({
    table: movesTable,
    columns: ['pair', 'seq', 'gap', 'away_cost', 'returned_cost', 'spent_cost'],
    // A range for each pair: of two lists SQLite would look up each pair of members.
    where: and(isIn('pair', Float64Array.from(new Set(pairs))), between('seq', least, greatest)),
  });
  // No other trade has the seq of a trade.
  const rowOf = new Map(Array.from(found.seq, (seq, row) => [seq, row]));
  return (row) => {
    const at = rowOf.get(c.seq[row]!);
    if (at === undefined) return none;
    return {
      gap: found.gap[at]!,
      awayCost: found.away_cost[at]!,
      returnedCost: found.returned_cost[at]!,
      spentCost: found.spent_cost[at]!,
    };
  };
}

/** Whether the store has any row of moves: cached, so that a store without one is asked once. */
async function hasMoves({ cache, reader }: QueryContext): Promise<boolean> {
  const cached = cache.get('lists', listKey('moves', 0));
  if (cached !== undefined) return cached.count > 0;
  const { length } = await reader.read({ table: movesTable, columns: ['pair'], limit: 1 });
  cache.put('lists', listKey('moves', 0), { count: length });
  return length > 0;
}
