import { SwapfoldError } from '../errors.ts';
import { type Batch, columnsOf, type Table } from '../records/columns.ts';
import { transactionsTable } from '../records/tables.ts';
import { ascending, type Reader } from './adapter.ts';
import { isIn, type Predicate } from './predicate.ts';

export interface TransactionRow {
  readonly tx_hash: string;
  readonly block_time: number;
  /** `NaN` where it has none. */
  readonly block_slot: number;
  readonly tx_index: number;
}

export async function readTransactions(
  reader: Reader,
  ids: Iterable<number>,
): Promise<ReadonlyMap<number, TransactionRow>> {
  const wanted = new Set(ids);
  const rows = await reader.read({
    table: transactionsTable,
    columns: ['tx', 'tx_hash', 'block_time', 'block_slot', 'tx_index'],
    where: isIn('tx', Int32Array.from(wanted)),
  });
  if (rows.length < wanted.size)
    throw new SwapfoldError(
      'store-damaged',
      `The store lacks ${wanted.size - rows.length} of the transactions of its swaps.`,
    );
  const c = rows.columns;
  return new Map(
    Array.from(c.tx, (tx, i) => [
      tx,
      { tx_hash: c.tx_hash[i]!, block_time: c.block_time[i]!, block_slot: c.block_slot[i]!, tx_index: c.tx_index[i]! },
    ]),
  );
}

/** The rows of a table that hold, whole, by `seq`. */
export async function readBySeq<T extends Table>(reader: Reader, table: T, where: Predicate): Promise<Batch<T>> {
  return (await reader.read({ table, columns: columnsOf(table), where, order: ascending('seq') })) as Batch<T>;
}
