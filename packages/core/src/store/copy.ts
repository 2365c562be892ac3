import { type ColumnName, columnsOf, type Table } from '../records/columns.ts';
import type { Reader, Writer } from '../storage/adapter.ts';

export interface CopyOptions {
  readonly tables: readonly Table[];
  readonly onProgress?: ((rows: number) => void) | undefined;
}

/** Copies the rows of whole tables, in the order of their keys, in place of those there were. Shape: the number of rows. */
export async function copyTables(from: Reader, to: Writer, { tables, onProgress }: CopyOptions): Promise<number> {
  let rows = 0;
  for (const table of tables) {
    await to.recreate(table);
    const order = table.key.map((column) => ({ column, direction: 'asc' }) as const);
    for await (const batch of from.stream({ table, columns: columnsOf(table) as ColumnName<Table>[], order })) {
      await to.append(table, batch);
      rows += batch.length;
      onProgress?.(rows);
    }
  }
  return rows;
}
