import type { Swaps } from '../ledger/value.ts';
import { pairOf, pairWallet, timeOf } from '../records/chain-order.ts';
import { columnsOf } from '../records/columns.ts';
import { balancesTable, swapsTable } from '../records/tables.ts';
import type { Writer } from '../storage/adapter.ts';
import { isIn } from '../storage/predicate.ts';
import { balanceRows, loadBalances, stepBalances } from './fold-balances.ts';

/**
 * Balances of the pairs that new swaps (in chain order) and removed ones touch: continued, or recomputed from the first swap where one
 * of them is late or removed.
 */
export async function storeBalances(writer: Writer, fresh: Swaps, removed: Swaps, lastTime: number): Promise<void> {
  const late = new Set<number>();
  const touched = new Set<number>();
  for (const swaps of [fresh, removed]) {
    const c = swaps.columns;
    for (let i = 0; i < swaps.length; i++) {
      if (c.token_in[i] === c.token_out[i]) continue;
      const pairs = timeOf(c.seq[i]!) <= lastTime ? late : touched;
      for (const token of [c.token_in[i]!, c.token_out[i]!]) pairs.add(pairOf(c.wallet[i]!, token));
    }
  }
  for (const pair of late) touched.delete(pair);
  const before = await writer.read({
    table: balancesTable,
    columns: columnsOf(balancesTable),
    where: isIn('pair', Float64Array.from(touched)),
  });
  const states = loadBalances(before);
  stepBalances(states, fresh, touched);
  if (late.size > 0) {
    const swaps = await writer.read({
      table: swapsTable,
      columns: columnsOf(swapsTable),
      where: isIn('wallet', Int32Array.from(new Set(Array.from(late, pairWallet)))),
      order: [{ column: 'seq', direction: 'asc' }],
    });
    stepBalances(states, swaps, late);
  }
  await writer.remove(balancesTable, isIn('pair', Float64Array.from([...before.columns.pair, ...late])));
  await writer.append(balancesTable, balanceRows(states));
}
