import { carriedPairs } from '../ingest/carried.ts';
import { lastSeqAt } from '../records/chain-order.ts';
import type { Batch } from '../records/columns.ts';
import { movesTable, SINCE_LAST_TRADE } from '../records/tables.ts';
import { ascending } from '../storage/adapter.ts';
import { and, compare, isIn, not, or, type Predicate } from '../storage/predicate.ts';
import type { FoldContext } from './context.ts';

/** When a position opened other than by a trade, `NaN` if it did not, and when it closed, `NaN` while it is open: what something left that is no trade. Unix seconds. */
export interface MovedState {
  readonly openedAt: number;
  readonly closedAt: number;
}

/** What moves say of positions, beside their lots. */
export interface PositionMoves {
  /** The state after the trade of that `seq`, if something that is no trade has changed it since the one before. */
  readonly ofTrade: (seq: number) => MovedState | undefined;
  /** The same since the last trade of a pair. */
  readonly sinceLast: (pair: number) => MovedState | undefined;
  /** What the lots of a pair cost that were spent, USD, of all times. */
  readonly spentOf: (pair: number) => number;
}

const isKnown = (column: string): Predicate => not({ kind: 'missing', column });

const columns = ['pair', 'seq', 'spent_cost', 'opened_at', 'closed_at'] as const;

type MoveRows = Batch<typeof movesTable, (typeof columns)[number]>;

/**
 * The moves of pairs up to the as-of time.
 *
 * - `where`: a condition on the column that has the pairs. `from`: states are wanted from this `seq` on.
 * - `standing`: rows of what happened since the last trades, where the stored ones are of a later time.
 */
export async function readPositionMoves(
  { reader, roles, asOf, horizon }: Pick<FoldContext, 'reader' | 'roles' | 'asOf' | 'horizon'>,
  where: (column: 'pair' | 'id') => Predicate,
  { from = 0, standing }: { readonly from?: number; readonly standing?: MoveRows | undefined } = {},
): Promise<PositionMoves> {
  const until = compare('seq', 'lte', standing === undefined ? SINCE_LAST_TRADE : lastSeqAt(asOf));
  const isWanted = or(
    compare('spent_cost', 'gt', 0),
    and(or(isKnown('opened_at'), isKnown('closed_at')), compare('seq', 'gte', from)),
  );
  const stored = await reader.read({
    table: movesTable,
    columns,
    where: and(where('pair'), isWanted, until),
    order: ascending('pair', 'seq'),
  });
  const moves = movesOf(standing === undefined ? [stored] : [stored, standing]);
  if (horizon === 0 || roles.known.length === 0) return moves;
  const quotes = isIn('token', Int32Array.from(roles.known));
  const { columns: c } = await carriedPairs(reader, horizon, and(where('id'), quotes));
  const carried = new Map(Array.from(c.id, (pair, row) => [pair, c['holding.spent_cost'][row]! || 0]));
  return { ...moves, spentOf: (pair) => (carried.get(pair) ?? 0) + moves.spentOf(pair) };
}

/** What rows of moves say, of each pair in the order of `seq`. */
export function movesOf(batches: readonly MoveRows[]): PositionMoves {
  const ofTrade = new Map<number, MovedState>();
  const sinceLast = new Map<number, MovedState>();
  const spent = new Map<number, number>();
  for (const { columns: c, length } of batches) {
    for (let row = 0; row < length; row++) {
      const [pair, seq] = [c.pair[row]!, c.seq[row]!];
      if (c.spent_cost[row]! > 0) spent.set(pair, (spent.get(pair) ?? 0) + c.spent_cost[row]!);
      if (Number.isNaN(c.opened_at[row]!) && Number.isNaN(c.closed_at[row]!)) continue;
      const state = { openedAt: c.opened_at[row]!, closedAt: c.closed_at[row]! };
      if (seq === SINCE_LAST_TRADE) sinceLast.set(pair, state);
      else ofTrade.set(seq, state);
    }
  }
  return {
    ofTrade: (seq) => ofTrade.get(seq),
    sinceLast: (pair) => sinceLast.get(pair),
    spentOf: (pair) => spent.get(pair) ?? 0,
  };
}
