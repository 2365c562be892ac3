import type { DuckDBConnection } from '@duckdb/node-api';
import { SwapfoldError } from '@swapfold/core';
import type { Batch, ColumnData, ColumnName, ColumnType, Table } from '@swapfold/core/engine';
import { fragment, type SqlConnection } from '@swapfold/sql';
import { createConnection } from '../connection.ts';

/** A connection outside of a session, with errors as Swapfold's. */
export async function openConnection(
  connect: () => Promise<DuckDBConnection>,
  failure: (error: unknown) => SwapfoldError,
): Promise<SqlConnection> {
  async function translated<R>(work: Promise<R>): Promise<R> {
    try {
      return await work;
    } catch (error) {
      throw error instanceof SwapfoldError ? error : failure(error);
    }
  }
  const connection = createConnection(await translated(connect()));
  return {
    begin: (kind) => translated(connection.begin(kind)),
    commit: () => translated(connection.commit()),
    rollback: () => translated(connection.rollback()),
    run: (statement) => translated(connection.run(statement)),
    all: (statement, types) => translated(connection.all(statement, types)),
    append: (target, batch) => translated(connection.append(target, batch)),
    close: () => translated(connection.close()),
    async open(statement, types) {
      const cursor = await translated(connection.open(statement, types));
      return { next: () => translated(cursor.next()), close: () => cursor.close() };
    },
  };
}

/** The rows of a statement without values, which are few. */
export async function rowsOf(
  connection: SqlConnection,
  statement: string,
  types: readonly ColumnType[],
): Promise<ColumnData[number][][]> {
  const columns = await connection.all(fragment(statement), types);
  return Array.from({ length: columns[0]!.length }, (_, row) => columns.map((column) => column[row]!));
}

/** The rows of a statement of columns of a table, piece by piece. The next statement of the connection ends them. */
export async function* streamRows<T extends Table, C extends ColumnName<T>>(
  connection: SqlConnection,
  table: T,
  names: readonly C[],
  statement: string,
): AsyncGenerator<Batch<T, C>> {
  const cursor = await connection.open(
    fragment(statement),
    names.map((name) => table.columns[name]!),
  );
  try {
    let next = cursor.next();
    for (;;) {
      const piece = await next;
      if (piece === null) return;
      // DuckDB makes the next rows while these are worked on.
      next = cursor.next();
      next.catch(() => undefined);
      const columns = Object.fromEntries(names.map((name, i) => [name, piece[i]!]));
      yield { length: piece[0]!.length, columns } as unknown as Batch<T, C>;
    }
  } finally {
    await cursor.close();
  }
}
