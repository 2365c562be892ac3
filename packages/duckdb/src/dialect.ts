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
const LISTED = 500;

/** Numbers that each row is compared with at most: ids may be in every row group that is left, a key and what follows from it are in few. */
const SHORT = 5;
const SHORT_OF_KEYS = 50;

/**
 * Whole numbers as literals. Comparisons leave out row groups; DuckDB then reads all columns of the others before it looks at a row, unless
 * the condition is one that it takes to the scan, as `case`. Of more than five numbers `in` becomes a join, which comparisons do not.
 */
function isInList(column: string, list: BoundList, isKey: boolean): Fragment {
  const { type, values } = list;
  if ((type !== 'id' && type !== 'long') || values.length > LISTED)
    return fragment(`${column} in (${unnested(type)})`, list);
  const numbers = Array.from(values as ArrayLike<number>);
  const found = `${column} in (${numbers.join(', ')})`;
  const short = isKey || type === 'long' ? SHORT_OF_KEYS : SHORT;
  if (numbers.length > short) return fragment(found);
  const compared = numbers.map((number) => `${column} = ${number}`).join(' or ');
  return fragment(`((${compared}) and case when ${found} then true else false end)`);
}

/** Bound lists of numbers come as text, `[1, 2]`, which DuckDB parses ten times as fast as the client makes a list value. */
function unnested(type: ColumnType): string {
  return `select unnest(cast(? as ${duckdbTypes[type]}[]))`;
}

/** But for `sorting`, which keeps a state for each store. */
export const duckdbDialect: Dialect = {
  views: duckdbViews,
  rowsOf: ({ name }) => ({ from: quote(name) }),
  max: 'max',
  hasRowChecksums: false,
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

  // No `indexes`: ART indexes and primary keys cost more than they give: a scan of a sorted table leaves out what has other keys.
  columnType: (_table, _column, type) => duckdbTypes[type],
  tableKey: () => ({ clause: '', suffix: '' }),
  isInList,
  contains: (column) => `contains(${column}, ?)`,
  startsWith: (column) => `starts_with(${column}, ?)`,
  orderKey: (column, direction) => `${column} ${direction} nulls last`,

  /** DuckDB takes a window of this form for the greatest of each group, and holds no others: a join with the greatest takes twice as long. */
  latest({ table, columns, key, by, ties, keys, most, where }) {
    const among = isInList(key, keys.values[0] as BoundList, false);
    const order = [by, ...ties].map((column) => `${column} desc`).join(', ');
    const sql =
      `select ${columns.join(', ')} from ${table} where ${among.sql} and ${where.sql} ` +
      `qualify row_number() over (partition by ${key} order by ${order}) <= ${most}` +
      (most > 1 ? ` order by ${[key, by, ...ties].join(', ')}` : '');
    return { sql, values: [...among.values, ...where.values] };
  },
};
