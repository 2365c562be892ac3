import type { ColumnType, Table } from '@swapfold/core/engine';
import { copiesOf, fragment, quote, type SqlConnection, type Statement } from '@swapfold/sql';
import { duckdbTypes } from '../dialect.ts';

/** A column, with DuckDB's type for it. */
export interface TypedColumn {
  readonly name: string;
  readonly type: string;
  readonly isId: boolean;
}

export function typedColumns({ columns }: { readonly columns: Readonly<Record<string, ColumnType>> }): TypedColumn[] {
  return Object.entries(columns).map(([name, type]) => ({ name, type: duckdbTypes[type], isId: type === 'id' }));
}

/** The columns in a statement that creates the table. */
export function definitionOf(table: { readonly columns: Readonly<Record<string, ColumnType>> }): string {
  return `(${typedColumns(table)
    .map(({ name, type }) => `${quote(name)} ${type}`)
    .join(', ')})`;
}

/** What the names of tables that are being filled begin with. */
export const LOADING = 'swapfold_loading_';

/** Drops what a load left that did not come to its end. */
export async function dropLoading(connection: SqlConnection): Promise<void> {
  const [names] = await connection.all(
    fragment(
      `select table_name from duckdb_tables() where database_name = current_database() and schema_name = current_schema() and starts_with(table_name, '${LOADING}')`,
    ),
    ['text'],
  );
  for (const name of names as string[]) await connection.run(fragment(`drop table ${quote(name)}`));
}

/** The statements that put the filled tables, and their sorted copies, in the place of the store's. */
export function publishing(tables: readonly Table[]): readonly Statement[] {
  return tables
    .flatMap((table) => [table.name, ...copiesOf(table).map(({ name }) => name)])
    .flatMap((name) => [
      fragment(`drop table if exists ${quote(name)}`),
      fragment(`alter table ${quote(LOADING + name)} rename to ${quote(name)}`),
    ]);
}
