import type { Table } from '../records/columns.ts';
import type { Dialect } from './dialect.ts';
import { fragment, quote, type Statement } from './statement.ts';

/** The statements that create a table with its indexes, where they are missing. */
export function compileCreate(table: Table, dialect: Dialect): readonly Statement[] {
  const columns = Object.entries(table.columns).map(([name, type]) =>
    `${quote(name)} ${dialect.columnType(table, name, type)}`.trimEnd(),
  );
  const { clause, suffix } = dialect.tableKey(table);
  const lines = clause === '' ? columns : [...columns, clause];
  return [
    fragment(`create table if not exists ${quote(table.name)} (${lines.join(', ')})${suffix}`),
    ...(dialect.hasIndexes ? compileIndexes(table) : []),
  ];
}

export function compileDrop(table: Table): Statement {
  return fragment(`drop table if exists ${quote(table.name)}`);
}

/** The key is an index already. */
function compileIndexes(table: Table): readonly Statement[] {
  return table.indexes
    .filter((columns) => columns.join() !== table.key.slice(0, columns.length).join())
    .map((columns) => {
      const name = quote(`${table.name}_by_${columns.join('_')}`);
      return fragment(`create index if not exists ${name} on ${quote(table.name)} (${columns.map(quote).join(', ')})`);
    });
}
