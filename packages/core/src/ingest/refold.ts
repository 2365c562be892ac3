import type { Trades } from '../ledger/trade.ts';
import type { Swaps } from '../ledger/value.ts';
import { pairToken, pairWallet } from '../records/chain-order.ts';
import { allRows, columnsOf, concatBatches, filterRows, takeRows } from '../records/columns.ts';
import { distinctIds, KeyIndex } from '../records/key-index.ts';
import { balancesTable, lotsTable, swapsTable, tradesTable } from '../records/tables.ts';
import type { Reader, Writer } from '../storage/adapter.ts';
import { and, compare, isIn } from '../storage/predicate.ts';
import { yielder } from '../yielder.ts';
import { addPairs, BalanceBook, balanceFields, continueBalances, replaceBalances } from './balances.ts';
import { balancesOf, carriedLots, carriedPairs } from './carried.ts';
import { type Checkpoint, type PairStates, pickPairs, statesAt } from './checkpoints.ts';
import { continuePositions, foldPositions, type Lots, pairsOf } from './positions.ts';

const factColumns = [
  'position_state',
  'cost',
  'proceeds',
  'pnl',
  'holding',
  'open_before',
  'open_cost',
  'cost_native',
  'proceeds_native',
] as const;
const coreColumns = columnsOf(tradesTable).filter(
  (name) => name !== 'seq' && !(factColumns as readonly string[]).includes(name),
);

/** Trades that were derived again, without facts. */
export interface TradeChange {
  readonly trades: Trades;
  /** The trades that stood in their place. */
  readonly oldTrades: Trades;
  /** Whether some of them may stand in another order than before. */
  readonly isReordered: boolean;
  /** The seq that the store ended with before. */
  readonly storeEnd: number;
  /** Where pairs stood before all that changed; without it they are folded from their beginning, or the horizon. */
  readonly since: Checkpoint | undefined;
  /** Where the store begins. */
  readonly horizon: number;
}

/** Trades that a refold looked at: as they were, as it wrote them, and those that it left as they were. */
export interface RefoldedTrades {
  readonly before: readonly Trades[];
  readonly after: readonly Trades[];
  readonly kept: Trades;
  /** Where the pairs that it folded stood before: at the checkpoint, or before their new trades. */
  readonly lots: readonly PairStates<typeof lotsTable>[];
}

/**
 * Writes trades that were derived again, with their facts. If a trade of a pair changed, was added before others or is gone, the pair is
 * folded from the checkpoint, or from its first trade. Other pairs keep the facts of old trades and continue with the new ones.
 */
export async function refoldPositions(
  writer: Writer,
  dust: number,
  { trades, oldTrades, isReordered, storeEnd, since, horizon }: TradeChange,
): Promise<RefoldedTrades> {
  const pause = yielder();
  const pairs = pairsOf(trades);
  const oldRowOf = new Map(identitiesOf(oldTrades).map((identity, row) => [identity, row]));
  await pause.yieldIfDue();
  const changed = changedPairs({ trades, oldTrades, isReordered, storeEnd }, oldRowOf);
  await pause.yieldIfDue();
  const pick = (isPicked: (row: number) => boolean): Trades => filterRows(trades, isPicked);
  const isNew = (row: number): boolean => trades.columns.seq[row]! > storeEnd;
  const kept = pick((row) => !changed.has(pairs[row]!) && !isNew(row));
  copyFacts(kept, oldTrades, oldRowOf);
  await writer.append(tradesTable, kept);
  const continued = pick((row) => !changed.has(pairs[row]!) && isNew(row));
  const continuedLots = await continuePositions(writer, continued, dust);
  if (changed.size === 0) return { before: [oldTrades], after: [continued], kept, lots: [continuedLots] };
  const changedKeys = Float64Array.from(changed);
  const standing =
    since === undefined
      ? { pairs: changedKeys, rows: await carriedLots(writer, horizon, isIn('pair', changedKeys)) }
      : await statesAt(writer, lotsTable, since.lots, changedKeys);
  const others = await tradesOfPairs(writer, changed, since?.from ?? 0);
  await pause.yieldIfDue();
  const late = pick((row) => changed.has(pairs[row]!));
  const all = concatBatches(tradesTable, columnsOf(tradesTable), [others, late]);
  const order = allRows(all.length).sort((a, b) => all.columns.seq[a]! - all.columns.seq[b]!);
  await pause.yieldIfDue();
  const refolded = takeRows(all, order);
  await pause.yieldIfDue();
  const lots = foldFrom(standing.rows, refolded, dust);
  await pause.yieldIfDue();
  await replaceTrades(writer, others, { refolded, order });
  await pause.yieldIfDue();
  await writer.remove(lotsTable, isIn('pair', changedKeys));
  await writer.append(lotsTable, lots);
  const before = [oldTrades, others];
  return { before, after: [continued, refolded], kept, lots: [standing, continuedLots] };
}

