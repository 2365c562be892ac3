import { fragment } from '@swapfold/core';
import type { Connection } from './connection.ts';
import { dropTable } from './definition.ts';
import { textLiteral } from './literal.ts';
import type { Names } from './names.ts';
import type { StoredTable } from './view.ts';

/** Removed rows of a table that are worth a pass over it: reads skip fewer at no cost that can be measured. */
const WORTH = 50_000;

/** Writes between two looks at what there is to do. */
const EVERY = 16;

export interface Vacuum {
  /** Call it after each committed write; `oldest` is the least write that a snapshot of this process still reads at. */
  afterWrite(oldest: number | undefined): Promise<void>;
}

/**
 * Takes rows off the disk that were removed before any snapshot still open.
 *
 * Snapshots of other processes are held to be over after `snapshotSeconds`. A row goes first and the note of its removal that much
 * later, when no query can have read the rows before and the notes after.
 */
export function createVacuum(connection: Connection, names: Names, snapshotSeconds: number): Vacuum {
  /** Up to which write the removed rows of a table are gone, and since when, in milliseconds. */
  const emptied = new Map<string, { readonly write: number; readonly at: number }>();
  let writes = EVERY;

  const run = (sql: string): Promise<void> => connection.run(fragment(sql));

  /** The greatest write that every snapshot sees. */
  async function horizonOf(oldest: number | undefined): Promise<number> {
    const isOver = `"kind" = 'commit' and "at" <= now() - ${snapshotSeconds}`;
    const [column] = await connection.all(fragment(`select max("write") from ${names.log} where ${isOver}`), ['long']);
    return Math.min((column as Float64Array)[0]!, oldest ?? Number.POSITIVE_INFINITY);
  }

  async function forgetNotes(): Promise<void> {
    for (const [physical, { write, at }] of emptied) {
      if (Date.now() - at < snapshotSeconds * 1000) continue;
      await run(`delete from ${names.removed} where "physical" = ${textLiteral(physical)} and "write" <= ${write}`);
      emptied.delete(physical);
    }
  }

  async function emptyTables(horizon: number): Promise<void> {
    const counts = `select "physical", count() from ${names.removed} where "write" <= ${horizon} group by "physical"`;
    const [tables, rows] = await connection.all(fragment(counts), ['text', 'long']);
    for (const [i, physical] of (tables as string[]).entries()) {
      if (emptied.has(physical) || (rows as Float64Array)[i]! < WORTH) continue;
      const removed = `select "row" from ${names.removed} where "physical" = ${textLiteral(physical)} and "write" <= ${horizon}`;
      await run(`delete from ${names.partsOf(physical)}${names.onCluster} where "_row" in (${removed})`);
      emptied.set(physical, { write: horizon, at: Date.now() });
    }
  }

  /** Tables that were recreated before the horizon. */
  async function dropReplaced(horizon: number): Promise<void> {
    const made = `select "name", "write", "detail" from ${names.log} where "kind" = 'table' and "write" <= ${horizon}`;
    const newest = `select "name", max("write") as "newest" from ${names.log} where "kind" = 'table' and "write" <= ${horizon} group by "name"`;
    const [details, written] = await connection.all(
      fragment(
        `select "detail", "write" from (${made}) as "made" inner join (${newest}) as "last" using ("name") where "write" < "newest"`,
      ),
      ['text', 'long'],
    );
    for (const [i, detail] of (details as string[]).entries()) {
      const { physical } = JSON.parse(detail) as StoredTable;
      for (const drop of dropTable(names, physical)) await run(drop);
      await run(`delete from ${names.removed} where "physical" = ${textLiteral(physical)}`);
      const isItsNote = `"write" = ${(written as Float64Array)[i]} and "detail" = ${textLiteral(detail)}`;
      await run(
        `delete from ${names.log} where ("kind" = 'table' and ${isItsNote}) or ("kind" = 'removed' and "name" = ${textLiteral(physical)})`,
      );
    }
  }

  return {
    async afterWrite(oldest) {
      if (++writes < EVERY) return;
      writes = 0;
      await forgetNotes();
      const horizon = await horizonOf(oldest);
      await emptyTables(horizon);
      await dropReplaced(horizon);
      await run(`delete from ${names.log} where "write" < ${horizon} and "kind" in ('begin', 'commit', 'undone')`);
    },
  };
}
