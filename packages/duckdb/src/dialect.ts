import type { ColumnType } from '@swapfold/core/engine';
import { type Bound, type Dialect, type Fragment, fragment, quote } from '@swapfold/sql';
import { duckdbViews } from './views.ts';

export const duckdbTypes: Record<ColumnType, string> = {
  id: 'integer',
  long: 'bigint',
  double: 'double',
  text: 'varchar',
};

type BoundList = Bound & { readonly kind: 'list' };

/** Whole numbers that stand in a statement at most: the row groups that have none are left out, which a join does by its least and its greatest key. */
const LISTED = 1000;

/** Numbers that each row is compared with at most: ids may be in every row group that is left, a key and what follows from it are in few. */
const SHORT = 5;
const SHORT_OF_KEYS = 50;

/**
 * Whole numbers as literals. The `in` leaves out row groups; DuckDB then reads all columns of the others before it looks at a row, unless
 * the condition is one that it takes to the scan, as `case`.
 */
function isInList(column: string, list: BoundList, isKey: boolean): Fragment {
  const { type, values } = list;
  if ((type !== 'id' && type !== 'long') || values.length > LISTED)
    return fragment(`${column} in (${unnested(type)})`, list);
  const found = `${column} in (${Array.from(values as ArrayLike<number>).join(', ')})`;
  const short = isKey || type === 'long' ? SHORT_OF_KEYS : SHORT;
  return fragment(values.length > short ? found : `(${found} and case when ${found} then true else false end)`);
}

/** Bound lists of numbers come as text, `[1, 2]`, which DuckDB parses ten times as fast as the client makes a list value. */
function unnested(type: ColumnType): string {
  return `select unnest(cast(? as ${duckdbTypes[type]}[]))`;
}

export const duckdbDialect: Dialect = {
  views: duckdbViews,
  begin: { read: 'begin transaction', write: 'begin transaction' },
  hasSortedCopies: true,
  boundsPages: true,
  /** DuckDB compares a block with its checksum when it reads it: a statement that reads every value of a table and finds nothing. */
  integrityChecks: (tables) =>
    tables.map((table) =>
      fragment(
        `select cast(count(*) as varchar) from ${quote(table)} "row" having bit_xor(hash("row")) is null and count(*) > 0`,
      ),
    ),
  /** Without the columns of views, which somebody who looks at a store may have made there. */
  listColumns: fragment(
    'select table_name, column_name from duckdb_columns() where table_oid in (select table_oid from duckdb_tables() where database_name = current_database() and schema_name = current_schema() and not internal) and database_name = current_database() order by table_name, column_index',
  ),

  // No `listIndexes`: ART indexes and primary keys cost more than they give: a scan of a sorted table leaves out what has other keys.
  columnType: (_table, _column, type) => duckdbTypes[type],
  tableKey: () => ({ clause: '', suffix: '' }),
  isInList,
  contains: (column) => `contains(${column}, ?)`,
  startsWith: (column) => `starts_with(${column}, ?)`,
  orderKey: (column, direction) => `${column} ${direction} nulls last`,

  /** A join with the greatest `by` of each key, faster than a window over all rows and than `arg_max`. */
  latest({ table, columns, key, by, ties, keys, most, where }) {
    const decide =
      ties.length === 0
        ? ''
        : ` qualify row_number() over (partition by "row".${key} order by ${ties.map((column) => `"row".${column} desc`).join(', ')}) = 1`;
    const needed = [...new Set([...columns, key, by, ...ties])].join(', ');
    const among = isInList(key, keys.values[0] as BoundList, false);
    if (most > 1) {
      const order = [by, ...ties].map((column) => `${column} desc`).join(', ');
      const sql =
        `select ${columns.join(', ')} from ${table} where ${among.sql} and ${where.sql} ` +
        `qualify row_number() over (partition by ${key} order by ${order}) <= ${most} order by ${[key, by, ...ties].join(', ')}`;
      return { sql, values: [...among.values, ...where.values] };
    }
    const sql =
      `with "found" as (select ${needed} from ${table} where ${among.sql} and ${where.sql}), ` +
      `"best" as (select ${key} as "key", max(${by}) as "by" from "found" group by ${key}) ` +
      `select ${columns.map((column) => `"row".${column}`).join(', ')} from "found" "row" ` +
      `join "best" on "row".${key} = "best"."key" and "row".${by} = "best"."by"${decide}`;
    return { sql, values: [...among.values, ...where.values] };
  },
};
