import { quote } from '@swapfold/sql';

/** Columns from which on a row group is compressed for so long that the calling thread should not do it: those of profiles. */
const WIDE = 100;

/**
 * Rows that go over tables in memory in one transaction. DuckDB keeps a dropped table until the transaction ends: those of a million profiles
 * would be 2.5 GB. The rows after them are compressed within the call.
 */
export const MOST_STAGED = 250_000;

/** Rows of one call that are worth the way over a table in memory: those of a block of swaps are fewer, and fill no row group. */
const MANY = 1500;

/**
 * Appends rows by way of a table in memory, if that is worth it; whether it was. An appender compresses each row group that it fills
 * within the call, half a second for 550 columns; `insert ... select` does so on DuckDB's threads.
 *
 * The table has the rows of one call: appends to one that gathered a row group took up to 260 ms in an import of ten million swaps.
 *
 * `run` sends a statement, `appendTo` appends the rows to a table.
 */
export async function appendStaged(
  run: (sql: string) => Promise<unknown>,
  { table, columns, rows }: { readonly table: string; readonly columns: number; readonly rows: number },
  appendTo: (name: string) => Promise<void>,
): Promise<boolean> {
  if (columns < WIDE || rows < MANY) return false;
  const name = `${table}_staged`;
  await run(`create temp table ${quote(name)} as from ${quote(table)} limit 0`);
  await appendTo(name);
  await run(`insert into ${quote(table)} from temp.${quote(name)}`);
  await run(`drop table temp.${quote(name)}`);
  return true;
}
