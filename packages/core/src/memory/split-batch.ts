import type { Batch, ColumnData, ColumnName, Table } from '../records/columns.ts';

const ROWS = 16_384;

/** The batch in pieces of bounded size, with arrays of their own. */
export function* splitBatch<T extends Table, C extends ColumnName<T>>(batch: Batch<T, C>): Generator<Batch<T, C>> {
  for (let from = 0; from < batch.length; from += ROWS) {
    const to = Math.min(from + ROWS, batch.length);
    const columns: Record<string, ColumnData> = {};
    for (const [name, values] of Object.entries(batch.columns) as [string, ColumnData][]) {
      columns[name] = values.slice(from, to);
    }
    yield { length: to - from, columns } as unknown as Batch<T, C>;
  }
}
