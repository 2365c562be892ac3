import { type ColumnTable, type Page, type PageScan, pageOf, scanRows } from '../memory/column-table.ts';
import { type Batch, type Table, takeRows } from '../records/columns.ts';
import type { Reader } from '../storage/adapter.ts';
import { and, type Predicate } from '../storage/predicate.ts';
import type { Yielder } from '../yielder.ts';
import { afterTuple } from './keyset.ts';

/** Where the profiles of a search are read: one state of an engine's table, or one version of a table in memory. */
export interface ProfileRows {
  /** The rows that hold, in any order. */
  read(columns: readonly string[], where: Predicate): Promise<Batch>;
  page(scan: PageScan): Promise<Page>;
}

export function storedRows(reader: Reader, table: Table): ProfileRows {
  return {
    read: (columns, where) => reader.read<Table, string>({ table, columns, where }),
    async page({ columns, where, order, after, limit }) {
      const count = await reader.count(table, where);
      const later = after === undefined ? where : and(where, afterTuple(order, after));
      const rows = await reader.read<Table, string>({ table, columns, where: later, order, limit: limit + 1 });
      if (rows.length <= limit) return { count, rows, hasMore: false };
      return { count, rows: takeRows(rows, [...Array(limit).keys()]), hasMore: true };
    },
  };
}

export function rowsInMemory(rows: ColumnTable, yielder: () => Yielder): ProfileRows {
  return {
    read: (columns, where) => yielder().run(scanRows(rows, { table: rows.table, columns, where })),
    page: (scan) => yielder().run(pageOf(rows, scan)),
  };
}
