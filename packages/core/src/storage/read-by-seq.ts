import { type Batch, columnsOf, type Table } from '../records/columns.ts';
import { ascending, type Reader } from './adapter.ts';
import type { Predicate } from './predicate.ts';

/** The rows of a table that hold, whole, by `seq`. */
export async function readBySeq<T extends Table>(reader: Reader, table: T, where: Predicate): Promise<Batch<T>> {
  return (await reader.read({ table, columns: columnsOf(table), where, order: ascending('seq') })) as Batch<T>;
}
