import type { Trades } from '../ledger/trade.ts';
import type { Swaps } from '../ledger/value.ts';
import { pairToken, pairWallet } from '../records/chain-order.ts';
import { columnsOf, concatBatches, newBatch, takeRows } from '../records/columns.ts';
import { distinctIds, KeyIndex } from '../records/key-index.ts';
import { allRows } from '../records/row-order.ts';
import { lotsTable, swapsTable, tradesTable } from '../records/tables.ts';
import type { Reader, Writer } from '../storage/adapter.ts';
import { and, isIn } from '../storage/predicate.ts';
import { addPairs, BalanceBook, balanceFields, continueBalances, replaceBalances } from './balances.ts';
import { continuePositions, foldPositions, pairsOf } from './positions.ts';

const factColumns = ['position_state', 'cost', 'proceeds', 'pnl', 'holding', 'open_before', 'open_cost'] as const;
const coreColumns = columnsOf(tradesTable).filter(
  (name) => name !== 'seq' && !(factColumns as readonly string[]).includes(name),
);

/** Trades that were derived again, without facts. */
export interface TradeChange {
  readonly trades: Trades;
  /** The trades that stood in their place. */
  readonly oldTrades: Trades;
  /** The seq that the store ended with before. */
  readonly storeEnd: number;
}

/** Trades that a refold looked at: as they were, as it wrote them, and those that it left as they were. */
export interface RefoldedTrades {
  readonly before: readonly Trades[];
  readonly after: readonly Trades[];
  readonly kept: Trades;
}

/**
 * Writes trades that were derived again, with their facts. If a trade of a pair changed, was added before others or is gone, the pair is
 * folded from its first trade. Other pairs keep the facts of old trades and continue with the new ones.
 */
export async function refoldPositions(
  writer: Writer,
  dust: number,
  { trades, oldTrades, storeEnd }: TradeChange,
): Promise<RefoldedTrades> {
  const pairs = pairsOf(trades);
  const oldRowOf = rowsByIdentity(oldTrades);
  const changed = changedPairs({ trades, oldTrades, storeEnd }, oldRowOf);
  const pick = (isPicked: (row: number) => boolean): Trades =>
    takeRows(trades, Array.from(pairs.keys()).filter(isPicked));
  const isNew = (row: number): boolean => trades.columns.seq[row]! > storeEnd;
  const kept = pick((row) => !changed.has(pairs[row]!) && !isNew(row));
  copyFacts(kept, oldTrades, oldRowOf);
  await writer.append(tradesTable, kept);
  const continued = pick((row) => !changed.has(pairs[row]!) && isNew(row));
  await continuePositions(writer, continued, dust);
  if (changed.size === 0) return { before: [oldTrades], after: [continued], kept };
  const others = await tradesOfPairs(writer, changed);
  const late = pick((row) => changed.has(pairs[row]!));
  const all = concatBatches(tradesTable, columnsOf(tradesTable), [others, late]);
  const order = allRows(all.length).sort((a, b) => all.columns.seq[a]! - all.columns.seq[b]!);
  const refolded = takeRows(all, order);
  const lots = foldPositions(refolded, newBatch(lotsTable, 0), dust);
  await replaceTrades(writer, others, { refolded, order });
  await writer.remove(lotsTable, isIn('pair', Float64Array.from(changed)));
  await writer.append(lotsTable, lots);
  return { before: [oldTrades, others], after: [continued, refolded], kept };
}

interface Refolded {
  readonly refolded: Trades;
  /** By row of it: the row of the stored trade that it was, from the length of those on a new one. */
  readonly order: Uint32Array;
}