/** The lots after the trades; lots of pairs without trades stay. */
export function foldFrom(standing: Lots, trades: Trades, dust: number): Lots {
  const traded = new Set(pairsOf(trades));
  const lots = foldPositions(
    trades,
    pickPairs(standing, (pair) => traded.has(pair)),
    dust,
  );
  const others = pickPairs(standing, (pair) => !traded.has(pair));
  return concatBatches(lotsTable, columnsOf(lotsTable), [others, lots]);
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

/** Pairs whose trades up to the old end of the store are not what they were, or not in their order. */
function changedPairs(
  { trades, oldTrades: old, isReordered, storeEnd }: Omit<TradeChange, 'since' | 'horizon'>,
  oldRowOf: ReadonlyMap<string, number>,
): Set<number> {
  const pairs = pairsOf(trades);
  const gone = new Set(oldRowOf.values());
  const changed = new Set<number>();
  /** The old row of the last trade of a pair. */
  const last = new Map<number, number>();
  for (const [i, identity] of identitiesOf(trades).entries()) {
    if (trades.columns.seq[i]! > storeEnd) continue;
    const row = oldRowOf.get(identity);
    if (row === undefined || coreColumns.some((name) => isOther(trades.columns[name][i]!, old.columns[name][row]!)))
      changed.add(pairs[i]!);
    if (row === undefined) continue;
    gone.delete(row);
    if (!isReordered) continue;
    if (row < (last.get(pairs[i]!) ?? -1)) changed.add(pairs[i]!);
    last.set(pairs[i]!, row);
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

/** The trades of pairs from a `seq` on. */
async function tradesOfPairs(reader: Reader, pairs: ReadonlySet<number>, from: number): Promise<Trades> {
  const wallets = Int32Array.from(new Set(Array.from(pairs, pairWallet)));
  const tokens = Int32Array.from(new Set(Array.from(pairs, pairToken)));
  const rows = await reader.read({
    table: tradesTable,
    columns: columnsOf(tradesTable),
    where: and(isIn('wallet', wallets), isIn('token', tokens), compare('seq', 'gte', from)),
  });
  const found = pairsOf(rows);
  return filterRows(rows, (row) => pairs.has(found[row]!));
}

/** Swaps that a store has got, in chain order, and lost. */
export interface SwapChange {
  readonly added: Swaps;
  readonly removed: Swaps;
  /** Swaps that may stand in another order than before. */
  readonly reordered: Swaps;
  /** The seq that the store ended with before. */
  readonly storeEnd: number;
  /** As `TradeChange.since`. */
  readonly since: Checkpoint | undefined;
  readonly horizon: number;
}

/**
 * Computes the balances of the pairs of removed, reordered and late swaps from the checkpoint, or from the first swap; continues those of the other
 * pairs. Gives where they stood before, as `RefoldedTrades.lots`.
 */
export async function refoldBalances(
  writer: Writer,
  { added, removed, reordered, storeEnd, since, horizon }: SwapChange,
): Promise<readonly PairStates<typeof balancesTable>[]> {
  const late = new KeyIndex();
  addPairs(late, added, storeEnd);
  addPairs(late, removed);
  addPairs(late, reordered);
  const isLate = (pair: number): boolean => late.find(pair) >= 0;
  const continued = await continueBalances(writer, added, (pair) => !isLate(pair));
  const pairs = late.keys();
  const standing = since && (await statesAt(writer, balancesTable, since.balances, pairs));
  const swaps = await writer.read({
    table: swapsTable,
    columns: balanceFields,
    where: and(
      isIn('wallet', distinctIds(Int32Array.from(pairs, pairWallet))),
      compare('seq', 'gte', since?.from ?? 0),
    ),
    order: [{ column: 'seq', direction: 'asc' }],
  });
  const book = new BalanceBook(pairs.length);
  const begun = standing?.rows ?? balancesOf(await carriedPairs(writer, horizon, isIn('id', pairs)));
  book.load(begun);
  book.step(swaps, isLate);
  await replaceBalances(writer, pairs, book);
  return standing === undefined ? [continued] : [standing, continued];
}
