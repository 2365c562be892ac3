import type { ColumnType, Table } from '../records/columns.ts';
import type { Latest, Scan } from '../storage/adapter.ts';
import type { Predicate } from '../storage/predicate.ts';
import { compare, everything } from '../storage/predicate.ts';
import type { Dialect, ReadDialect } from './dialect.ts';
import { type Bound, type Fragment, fragment, joinFragments, quote, type Statement } from './statement.ts';
import { compileWhere, storable, typeOf } from './where.ts';

export function compileScan(scan: Scan, dialect: ReadDialect): Statement {
  const { table, columns, where = everything, order = [], limit } = scan;
  const names = columns.map((column) => named(table, column)).join(', ');
  const keys = order.map(({ column, direction }) => {
    const isNullable = typeOf(table, column) !== 'id' && !table.key.includes(column);
    return dialect.orderKey(quote(column), direction, isNullable);
  });
  return joinFragments(
    [
      fragment(`select ${names} from ${rowsOf(table, dialect)}`),
      whereClause(where, table, dialect),
      fragment(keys.length > 0 ? ` order by ${keys.join(', ')}` : ''),
      limit === undefined ? fragment('') : fragment(' limit ?', { kind: 'value', type: 'long', value: limit }),
    ],
    '',
  );
}

export function compileLatest(query: Latest, dialect: ReadDialect): Statement {
  const { table, key, by, until, where = everything } = query;
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
  return dialect.latest({
    table: rowsOf(table, dialect),
    columns: query.columns.map((column) => named(table, column)),
    key: quote(key),
    by: quote(by),
    ties: table.key.filter((column) => column !== key && column !== by).map(quote),
    tableKey: table.key.map(quote),
    keyType,
    keys: fragment('?', keys),
    where: compileWhere(conditions, table, dialect),
  });
}

export function compileCount(table: Table, where: Predicate | undefined, dialect: ReadDialect): Statement {
  const select = fragment(`select count(*) from ${rowsOf(table, dialect)}`);
  return joinFragments([select, whereClause(where ?? everything, table, dialect)], '');
}

export function compileMax(
  table: Table,
  column: string,
  where: Predicate | undefined,
  dialect: ReadDialect,
): Statement {
  const select = fragment(`select ${dialect.max ?? 'max'}(${named(table, column)}) from ${rowsOf(table, dialect)}`);
  return joinFragments([select, whereClause(where ?? everything, table, dialect)], '');
}

export function compileRemove(table: Table, where: Predicate, dialect: Dialect): Statement {
  return joinFragments([fragment(`delete from ${quote(table.name)}`), whereClause(where, table, dialect)], '');
}

/** The types of the columns read, in order. */
export function typesOf(table: Table, columns: readonly string[]): readonly ColumnType[] {
  return columns.map((column) => typeOf(table, column));
}

function whereClause(where: Predicate, table: Table, dialect: ReadDialect): Fragment {
  if (where.kind === 'and' && where.of.length === 0) return fragment('');
  return joinFragments([fragment(' where '), compileWhere(where, table, dialect)], '');
}

function rowsOf(table: Table, dialect: ReadDialect): string {
  return dialect.rowsOf?.(table) ?? quote(table.name);
}

function named(table: Table, column: string): string {
  typeOf(table, column);
  return quote(column);
}