/** Writes refolded trades, but those whose facts are as they are stored: a rollback changes none of the trades before it. */
async function replaceTrades(writer: Writer, stored: Trades, { refolded, order }: Refolded): Promise<void> {
  const seqs = new Set<number>();
  for (const [row, old] of order.entries()) {
    const isSame =
      old < stored.length &&
      factColumns.every((name) => Object.is(refolded.columns[name][row], stored.columns[name][old]));
    if (!isSame) seqs.add(refolded.columns.seq[row]!);
  }
  const rows = Array.from(order.keys()).filter((row) => seqs.has(refolded.columns.seq[row]!));
  const replaced = rows.filter((row) => order[row]! < stored.length).map((row) => refolded.columns.seq[row]!);
  if (replaced.length > 0) await writer.remove(tradesTable, isIn('seq', Float64Array.from(replaced)));
  await writer.append(tradesTable, takeRows(refolded, rows));
}

/** The identity of each trade: its transaction and its pair. */
export function identitiesOf(trades: Trades): string[] {
  return Array.from(pairsOf(trades), (pair, row) => `${trades.columns.tx[row]}:${pair}`);
}

function rowsByIdentity(trades: Trades): ReadonlyMap<string, number> {
  return new Map(identitiesOf(trades).map((identity, row) => [identity, row]));
}

/** Pairs whose trades up to the old end of the store are not what they were. */
function changedPairs(
  { trades, oldTrades: old, storeEnd }: TradeChange,
  oldRowOf: ReadonlyMap<string, number>,
): Set<number> {
  const pairs = pairsOf(trades);
  const gone = new Set(oldRowOf.values());
  const changed = new Set<number>();
  for (const [i, identity] of identitiesOf(trades).entries()) {
    if (trades.columns.seq[i]! > storeEnd) continue;
    const row = oldRowOf.get(identity);
    if (row === undefined || coreColumns.some((name) => isOther(trades.columns[name][i]!, old.columns[name][row]!)))
      changed.add(pairs[i]!);
    if (row !== undefined) gone.delete(row);
  }
  const oldPairs = pairsOf(old);
  for (const row of gone) changed.add(oldPairs[row]!);
  return changed;
}

/** Whether two numbers differ; `NaN` is one number, and so are 0 and -0. */
export function isOther(a: number, b: number): boolean {
  return !Object.is(a + 0, b + 0);
}

function copyFacts(trades: Trades, old: Trades, oldRowOf: ReadonlyMap<string, number>): void {
  for (const [i, identity] of identitiesOf(trades).entries()) {
    const row = oldRowOf.get(identity)!;
    for (const name of factColumns) trades.columns[name][i] = old.columns[name][row]!;
  }
}

async function tradesOfPairs(reader: Reader, pairs: ReadonlySet<number>): Promise<Trades> {
  const wallets = Int32Array.from(new Set(Array.from(pairs, pairWallet)));
  const tokens = Int32Array.from(new Set(Array.from(pairs, pairToken)));
  const rows = await reader.read({
    table: tradesTable,
    columns: columnsOf(tradesTable),
    where: and(isIn('wallet', wallets), isIn('token', tokens)),
  });
  const found = pairsOf(rows);
  return takeRows(
    rows,
    Array.from(found.keys()).filter((row) => pairs.has(found[row]!)),
  );
}

/** Swaps that a store has got, in chain order, and lost. */
export interface SwapChange {
  readonly added: Swaps;
  readonly removed: Swaps;
  /** The seq that the store ended with before. */
  readonly storeEnd: number;
}

/** Computes the balances of the pairs of removed and late swaps from the first swap; continues those of the other pairs. */
export async function refoldBalances(writer: Writer, { added, removed, storeEnd }: SwapChange): Promise<void> {
  const late = new KeyIndex();
  addPairs(late, added, storeEnd);
  addPairs(late, removed);
  const isLate = (pair: number): boolean => late.find(pair) >= 0;
  await continueBalances(writer, added, (pair) => !isLate(pair));
  const pairs = late.keys();
  const swaps = await writer.read({
    table: swapsTable,
    columns: balanceFields,
    where: isIn('wallet', distinctIds(Int32Array.from(pairs, pairWallet))),
    order: [{ column: 'seq', direction: 'asc' }],
  });
  const book = new BalanceBook(pairs.length);
  book.step(swaps, isLate);
  await replaceBalances(writer, pairs, book);
}
