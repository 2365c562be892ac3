import type { ColumnType, Table } from '@swapfold/core/engine';
import { type Dialect, fragment, quote } from '@swapfold/sql';
import { sqliteViews } from './views.ts';

/** Names that an integer key goes by as the row's place in the file. */
function isRowId(table: Table, column: string): boolean {
  return table.key.length === 1 && table.key[0] === column && table.columns[column] !== 'text';
}

export const sqliteDialect: Dialect = {
  views: sqliteViews,
  rowsOf: ({ name }) => ({ from: quote(name) }),
  max: 'max',
  /** SQLite reads what is on the disk: no page of a file has a checksum. */
  hasRowChecksums: true,
  integrityChecks: () => [fragment("select integrity_check from pragma_integrity_check where integrity_check <> 'ok'")],
  listColumns: fragment(
    `select "table".name, "column".name from sqlite_master "table" join pragma_table_info("table".name) "column" where "table".type = 'table' and "table".name not like 'sqlite\\_%' escape '\\' order by "table".name, "column".cid`,
  ),

  indexes: {
    list: ({ name: value }) =>
      fragment("select name from sqlite_master where type = 'index' and tbl_name = ? and sql is not null", {
        kind: 'value',
        type: 'text',
        value,
      }),
  },

  columnType(table: Table, column: string, type: ColumnType): string {
    if (isRowId(table, column)) return 'integer primary key';
    const constraint = type === 'id' || table.key.includes(column) ? ' not null' : '';
    // A double has no declared type: as `real`, SQLite stores whole values as integers and loses the sign of -0.
    if (type === 'double') return constraint.trimStart();
    return (type === 'text' ? 'text' : 'integer') + constraint;
  },

  tableKey(table: Table): { clause: string; suffix: string } {
    if (table.key.length === 0 || isRowId(table, table.key[0]!)) return { clause: '', suffix: '' };
    return { clause: `primary key (${table.key.map(quote).join(', ')})`, suffix: ' without rowid' };
  },

  /** The shortest digits of a double beyond 2^53 read as another integer: they become the double again as `real`. */
  isInList: (column, list) =>
    fragment(
      `${column} in (select ${list.type === 'double' ? 'cast(value as real)' : 'value'} from json_each(?))`,
      list,
    ),
  contains: (column) => `instr(${column}, ?) > 0`,
  startsWith: (column) => `instr(${column}, ?) = 1`,

  /** Nulls are the least to SQLite; `nulls last` on a column without nulls would keep it from using an index. */
  orderKey(column: string, direction: 'asc' | 'desc', isNullable: boolean): string {
    return direction === 'asc' && isNullable ? `${column} asc nulls last` : `${column} ${direction}`;
  },

  /** One index look-up a row. */
  latest({ table, columns, key, by, ties, tableKey, keys, most, where }) {
    const order = [by, ...ties].map((column) => `${column} desc`).join(', ');
    const best = `select ${tableKey.join(', ')} from ${table} where ${key} = "wanted"."value" and ${where.sql} order by ${order} limit ${most}`;
    const place = `(${tableKey.map((column) => `"row".${column}`).join(', ')})`;
    const sql =
      `select ${columns.map((column) => `"row".${column}`).join(', ')} ` +
      `from (select distinct value from json_each(${keys.sql})) "wanted" cross join ${table} "row" on ` +
      (most === 1
        ? `${place} = (${best})`
        : `${place} in (${best}) order by ${[key, by, ...ties].map((column) => `"row".${column}`).join(', ')}`);
    return { sql, values: [...keys.values, ...where.values] };
  },
};
