import type { Swaps } from '../ledger/value.ts';
import { pairOf, pairWallet } from '../records/chain-order.ts';
import { columnsOf } from '../records/columns.ts';
import { balancesTable, swapsTable } from '../records/tables.ts';
import type { Writer } from '../storage/adapter.ts';
import { isIn } from '../storage/predicate.ts';
import { BalanceBook } from './balance-book.ts';
import { distinctIds, KeyIndex } from './key-index.ts';

/** Continues the balances of the pairs of new swaps, all of which come after those that the store had; of those that `isWanted`. */
export async function continueBalances(
  writer: Writer,
  swaps: Swaps,
  isWanted?: (pair: number) => boolean,
): Promise<void> {
  const touched = new KeyIndex();
  addPairs(touched, swaps);
  const all = touched.keys();
  const pairs = isWanted === undefined ? all : all.filter(isWanted);
  const stored = await writer.read({
    table: balancesTable,
    columns: columnsOf(balancesTable),
    where: isIn('pair', pairs),
  });
  const book = new BalanceBook(pairs.length);
  book.load(stored);
  book.step(swaps, isWanted);
  await replaceBalances(writer, stored.columns.pair, book);
}

/** Swaps that a store has got, in chain order, and lost. */
export interface SwapChange {
  readonly added: Swaps;
  readonly removed: Swaps;
  /** The seq that the store ended with before. */
  readonly storeEnd: number;
}

/** Computes the balances anew, from the first swap, of the pairs of removed and late swaps; continues those of the other pairs. */
export async function refoldBalances(writer: Writer, { added, removed, storeEnd }: SwapChange): Promise<void> {
  const late = new KeyIndex();
  addPairs(late, added, storeEnd);
  addPairs(late, removed);
  const isLate = (pair: number): boolean => late.find(pair) >= 0;
  await continueBalances(writer, added, (pair) => !isLate(pair));
  const pairs = late.keys();
  const swaps = await writer.read({
    table: swapsTable,
    columns: columnsOf(swapsTable),
    where: isIn('wallet', distinctIds(Int32Array.from(pairs, pairWallet))),
    order: [{ column: 'seq', direction: 'asc' }],
  });
  const book = new BalanceBook(pairs.length);
  book.step(swaps, isLate);
  await replaceBalances(writer, pairs, book);
}

async function replaceBalances(writer: Writer, old: Float64Array, book: BalanceBook): Promise<void> {
  await writer.remove(balancesTable, isIn('pair', old));
  await writer.append(balancesTable, await book.rows());
}

/** Adds the pairs of both sides of the swaps that count and are not after `until`. */
function addPairs(pairs: KeyIndex, swaps: Swaps, until = Number.POSITIVE_INFINITY): void {
  const c = swaps.columns;
  for (let i = 0; i < swaps.length; i++) {
    if (c.token_in[i] === c.token_out[i] || c.seq[i]! > until) continue;
    pairs.placeOf(pairOf(c.wallet[i]!, c.token_in[i]!));
    pairs.placeOf(pairOf(c.wallet[i]!, c.token_out[i]!));
  }
}
