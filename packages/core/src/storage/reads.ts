import { SwapfoldError } from '../errors.ts';
import { type Batch, type ColumnData, type ColumnType, columnsOf, type Table } from '../records/columns.ts';
import { momentOfStored } from '../records/moment.ts';
import { transactionsTable } from '../records/tables.ts';
import { ascending, type Reader, type Writer } from './adapter.ts';
import { isIn, type Predicate } from './predicate.ts';

/** What orders the transactions of a store, and their hashes. */
export const transactionColumns = [
  'tx',
  'tx_hash',
  'block_time',
  'block_slot',
  'tx_index',
  'moment',
  'file_place',
] as const;

export interface TransactionRow {
  readonly tx_hash: string;
  readonly block_time: number;
  /** `NaN` where it has none. */
  readonly block_slot: number;
  readonly tx_index: number;
  /** Its log index and fraction, as `records/moment.ts` has them. */
  readonly moment: number;
  /** 0 where it has none. */
  readonly file_place: number;
}

export async function readTransactions(
  reader: Reader,
  ids: Iterable<number>,
): Promise<ReadonlyMap<number, TransactionRow>> {
  const wanted = new Set(ids);
  const rows = await reader.read({
    table: transactionsTable,
    columns: transactionColumns,
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
      {
        tx_hash: c.tx_hash[i]!,
        block_time: c.block_time[i]!,
        block_slot: c.block_slot[i]!,
        tx_index: c.tx_index[i]!,
        moment: momentOfStored(c.moment[i]!),
        file_place: c.file_place[i]! || 0,
      },
    ]),
  );
}

/** The rows of a table that hold, whole, by `seq`. */
export async function readBySeq<T extends Table>(reader: Reader, table: T, where: Predicate): Promise<Batch<T>> {
  return (await reader.read({ table, columns: columnsOf(table), where, order: ascending('seq') })) as Batch<T>;
}

/** Throws a bare `Error` unless the batch has every column of the table, in its type and of the batch's length. */
export function checkBatch(table: Table, batch: Batch): void {
  for (const [name, type] of Object.entries(table.columns)) {
    const column = (batch.columns as Readonly<Record<string, ColumnData>>)[name];
    if (column === undefined) throw new Error(`The batch for table "${table.name}" lacks column "${name}".`);
    if (!isArrayOf(type, column))
      throw new Error(`Column "${name}" of a batch for "${table.name}" is no ${type} column.`);
    if (column.length !== batch.length) {
      throw new Error(
        `Column "${name}" of a batch for "${table.name}" has ${column.length} rows; the batch has ${batch.length}.`,
      );
    }
  }
}

function isArrayOf(type: ColumnType, column: ColumnData): boolean {
  if (type === 'id') return column instanceof Int32Array;
  if (type === 'text') return Array.isArray(column);
  return column instanceof Float64Array;
}

/** `Writer.replace` of the other two. */
export async function replaceRows<T extends Table>(
  writer: Pick<Writer, 'append' | 'remove'>,
  table: T,
  batch: Batch<T>,
): Promise<void> {
  if (batch.length === 0) return;
  await writer.remove(table, keysOf(table, batch as unknown as Batch));
  await writer.append(table, batch);
}

/** Holds for the rows that have the key of a row of the batch. */
export function keysOf(table: Table, { columns }: Batch): Predicate {
  const [key, ...others] = table.key;
  if (key === undefined || others.length > 0)
    throw new Error(`Rows of "${table.name}" cannot be replaced: its key is not one column.`);
  return isIn(key, columns[key] as Int32Array | Float64Array);
}
