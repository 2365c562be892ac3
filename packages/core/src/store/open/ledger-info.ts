import type { Table } from '../../records/columns.ts';
import { movesTable } from '../../records/tables.ts';
import type { Reader } from '../../storage/adapter.ts';
import { compare, or } from '../../storage/predicate.ts';
import type { StoreSession } from './session.ts';

/** What is known of the tokens that came and went beside the swaps. */
export interface StoreLedger {
  /** Trades before which tokens came or went unseen: their balances say so. */
  readonly trades_with_gaps: number;
  /** Trades whose balances cannot be, so that they count as not reported. */
  readonly contradicted_balances: number;
  /** Percent of the value of all sells that has no known cost, as of the stored profiles; `null` before a refresh, and without a sell. */
  readonly unmatched_share: number | null;
}

export async function ledgerOf(session: StoreSession, reader: Reader): Promise<StoreLedger> {
  return {
    trades_with_gaps: await reader.count(movesTable, or(compare('gap', 'gt', 0), compare('gap', 'lt', 0))),
    contradicted_balances: await reader.count(movesTable, compare('contradicted', 'eq', 1)),
    unmatched_share: await unmatchedShare(session, reader),
  };
}

/** Of the stored positions: what they sold, less what of that has a cost. */
async function unmatchedShare({ shapes }: StoreSession, reader: Reader): Promise<number | null> {
  const table: Table = shapes.positions.table;
  const columns = ['holding.sold_usd', 'holding.realized_pnl', 'matched_cost'];
  let [sold, matched] = [0, 0];
  for await (const rows of reader.stream({ table, columns, where: compare('holding.sold_usd', 'gt', 0) })) {
    const [usd, pnl, cost] = columns.map((name) => rows.columns[name] as Float64Array);
    for (let row = 0; row < rows.length; row++) {
      sold += usd![row]!;
      matched += pnl![row]! + cost![row]!;
    }
  }
  return sold > 0 ? Math.max(0, 1 - matched / sold) * 100 : null;
}
