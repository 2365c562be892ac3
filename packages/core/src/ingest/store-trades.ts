import type { Trades } from '../ledger/trade.ts';
import { pairToken, pairWallet } from '../records/chain-order.ts';
import { columnsOf, concatBatches, newBatch, takeRows } from '../records/columns.ts';
import { allRows } from '../records/row-order.ts';
import { lotsTable, tradesTable } from '../records/tables.ts';
import type { Reader, Writer } from '../storage/adapter.ts';
import { and, isIn } from '../storage/predicate.ts';
import { yielder } from '../yielder.ts';
import { foldPositions, pairsOf } from './fold-positions.ts';
import { groupRows } from './key-index.ts';
import { LotsByPair } from './lots-by-pair.ts';

const factColumns = ['position_state', 'cost', 'proceeds', 'pnl', 'holding', 'open_before', 'open_cost'] as const;
const coreColumns = columnsOf(tradesTable).filter(
  (name) => name !== 'seq' && !(factColumns as readonly string[]).includes(name),
);

/** Writes trades that all come after those that the store had, with their facts, and the lots that stay open then. */
export async function continuePositions(writer: Writer, trades: Trades, dust: number): Promise<void> {
  if (trades.length === 0) return;
  const pause = yielder();
  const pairs = groupRows(pairsOf(trades)).index.keys();
  const before = await writer.read({ table: lotsTable, columns: columnsOf(lotsTable), where: isIn('pair', pairs) });
  const lots = foldPositions(trades, before, dust);
  await pause.yieldIfDue();
  if (before.length > 0) await writer.remove(lotsTable, isIn('pair', new LotsByPair(before).pairs));
  await writer.append(tradesTable, trades);
  await writer.append(lotsTable, lots);
}

/** Trades that were derived anew, without facts. */
export interface TradeChange {
  readonly trades: Trades;
  /** The trades that stood in their place. */
  readonly oldTrades: Trades;
  /** The seq that the store ended with before. */
  readonly storeEnd: number;
}

/**
 * Writes trades that were derived anew with their facts. Pairs of which a trade changed, came in between or is gone are folded from their
 * first trade; other pairs keep the facts of old trades and continue with the new ones.
 */
export async function refoldPositions(
  writer: Writer,
  dust: number,
  { trades, oldTrades, storeEnd }: TradeChange,
): Promise<void> {
  const pairs = pairsOf(trades);
  const changed = changedPairs(trades, pairs, oldTrades, storeEnd);
  const pick = (isPicked: (row: number) => boolean): Trades =>
    takeRows(trades, Array.from(pairs.keys()).filter(isPicked));
  const isNew = (row: number): boolean => trades.columns.seq[row]! > storeEnd;
  const kept = pick((row) => !changed.has(pairs[row]!) && !isNew(row));
  copyFacts(kept, oldTrades);
  await writer.append(tradesTable, kept);
  await continuePositions(
    writer,
    pick((row) => !changed.has(pairs[row]!) && isNew(row)),
    dust,
  );
  if (changed.size === 0) return;
  const others = await tradesOfPairs(writer, changed);
  const late = pick((row) => changed.has(pairs[row]!));
  const all = concatBatches(tradesTable, columnsOf(tradesTable), [others, late]);
  const refolded = takeRows(
    all,
    allRows(all.length).sort((a, b) => all.columns.seq[a]! - all.columns.seq[b]!),
  );
  const lots = foldPositions(refolded, newBatch(lotsTable, 0), dust);
  await writer.remove(tradesTable, isIn('seq', others.columns.seq));
  await writer.remove(lotsTable, isIn('pair', Float64Array.from(changed)));
  await writer.append(tradesTable, refolded);
  await writer.append(lotsTable, lots);
}

/** Identity of a trade: its transaction and its pair. */
function tradeKey(trades: Trades, pair: number, row: number): string {
  return `${trades.columns.tx[row]}:${pair}`;
}

/** Pairs whose trades up to the seq `until` are not what they were. */
function changedPairs(trades: Trades, pairs: Float64Array, old: Trades, until: number): Set<number> {
  const oldPairs = pairsOf(old);
  const oldRows = new Map(Array.from(oldPairs, (pair, row) => [tradeKey(old, pair, row), row]));
  const changed = new Set<number>();
  for (let i = 0; i < trades.length; i++) {
    if (trades.columns.seq[i]! > until) continue;
    const key = tradeKey(trades, pairs[i]!, i);
    const row = oldRows.get(key);
    if (
      row === undefined ||
      coreColumns.some((name) => !Object.is(trades.columns[name][i]! + 0, old.columns[name][row]! + 0))
    )
      changed.add(pairs[i]!);
    oldRows.delete(key);
  }
  for (const row of oldRows.values()) changed.add(oldPairs[row]!);
  return changed;
}

function copyFacts(trades: Trades, old: Trades): void {
  const oldRows = new Map(Array.from(pairsOf(old), (pair, row) => [tradeKey(old, pair, row), row]));
  const pairs = pairsOf(trades);
  for (let i = 0; i < trades.length; i++) {
    const row = oldRows.get(tradeKey(trades, pairs[i]!, i))!;
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
