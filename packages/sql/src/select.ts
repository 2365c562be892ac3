import {
  type ColumnType,
  compare,
  everything,
  type Latest,
  type Leading,
  type Order,
  type Predicate,
  type Scan,
  type Table,
} from '@swapfold/core/engine';
import type { Dialect, ReadDialect, StoredRows } from './dialect.ts';
import { columnsOfPredicate, copiesOf, copyFor, isFixed, type Need } from './sorted-tables.ts';
import { type Bound, type Fragment, fragment, joinFragments, quote, type Statement } from './statement.ts';
import { compileWhere, storable, typeOf } from './where.ts';

/** Pages of at most so many rows are found in a sorted copy, and read by their keys. */
export const LONGEST_PAGE = 1000;

/**
 * The keys of a page whose rows a sorted copy finds sooner than the table: the first column of the table's key, by which the page is
 * ordered. `undefined` where the page is read straight away.
 */
export function keysOfPage(scan: Scan, dialect: ReadDialect): Scan | undefined {
  const { table, columns, where, order = [], limit } = scan;
  const key = table.key[0];
  if (!dialect.sorting || key === undefined || limit === undefined || limit > LONGEST_PAGE) return undefined;
  if (order.length !== 1 || order[0]!.column !== key || !columns.includes(key)) return undefined;
  if (copyFor(table, { columns, where, order }) !== undefined) return undefined;
  const keys = { table, columns: [key], where, order, limit };
  return copyFor(table, keys) === undefined ? undefined : keys;
}

export function compileScan(scan: Scan, dialect: ReadDialect): Statement {
  const { table, columns, where = everything, order = [], limit, isRecent } = scan;
  const names = columns.map((column) => named(table, column)).join(', ');
  const keys = (dialect.projections ? wholeOrder(table, where, order) : order).map(({ column, direction }) => {
    const isNullable = typeOf(table, column) !== 'id' && !table.key.includes(column);
    return dialect.orderKey(quote(column), direction, isNullable);
  });
  const rows = sourceOf(table, { columns, where, order, isRecent }, dialect);
  return joinFragments(
    [
      fragment(`select ${names} from ${rows.from}`),
      whereClause(where, table, dialect, rows),
      fragment(keys.length > 0 ? ` order by ${keys.join(', ')}` : ''),
      limit === undefined ? fragment('') : fragment(' limit ?', { kind: 'value', type: 'long', value: limit }),
    ],
    '',
  );
}

/** The order, after the columns of an index that it goes on with and that the condition holds to one value each. */
function wholeOrder(table: Table, where: Predicate, order: readonly Order[]): readonly Order[] {
  const names = order.map(({ column }) => column);
  const index = table.indexes.find((columns) => {
    const first = columns.length - names.length;
    return (
      first > 0 && columns.every((column, i) => (i < first ? isFixed(where, column) : column === names[i - first]))
    );
  });
  const [goesOn] = order;
  if (index === undefined || goesOn === undefined) return order;
  return [...index.slice(0, -names.length).map((column) => ({ column, direction: goesOn.direction })), ...order];
}

export function compileLatest(query: Latest, dialect: ReadDialect): Statement {
  const { table, key, by, until, most = 1, where = everything } = query;
  const keyType = typeOf(table, key);
  const conditions: Predicate = {
    kind: 'and',
    of: [
      { kind: 'not', of: { kind: 'missing', column: by } },
      ...(until === undefined ? [] : [compare(by, 'lte', until)]),
      where,
    ],
  };
  const keys: Bound = { kind: 'list', type: keyType, values: storable(keyType, query.keys) };
  const need = { columns: [...query.columns, ...table.key], where: conditions };
  const rows = sourceOf(table, need, dialect, key);
  return dialect.latest({
    table: rows.from,
    columns: query.columns.map((column) => named(table, column)),
    key: quote(key),
    by: quote(by),
    ties: table.key.filter((column) => column !== key && column !== by).map(quote),
    tableKey: table.key.map(quote),
    keyType,
    most,
    keys: fragment('?', keys),
    where: amongRows(rows, compileWhere(conditions, table, dialect)),
  });
}

