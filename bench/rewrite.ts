import { DuckDBInstance } from '@duckdb/node-api';
import Database from 'better-sqlite3';
import { rewriteClickhouse } from './clickhouse.ts';
import { type Engine, removeFile } from './files.ts';

/** Rows that are read and inserted at a time; values of wide profiles take tens of megabytes. */
const ROWS = 4096;

/**
 * Every row of an SQLite store into an empty file of the same tables by prepared inserts, in the order of the tables' keys, and then the
 * same indexes: dearer row by row. What the store's rows are read in does not count. Milliseconds.
 */
async function rewriteSqlite(from: string, to: string): Promise<number> {
  removeFile(to);
  // One that may only read leaves an empty log behind.
  const source = new Database(from, { fileMustExist: true });
  const db = new Database(to);
  db.pragma(`page_size = ${source.pragma('page_size', { simple: true })}`);
  db.pragma('journal_mode = wal');
  db.pragma('synchronous = normal');
  const made = source
    .prepare("select type, name, sql from sqlite_schema where sql is not null and name not like 'sqlite_%'")
    .all() as { readonly type: string; readonly name: string; readonly sql: string }[];
  const tables = made.filter(({ type }) => type === 'table');
  for (const { sql } of tables) db.exec(sql);
  let milliseconds = 0;
  const count = (work: () => void): void => {
    const start = performance.now();
    work();
    milliseconds += performance.now() - start;
  };
  for (const { name } of tables) {
    const read = source.prepare(`select * from "${name}"`).raw();
    const insert = db.prepare(
      `insert into "${name}" values (${read
        .columns()
        .map(() => '?')
        .join(', ')})`,
    );
    let rows: unknown[][] = [];
    const write = (): void => count(() => db.transaction(() => rows.forEach((row) => void insert.run(row)))());
    for (const row of read.iterate() as IterableIterator<unknown[]>) {
      rows.push(row);
      if (rows.length < ROWS) continue;
      write();
      rows = [];
    }
    write();
  }
  count(() => {
    for (const { type, sql } of made) if (type === 'index') db.exec(sql);
    db.pragma('wal_checkpoint(truncate)');
  });
  for (const { name } of tables) assertSameCount(source, db, name);
  source.close();
  count(() => db.close());
  removeFile(to);
  return milliseconds;
}

function assertSameCount(source: Database.Database, copy: Database.Database, table: string): void {
  const [rows, copied] = [source, copy].map((db) => db.prepare(`select count(*) from "${table}"`).pluck().get());
  if (rows !== copied) throw new Error(`Table ${table} has ${rows} rows, of which ${copied} were written again.`);
}

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

const rewriteRows: Readonly<Record<Engine, (from: string, to: string) => Promise<number>>> = {
  sqlite: rewriteSqlite,
  duckdb: rewriteDuckdb,
  clickhouse: rewriteClickhouse,
};

/**
 * What an engine takes to write the rows of a store, in the store's own tables and orders, when they are there to be read: the least that
 * an import could take. Milliseconds: the first time, and once the system has the store in memory.
 */
export async function rewriteStore(
  engine: Engine,
  from: string,
  to: string,
): Promise<readonly [first: number, warm: number]> {
  const write = () => rewriteRows[engine](from, to);
  return [await write(), await write()];
}
