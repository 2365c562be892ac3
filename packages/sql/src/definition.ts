import { NO_ID, type Table } from '@swapfold/core/engine';
import type { Dialect } from './dialect.ts';
import { copiesOf, includedIn, indexName } from './sorted-tables.ts';
import { fragment, quote, type Statement } from './statement.ts';

/** The statements that create a table with its indexes, or with its sorted copies. */
export function compileCreate(table: Table, dialect: Dialect): readonly Statement[] {
  const columns = Object.entries(table.columns).map(([name, type]) =>
    `${quote(name)} ${dialect.columnType(table, name, type)}`.trimEnd(),
  );
  const { clause, suffix } = dialect.tableKey(table);
  const lines = clause === '' ? columns : [...columns, clause];
  return [
    fragment(`create table if not exists ${quote(table.name)} (${lines.join(', ')})${suffix}`),
    ...compileIndexes(table, dialect),
  ];
}

/** The statements that add columns to a table, empty in every row: an id column has no nulls. */
export function compileAddColumns(table: Table, names: readonly string[], dialect: Dialect): readonly Statement[] {
  return names.map((name) => {
    const type = table.columns[name]!;
    const definition = `${quote(name)} ${dialect.columnType(table, name, type)}`.trimEnd();
    const empty = type === 'id' ? ` default ${NO_ID}` : '';
    return fragment(`alter table ${quote(table.name)} add column ${definition}${empty}`);
  });
}

export function compileDrop(table: Table, dialect: Dialect): readonly Statement[] {
  return [...compileDropCopies(table, dialect), fragment(`drop table if exists ${quote(table.name)}`)];
}

/** The statements that make the indexes of a table, or its sorted copies, of the rows that are there. `stored` names the indexes it has. */
export function compileReindex(table: Table, stored: readonly string[], dialect: Dialect): readonly Statement[] {
  return [
    ...stored.map((name) => fragment(`drop index ${quote(name)}`)),
    ...compileDropCopies(table, dialect),
    ...compileIndexes(table, dialect),
  ];
}

function compileIndexes(table: Table, dialect: Dialect): readonly Statement[] {
  return [...(dialect.indexes ? compileEngineIndexes(table) : []), ...(dialect.sorting ? compileCopies(table) : [])];
}

/** The key is an index already. */
function engineIndexesOf(table: Table): readonly (readonly string[])[] {
  return table.indexes.filter((columns) => columns.join() !== table.key.slice(0, columns.length).join());
}

function compileEngineIndexes(table: Table): readonly Statement[] {
  return engineIndexesOf(table).map((columns) => {
    const name = quote(indexName(table, columns));
    const held = list([...columns, ...includedIn(table, columns)]);
    return fragment(`create index if not exists ${name} on ${quote(table.name)} (${held})`);
  });
}

function compileCopies(table: Table): readonly Statement[] {
  return copiesOf(table).map(({ name, order, columns }) =>
    fragment(
      `create table if not exists ${quote(name)} as select ${list(columns)} from ${quote(table.name)} order by ${list(order)}`,
    ),
  );
}

function list(columns: readonly string[]): string {
  return columns.map(quote).join(', ');
}

function compileDropCopies(table: Table, dialect: Dialect): readonly Statement[] {
  const copies = dialect.sorting ? copiesOf(table) : [];
  return copies.map(({ name }) => fragment(`drop table if exists ${quote(name)}`));
}