export function compileCount(table: Table, where: Predicate | undefined, dialect: ReadDialect): Statement {
  const rows = sourceOf(table, { columns: [], where }, dialect);
  const select = fragment(`select count(*) from ${rows.from}`);
  return joinFragments([select, whereClause(where ?? everything, table, dialect, rows)], '');
}

/** The keys of the first rows and of those that equal the last, each with the count of all: at least one row, without a key if there are none. */
export function compileLeading({ table, where, by, limit }: Leading, dialect: ReadDialect): Statement {
  const key = table.key[0]!;
  const rows = sourceOf(table, { columns: [key, by.column], where }, dialect);
  const long = (value: number): Bound => ({ kind: 'value', type: 'long', value });
  const last = `select "by" from "found" where "by" is not null order by "by" ${by.direction} limit 1 offset ?`;
  const first = `select "key" from "found" where "by" ${by.direction === 'asc' ? '<=' : '>='} (select "by" from "last") limit ?`;
  return joinFragments(
    [
      fragment(
        `with "found" as materialized (select ${named(table, key)} as "key", ${named(table, by.column)} as "by" from ${rows.from}`,
      ),
      whereClause(where, table, dialect, rows),
      fragment(`), "last" as (${last}), "first" as (${first})`, long(limit - 1), long(LONGEST_PAGE + 1)),
      fragment(' select "count", "key" from (select count(*) as "count" from "found") left join "first" on true'),
    ],
    '',
  );
}

export function compileMax(
  table: Table,
  column: string,
  where: Predicate | undefined,
  dialect: ReadDialect,
): Statement {
  const rows = sourceOf(table, { columns: [column], where }, dialect);
  const select = fragment(`select ${dialect.max}(${named(table, column)}) from ${rows.from}`);
  return joinFragments([select, whereClause(where ?? everything, table, dialect, rows)], '');
}

/** The statements that remove rows, from the sorted copies first. */
export function compileRemove(table: Table, where: Predicate, dialect: Dialect): readonly Statement[] {
  const rows = whereClause(where, table, dialect);
  const copies = dialect.sorting ? copiesOf(table) : [];
  const key = table.key.map(quote).join(', ');
  return [
    ...copies.map(({ name, columns }) => {
      const remove = fragment(`delete from ${quote(name)}`);
      if (columnsOfPredicate(where).every((column) => columns.includes(column)))
        return joinFragments([remove, rows], '');
      const keys = joinFragments([fragment(`select ${key} from ${quote(table.name)}`), rows], '');
      return joinFragments([remove, fragment(` where (${key}) in (`), keys, fragment(')')], '');
    }),
    joinFragments([fragment(`delete from ${quote(table.name)}`), rows], ''),
  ];
}

/** The types of the columns read, in order. */
export function typesOf(table: Table, columns: readonly string[]): readonly ColumnType[] {
  return columns.map((column) => typeOf(table, column));
}

/** The clauses that choose rows, from among those that are there. */
export function whereClause(where: Predicate, table: Table, dialect: ReadDialect, rows?: StoredRows): Fragment {
  if (rows?.first !== undefined && where.kind === 'in' && where.column === table.key[0]) {
    const rest = fragment(rows.where === undefined ? '' : ` where ${rows.where}`);
    return joinFragments([fragment(` ${rows.first} `), compileWhere(where, table, dialect), rest], '');
  }
  if (where.kind !== 'and' || where.of.length > 0)
    return joinFragments([fragment(' where '), amongRows(rows, compileWhere(where, table, dialect))], '');
  return fragment(rows?.where === undefined ? '' : ` where ${rows.where}`);
}

/** The condition, of rows that are there. */
function amongRows(rows: StoredRows | undefined, where: Fragment): Fragment {
  if (rows?.where === undefined) return where;
  return joinFragments([fragment(`${rows.where} and (`), where, fragment(')')], '');
}

/** What rows are read from: the table, or a sorted copy that has all that is needed. */
function sourceOf(table: Table, need: Need, dialect: ReadDialect, by?: string): StoredRows {
  const copy = dialect.sorting ? copyFor(table, need, by) : undefined;
  if (copy !== undefined) return { from: quote(copy.name) };
  return dialect.rowsOf(table);
}

function named(table: Table, column: string): string {
  typeOf(table, column);
  return quote(column);
}
