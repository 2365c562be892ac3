import { fragment } from '@swapfold/core';
import type { Connection } from './connection.ts';
import { dropTable } from './definition.ts';
import { textLiteral } from './literal.ts';
import type { Names } from './names.ts';
import { bitmapOfRemoved } from './removed.ts';
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
 * later, when no query can have read the rows before and the notes after. The log tells since when, for processes that live shorter.
 */
export function createVacuum(connection: Connection, names: Names, snapshotSeconds: number): Vacuum {
  let writes = EVERY;

  const run = (sql: string): Promise<void> => connection.run(fragment(sql));

  /** The greatest write that every snapshot sees. */
  async function horizonOf(oldest: number | undefined): Promise<number> {
    const isOver = `"kind" = 'commit' and "at" <= now() - ${snapshotSeconds}`;
    const [column] = await connection.all(fragment(`select max("write") from ${names.log} where ${isOver}`), ['long']);
    return Math.min((column as Float64Array)[0]!, oldest ?? Number.POSITIVE_INFINITY);
  }

  /** The tables whose removed rows are gone, up to which write, and whether their notes may go. */
  async function emptiedTables(): Promise<{ physical: string; write: number; isOver: boolean }[]> {
    const isOver = `min("at") <= now() - ${snapshotSeconds}`;
    const sql = `select "name", max("write"), toInt32(${isOver}) from ${names.log} where "kind" = 'emptied' group by "name"`;
    const [tables, writes, over] = await connection.all(fragment(sql), ['text', 'long', 'id']);
    return (tables as string[]).map((physical, i) => ({
      physical,
      write: (writes as Float64Array)[i]!,
      isOver: (over as Int32Array)[i] === 1,
    }));
  }

  async function forgetNotes(physical: string, write: number): Promise<void> {
    const table = textLiteral(physical);
    await run(`delete from ${names.removed} where "physical" = ${table} and "write" <= ${write}`);
    await run(`delete from ${names.log} where "kind" = 'emptied' and "name" = ${table}`);
  }

  async function emptyTables(horizon: number, isEmptied: ReadonlySet<string>): Promise<void> {
    const counts = `select "physical", sum("count") from ${names.removed} where "write" <= ${horizon} group by "physical"`;
    const [tables, rows] = await connection.all(fragment(counts), ['text', 'long']);
    for (const [i, physical] of (tables as string[]).entries()) {
      if (isEmptied.has(physical) || (rows as Float64Array)[i]! < WORTH) continue;
      const removed = `select arrayJoin(bitmapToArray((${bitmapOfRemoved(names, physical, horizon)})))`;
      await run(`delete from ${names.partsOf(physical)}${names.onCluster} where "_row" in (${removed})`);
      const note = `${horizon}, 'emptied', ${textLiteral(physical)}, ''`;
      await run(`insert into ${names.log} ("write", "kind", "name", "detail") select ${note}`);
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
        `delete from ${names.log} where ("kind" = 'table' and ${isItsNote}) or ("kind" = 'emptied' and "name" = ${textLiteral(physical)})`,
      );
    }
  }

  return {
    async afterWrite(oldest) {
      if (++writes < EVERY) return;
      writes = 0;
      const emptied = await emptiedTables();
      for (const { physical, write, isOver } of emptied) if (isOver) await forgetNotes(physical, write);
      const horizon = await horizonOf(oldest);
      await emptyTables(horizon, new Set(emptied.map(({ physical }) => physical)));
      await dropReplaced(horizon);
      await run(`delete from ${names.log} where "write" < ${horizon} and "kind" in ('begin', 'commit', 'undone')`);
    },
  };
}
