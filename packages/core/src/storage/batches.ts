import type { Batch, ColumnData, ColumnType, Table } from '../records/columns.ts';
import type { Writer } from './adapter.ts';
import { isIn, type Predicate } from './predicate.ts';

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
