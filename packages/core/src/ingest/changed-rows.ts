import type { Trades } from '../ledger/trade.ts';
import type { Swaps } from '../ledger/value.ts';
import { columnsBut, columnsOf, concatBatches, filterRows, takeRows } from '../records/columns.ts';
import { SEVERAL_POOLS, swapsTable, tradePoolsTable, tradesTable } from '../records/tables.ts';
import { ascending, type Reader } from '../storage/adapter.ts';
import { isIn } from '../storage/predicate.ts';
import { readTransactions, type TransactionRow } from '../storage/reads.ts';
import type { ChainKeys } from './chain-keys.ts';
import type { ChangedRows } from './changes.ts';
import { identitiesOf, isOther, type RefoldedTrades } from './refold.ts';

/** What a write derived again, before and after. */
interface Derivation extends RefoldedTrades {
  readonly stored: Swaps;
  /** Those and the added ones in chain order; `order` is the row that each had among them, and has in `keys`. */
  readonly swaps: Swaps;
  readonly order: Uint32Array;
  readonly keys: ChainKeys;
}

const swapColumns = columnsBut(swapsTable, 'seq');
const tradeColumns = columnsBut(tradesTable, 'seq');

/** The rows that are new or have other values than before, and the trades that are gone. The place in chain order is no value of a row. */
export async function collectChanges(reader: Reader, derived: Derivation): Promise<Omit<ChangedRows, 'judged'>> {
  const swaps = changedSwaps(derived);
  const { trades, goneTrades } = changedTrades(derived);
  const transactions = transactionsOf(derived);
  const unknown = new Set(trades.columns.tx.filter((tx) => !transactions.has(tx)));
  if (unknown.size > 0) for (const [tx, row] of await readTransactions(reader, unknown)) transactions.set(tx, row);
  return { swaps, trades, goneTrades, transactions, tradePools: await poolsOf(reader, trades) };
}

function changedSwaps({ stored, swaps, order }: Derivation): Swaps {
  const isChanged = (row: number): boolean => {
    const before = order[row]!;
    if (before >= stored.length) return true;
    return swapColumns.some((name) => isOther(swaps.columns[name][row]!, stored.columns[name][before]!));
  };
  return filterRows(swaps, isChanged);
}

function changedTrades({ before, after, kept }: Derivation): Pick<ChangedRows, 'trades' | 'goneTrades'> {
  const old = concatBatches(tradesTable, columnsOf(tradesTable), before);
  const now = concatBatches(tradesTable, columnsOf(tradesTable), after);
  const rowOf = new Map(identitiesOf(old).map((identity, row) => [identity, row]));
  const gone = new Map(rowOf);
  for (const identity of identitiesOf(kept)) gone.delete(identity);
  const changed: number[] = [];
  for (const [row, identity] of identitiesOf(now).entries()) {
    gone.delete(identity);
    const was = rowOf.get(identity);
    if (was === undefined || tradeColumns.some((name) => isOther(now.columns[name][row]!, old.columns[name][was]!)))
      changed.push(row);
  }
  const { seq } = now.columns;
  return {
    trades: takeRows(
      now,
      changed.sort((a, b) => seq[a]! - seq[b]!),
    ) as Trades,
    goneTrades: takeRows(old, [...gone.values()]),
  };
}

function transactionsOf({ swaps, order, keys }: Derivation): Map<number, TransactionRow> {
  const found = new Map<number, TransactionRow>();
  for (const [row, key] of order.entries()) noteTransaction(found, swaps.columns.tx[row]!, keys, key);
  return found;
}

/** Notes the transaction of a row of keys, unless it is noted. */
export function noteTransaction(found: Map<number, TransactionRow>, tx: number, keys: ChainKeys, row: number): void {
  if (found.has(tx)) return;
  found.set(tx, {
    tx_hash: keys.txHash[row]!,
    block_time: keys.time[row]!,
    block_slot: keys.slot[row]!,
    tx_index: keys.index[row]!,
    moment: keys.moment[row]!,
    file_place: keys.filePlace[row]!,
  });
}

async function poolsOf(reader: Reader, { columns: { seq, pool } }: Trades): Promise<ChangedRows['tradePools']> {
  const several = seq.filter((_, row) => pool[row] === SEVERAL_POOLS);
  return reader.read({
    table: tradePoolsTable,
    columns: columnsOf(tradePoolsTable),
    where: isIn('seq', several),
    order: ascending('seq', 'place'),
  });
}
