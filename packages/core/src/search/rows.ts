import { type ColumnTable, type Page, type PageScan, pageOf, scanRows } from '../memory/column-table.ts';
import { type Batch, type Table, takeRows } from '../records/columns.ts';
import type { Reader } from '../storage/adapter.ts';
import { and, isIn, type Predicate } from '../storage/predicate.ts';
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
      const [by] = order;
      const isFirst = after === undefined && by !== undefined && table.columns[by.column] !== 'text';
      const leading = isFirst ? await reader.leading?.({ table, where, by, limit: limit + 1 }) : undefined;
      const count = leading?.count ?? (await reader.count(table, where));
      const left = leading?.keys === undefined ? where : isIn(table.key[0]!, leading.keys);
      const later = after === undefined ? left : and(left, afterTuple(order, after));
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
