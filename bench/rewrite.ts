import { DuckDBInstance } from '@duckdb/node-api';
import { rewriteClickhouse } from './clickhouse.ts';
import { type Engine, removeFile } from './files.ts';

/** Every row of a DuckDB store into an empty file of the same row groups, by one statement. Milliseconds. */
async function rewriteDuckdb(from: string, to: string): Promise<number> {
  removeFile(to);
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(`attach '${from}' as store (read_only); attach '${to}' as copied (row_group_size 16384)`);
  const start = performance.now();
  await connection.run('copy from database store to copied; checkpoint copied');
  const milliseconds = performance.now() - start;
  connection.closeSync();
  instance.closeSync();
  removeFile(to);
  return milliseconds;
}

/**
 * What an engine takes to write the rows of a store, in the store's own tables and orders, when they are there to be read: the least that
 * an import could take. SQLite has no such statement.
 */
export const rewriteRows: Readonly<Partial<Record<Engine, (from: string, to: string) => Promise<number>>>> = {
  duckdb: rewriteDuckdb,
  clickhouse: rewriteClickhouse,
};
