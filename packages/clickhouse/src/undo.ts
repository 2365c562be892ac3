import { fragment } from '@swapfold/sql';
import type { Connection } from './connection.ts';
import { deleteRows, dropTable } from './definition.ts';
import { type Names, rowsBefore } from './names.ts';
import type { StoredTable } from './view.ts';

/**
 * Takes out what a void write left: its tables, its rows and what it noted as removed. Can be run at any time, again, and beside itself:
 * whatever it takes belongs to that write.
 *
 * `isOver`: nothing of the write is on its way any more. Only then is it noted as undone, and readers need not leave its rows out.
 */
export type Undo = (write: number, isOver: boolean) => Promise<void>;

export function createUndo(connection: Connection, names: Names): Undo {
  const run = (sql: string): Promise<void> => connection.run(fragment(sql));

  /** Physical names of the tables whose note in the log holds. */
  async function tablesWhere(condition: string): Promise<string[]> {
    const sql = `select "detail" from ${names.log} where "kind" = 'table' and ${condition}`;
    const [details] = await connection.all(fragment(sql), ['text']);
    return (details as string[]).map((detail) => (JSON.parse(detail) as StoredTable).physical);
  }

  async function deleteTheirs(table: string, isTheirs: string): Promise<void> {
    const [counts] = await connection.all(fragment(`select count() from ${names.of(table)} where ${isTheirs}`), [
      'long',
    ]);
    if ((counts as Float64Array)[0]! > 0) await run(deleteRows(names, table, isTheirs));
  }

  return async (write, isOver) => {
    const isTheirs = `"_row" >= ${rowsBefore(write)} and "_row" < ${rowsBefore(write + 1)}`;
    for (const table of await tablesWhere(`"write" != ${write}`))
      await deleteTheirs(table, isTheirs).catch(unlessMissing);
    for (const table of await tablesWhere(`"write" = ${write}`))
      for (const drop of dropTable(names, table)) await run(drop);
    await run(`delete from ${names.removed} where "write" = ${write}`);
    if (!isOver) return;
    await run(`delete from ${names.log} where "write" = ${write} and "kind" = 'table'`);
    await run(`insert into ${names.log} ("write", "kind", "name", "detail") select ${write}, 'undone', '', ''`);
  };
}

/** Another process may have dropped the table: then its rows are gone. */
function unlessMissing(error: unknown): void {
  const { type, message } = error as { type?: unknown; message?: unknown };
  if (type !== 'UNKNOWN_TABLE' && !String(message).includes('UNKNOWN_TABLE')) throw error;
}
