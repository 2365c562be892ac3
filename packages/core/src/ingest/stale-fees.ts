import { firstSeqAt, lastSeqAt, timeOf } from '../records/chain-order.ts';
import { bareFeesTable, tradesTable } from '../records/tables.ts';
import type { Reader } from '../storage/adapter.ts';
import { and, between, compare, not, or, type Predicate } from '../storage/predicate.ts';
import type { Range } from './chain-keys.ts';

/** Fees that a native price of any age moves: those at a stale one, and those before the first. */
const isOpen: Predicate = or(
  compare('fee_usd', 'lt', 0),
  and({ kind: 'missing', column: 'fee_usd' }, not({ kind: 'missing', column: 'fee_native' })),
);

/** Of each range of seconds, the part from the first fee to the last that a native price of any age moves; nothing of a range without one. */
export async function openFeeRanges(reader: Reader, ranges: readonly Range[]): Promise<Range[]> {
  const found: Range[] = [];
  for (const [from, to] of ranges) {
    const where = and(between('seq', firstSeqAt(from), lastSeqAt(to)), isOpen);
    const times: number[] = [];
    for (const table of [tradesTable, bareFeesTable])
      for (const direction of ['asc', 'desc'] as const) {
        const order = [{ column: 'seq', direction }] as const;
        const { columns, length } = await reader.read({ table, columns: ['seq'], where, order, limit: 1 });
        if (length > 0) times.push(timeOf(columns.seq[0]!));
      }
    if (times.length > 0) found.push([Math.min(...times), Math.max(...times)]);
  }
  return found;
}
