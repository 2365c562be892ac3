import type { Batch, Table } from '../records/columns.ts';
import type { Writer } from './adapter.ts';
import { isIn, type Predicate } from './predicate.ts';

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
