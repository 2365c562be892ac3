import { type Holding, readHoldings, readStoredHoldings } from '../../market-data/holdings.ts';
import { pairsOf } from '../../records/chain-order.ts';
import { swapsTable } from '../../records/tables.ts';
import { and, between, compare, isIn, or, type Predicate } from '../../storage/predicate.ts';
import { lastSeq, type QueryContext } from '../context.ts';

/** Wallets whose rows are read by the places where they lie, and how often: of more, all rows are gone through. */
const TOGETHER = 100;
const MOST_READS = 20;

/** Conditions that hold together for the rows of wallets, of a table in which the pairs of a wallet lie together. */
export function conditionsOf(wallets: Int32Array, pair: 'id' | 'pair'): readonly Predicate[] {
  if (wallets.length > TOGETHER * MOST_READS) return [isIn('wallet', wallets)];
  return Array.from({ length: Math.ceil(wallets.length / TOGETHER) }, (_, i) => {
    const some = wallets.slice(i * TOGETHER, (i + 1) * TOGETHER);
    // An engine without an index goes through all rows: by a set of wallets, not by a hundred ranges.
    return and(isIn('wallet', some), or(...Array.from(some, (wallet) => between(pair, ...pairsOf(wallet)))));
  });
}

/** Positive balances of wallets at the as-of time, those of tokens that they never traded among them. */
export async function balancesOf(context: QueryContext, wallets: Int32Array): Promise<readonly Holding[]> {
  const { reader } = context;
  const moved = await movedSince(context, wallets);
  const found: Holding[] = [];
  const others = wallets.filter((wallet) => !moved.has(wallet));
  for (const where of conditionsOf(others, 'pair'))
    for (const holding of await readStoredHoldings(reader, where)) found.push(holding);
  for (const wallet of moved)
    for (const holding of await readHoldings(reader, { wallet }, context)) found.push(holding);
  return found;
}

/** Wallets of which swaps after the as-of time are stored, so that their stored balances are others; of an instant that was asked for, all. */
async function movedSince(context: QueryContext, wallets: Int32Array): Promise<ReadonlySet<number>> {
  const { reader, asOf, lastTime, isAsOfAsked } = context;
  if (asOf >= (lastTime ?? 0)) return new Set();
  if (isAsOfAsked) return new Set(wallets);
  const later = and(compare('seq', 'gt', lastSeq(context)), isIn('wallet', wallets));
  const { columns } = await reader.read({ table: swapsTable, columns: ['wallet'], where: later });
  return new Set(columns.wallet);
}
