import type { Swaps } from '../ledger/value.ts';
import { pairOf, pairWallet } from '../records/chain-order.ts';
import { columnsOf } from '../records/columns.ts';
import { balancesTable, swapsTable } from '../records/tables.ts';
import type { Writer } from '../storage/adapter.ts';
import { isIn } from '../storage/predicate.ts';
import { BalanceBook } from './balance-book.ts';
import { distinctIds } from './distinct.ts';
import { KeyIndex } from './key-index.ts';

/**
 * Balances of the pairs that new swaps (in chain order) and removed ones touch: continued, or recomputed from the first swap where one
 * of them is late or removed. `until`: the seq that the store ended with.
 */
export async function storeBalances(writer: Writer, fresh: Swaps, removed: Swaps, until: number): Promise<void> {
  const late = new KeyIndex();
  const touched = new KeyIndex();
  for (const swaps of [fresh, removed]) {
    addPairs(touched, swaps, Number.POSITIVE_INFINITY);
    addPairs(late, swaps, until);
  }
  const all = touched.keys();
  const continued = late.length === 0 ? all : all.filter((pair) => late.find(pair) < 0);
  const before = await writer.read({
    table: balancesTable,
    columns: columnsOf(balancesTable),
    where: isIn('pair', continued),
  });
  const book = new BalanceBook(all.length);
  book.load(before);
  book.step(fresh, late.length === 0 ? undefined : (pair) => late.find(pair) < 0);
  if (late.length > 0) {
    const swaps = await writer.read({
      table: swapsTable,
      columns: columnsOf(swapsTable),
      where: isIn('wallet', distinctIds(Int32Array.from(late.keys(), pairWallet))),
      order: [{ column: 'seq', direction: 'asc' }],
    });
    book.step(swaps, (pair) => late.find(pair) >= 0);
  }
  const changed = new Float64Array(before.length + late.length);
  changed.set(before.columns.pair);
  changed.set(late.keys(), before.length);
  await writer.remove(balancesTable, isIn('pair', changed));
  await writer.append(balancesTable, await book.rows());
}

/** Adds the pairs of both sides of the swaps that count and are not after `until`. */
function addPairs(pairs: KeyIndex, swaps: Swaps, until: number): void {
  const c = swaps.columns;
  for (let i = 0; i < swaps.length; i++) {
    if (c.token_in[i] === c.token_out[i] || c.seq[i]! > until) continue;
    pairs.placeOf(pairOf(c.wallet[i]!, c.token_in[i]!));
    pairs.placeOf(pairOf(c.wallet[i]!, c.token_out[i]!));
  }
}
