import { noPrints } from '../bag/entity.ts';
import { lastSeqAt, pairOf } from '../records/chain-order.ts';
import { type Batch, NO_ID } from '../records/columns.ts';
import { tradesTable } from '../records/tables.ts';
import { storedBag } from '../refresh/position-windows.ts';
import { foldPositions } from '../refresh/positions.ts';
import { and, compare, type Predicate } from '../storage/predicate.ts';
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
  const subject = { context, asked, wallet: walletId, token: tokenId };
  const folded = async (asOf: number): Promise<Subject> => {
    if (!(await isTraded(subject, asOf))) throw missing;
    return subjectOf(subject, asOf, () => foldPositions({ ...context, asOf }, Float64Array.of(pair)));
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
  if ((await changedSince(context, 'wallets', walletId)) <= instant) return folded(instant);
  return { ...subjectOf(subject, instant, async () => rows), stored: storedMetrics(rows, true) };
}

/** A position, and what is asked of it. */
interface OfPosition {
  readonly context: QueryContext;
  readonly asked: Asked;
  readonly wallet: number;
  readonly token: number;
}

/** `readRow`: gives the position at the instant, as it is stored. */
function subjectOf(position: OfPosition, asOf: number, readRow: () => Promise<Batch>): Subject {
  const { context, asked, wallet, token } = position;
  const { metric, window } = asked;
  // What is stored adds up in another order than what is computed.
  const isStored = columnOf(metric, window) in context.shapes.positions.table.columns;
  return {
    kind: 'positions',
    id: wallet,
    token,
    asOf,
    trades: tradesOf(position),
    counterparty: 'token',
    async fold(): Promise<SubjectFold> {
      const scan = { rows: await readRow(), instants: Float64Array.of(asOf), seconds: window.seconds };
      for await (const { trades, bags } of foldPairs(context, scan)) {
        const bag = isStored ? storedBag(trades, window, asOf) : bags[windowsOf('positions').indexOf(window)]!;
        return { trades, prints: noPrints, rows: [], bag };
      }
      throw new Error('the one position of a scan is folded');
    },
  };
}

function tradesOf({ wallet, token }: OfPosition): Predicate {
  return and(compare('wallet', 'eq', wallet), compare('token', 'eq', token));
}

/** Whether there is a trade up to an instant. */
async function isTraded(position: OfPosition, asOf: number): Promise<boolean> {
  const where = and(tradesOf(position), compare('seq', 'lte', lastSeqAt(asOf)));
  const { length } = await position.context.reader.read({ table: tradesTable, columns: ['seq'], where, limit: 1 });
  return length > 0;
}
