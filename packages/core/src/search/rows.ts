import {
  adoptRows,
  type ColumnTable,
  emptyTable,
  type Page,
  type PageScan,
  pageOf,
  scanRows,
} from '../memory/column-table.ts';
import type { OrderTuple } from '../memory/first-rows.ts';
import { type Batch, type Table, takeRows } from '../records/columns.ts';
import type { Order, Reader } from '../storage/adapter.ts';
import { and, compare, isIn, or, type Predicate } from '../storage/predicate.ts';
import type { Yielder } from '../yielder.ts';

/** Where the profiles of a search are read: one state of an engine's table, or one version of a table in memory. */
export interface ProfileRows {
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

/** Rows in memory that have some columns of the table whose rows they are. */
export function batchRows(whole: Table, batch: Batch, yielder: () => Yielder): ProfileRows {
  const own = Object.entries(whole.columns).filter(([name]) => name in batch.columns);
  const table = { ...whole, columns: Object.fromEntries(own), indexes: [] };
  return rowsInMemory(adoptRows(emptyTable(table), batch), yielder);
}

export function rowsInMemory(rows: ColumnTable, yielder: () => Yielder): ProfileRows {
  return {
    read: (columns, where) => yielder().run(scanRows(rows, { table: rows.table, columns, where })),
    page: (scan) => yielder().run(pageOf(rows, scan)),
  };
}

/** The rows that come after `tuple` in the order of `sort`, which ends in a unique column; missing values are last. */
function afterTuple(sort: readonly Order[], tuple: OrderTuple): Predicate {
  const alternatives = sort.flatMap((key, i) => {
    const later = afterValue(key, tuple[i]!);
    return later === undefined
      ? []
      : [and(...sort.slice(0, i).map((before, j) => sameValue(before, tuple[j]!)), later)];
  });
  return or(...alternatives);
}

function afterValue({ column, direction }: Order, value: number | string | null): Predicate | undefined {
  if (value === null) return undefined;
  return or(compare(column, direction === 'asc' ? 'gt' : 'lt', value), { kind: 'missing', column });
}

function sameValue({ column }: Order, value: number | string | null): Predicate {
  return value === null ? { kind: 'missing', column } : compare(column, 'eq', value);
}
