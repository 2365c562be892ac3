import type { Roles } from '../ledger/roles.ts';
import type { Swaps } from '../ledger/value.ts';
import { compareText } from '../records/chain-order.ts';
import { type Batch, NO_ID, newBatch } from '../records/columns.ts';
import { poolSwapsTable } from '../records/tables.ts';

export type PoolSwaps = Batch<typeof poolSwapsTable>;

/** The rows by which the swaps of a pool are found. */
export function poolSwapsOf(
  { columns: c, length }: Swaps,
  { roles, textOf }: { readonly roles: Roles; readonly textOf: (id: number) => string },
): PoolSwaps {
  const rows: number[] = [];
  for (let row = 0; row < length; row++) if (c.pool[row] !== NO_ID) rows.push(row);
  const { columns: found, length: count } = newBatch(poolSwapsTable, rows.length);
  for (const [i, row] of rows.entries()) {
    const [given, received] = [c.token_in[row]!, c.token_out[row]!];
    const isSelf = given === received;
    const isGivenFirst = isSelf || standsBefore(given, received);
    found.pool[i] = c.pool[row]!;
    found.seq[i] = c.seq[row]!;
    found.token[i] = isGivenFirst ? given : received;
    found.other[i] = isSelf ? NO_ID : isGivenFirst ? received : given;
  }
  return { length: count, columns: found };

  /** Whether a pool stands for `a` and not for `b`. */
  function standsBefore(a: number, b: number): boolean {
    const isQuote = roles.rankOf(a) >= 0;
    return isQuote === roles.rankOf(b) >= 0 ? compareText(textOf(a), textOf(b)) < 0 : !isQuote;
  }
}
