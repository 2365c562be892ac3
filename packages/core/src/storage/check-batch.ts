import type { Batch, ColumnData, ColumnType, Table } from '../records/columns.ts';

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
