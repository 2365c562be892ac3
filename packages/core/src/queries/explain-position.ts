import { noPrints } from '../bag/entity.ts';
import { pairOf, pairWallet } from '../records/chain-order.ts';
import { type Batch, NO_ID } from '../records/columns.ts';
import { storedBag } from '../refresh/position-windows.ts';
import { foldPositions } from '../refresh/positions.ts';
import { and, compare } from '../storage/predicate.ts';
import type { QueryContext } from './context.ts';
import {
  type Asked,
  changedSince,
  columnOf,
  instantOf,
  requireFunction,
  type Subject,
  type SubjectFold,
  storedMetrics,
  windowsOf,
} from './explain-subject.ts';
import { noPosition, type PositionKey } from './positions/get.ts';
import { foldPairs, ofMetrics } from './positions/metrics.ts';

/**
 * A position to be explained. One that swaps have changed since it was stored is folded anew, as one of another instant is.
 *
 * - `columns`: those of the stored position that are wanted.
 * - Errors: `not-found`; those of `requireFunction`.
 */
export async function findPosition(
  context: QueryContext,
  { wallet, token }: PositionKey,
  asked: Asked,
  columns: readonly string[],
): Promise<Subject> {
  const { reader, dictionary, shapes } = context;
  const missing = noPosition({ wallet, token });
  const [walletId, tokenId] = (await dictionary.find(reader, [wallet, token])) as unknown as [number, number];
  if (walletId === NO_ID || tokenId === NO_ID) throw missing;
  // No position is stored with another metric than its own five.
  requireFunction(asked);
  const pair = pairOf(walletId, tokenId);
  const folded = async (asOf: number): Promise<Subject> => {
    const rows = await foldPositions({ ...context, asOf }, Float64Array.of(pair));
    if (rows.length === 0) throw missing;
    return subjectOf(context, asked, rows, asOf);
  };
  if (context.isAsOfAsked) return folded(context.asOf);
  const rows = (await reader.read({
    table: shapes.positions.table,
    columns: [...new Set([...ofMetrics, ...columns])],
    where: compare('id', 'eq', pair),
  })) as Batch;
  if (rows.length === 0) throw missing;
  const instant = await instantOf(context, rows);
  if ((asked.asOf ?? instant) !== instant) return folded(asked.asOf!);
  if ((await changedSince(context, 'wallets', pairWallet(pair))) <= instant) return folded(instant);
  return { ...subjectOf(context, asked, rows, instant), stored: storedMetrics(rows, true) };
}

function subjectOf(context: QueryContext, { metric, window }: Asked, rows: Batch, asOf: number): Subject {
  // What is stored adds up in another order than what is computed.
  const isStored = columnOf(metric, window) in context.shapes.positions.table.columns;
  const idOf = (side: 'wallet' | 'token'): number => (rows.columns[side] as Int32Array)[0]!;
  return {
    kind: 'positions',
    asOf,
    trades: and(compare('wallet', 'eq', idOf('wallet')), compare('token', 'eq', idOf('token'))),
    counterparty: 'token',
    async fold(): Promise<SubjectFold> {
      const scan = { rows, instants: Float64Array.of(asOf), seconds: window.seconds };
      for await (const { trades, bags } of foldPairs(context, scan)) {
        const bag = isStored ? storedBag(trades, window, asOf) : bags[windowsOf('positions').indexOf(window)]!;
        return { trades, prints: noPrints, rows: [], bag };
      }
      throw new Error('the one position of a scan is folded');
    },
  };
}
